use super::*;
use crate::tiny;

#[test]
fn every_path_gives_the_same_logits() {
    let base = Pack::from_bytes(tiny::wordpiece().unwrap()).unwrap();
    let pack = Pack::from_bytes(tiny::reader(&base, 2, &tiny::TINY).unwrap()).unwrap();
    let documents = ["", "hello", "skills, weather!", "more letters than there are tokens for"];
    let best = Reader::load(&pack, &base).unwrap().read("hello weather", &documents).unwrap();
    for path in Path::available() {
        let reader = Reader::load_for(&pack, &base, path).unwrap();
        let logits = reader.read("hello weather", &documents).unwrap();
        for (logit, best) in logits.iter().zip(&best) {
            assert!((logit - best).abs() < 1e-4, "{path:?}: {logit}, {best}");
        }
    }
}
