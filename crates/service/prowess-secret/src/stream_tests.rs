use proptest::prelude::*;
use prowess_types::Secret;

use super::*;

fn redactor(values: &[&str]) -> Redactor {
    let secrets: Vec<Secret> = values.iter().map(|value| Secret::new(*value)).collect();
    Redactor::new(&secrets)
}

fn streamed(redactor: &Redactor, pieces: &[&str]) -> String {
    let mut stream = StreamRedactor::new(redactor.clone());
    let mut text: String = pieces.iter().map(|piece| stream.push(piece)).collect();
    text += &stream.finish();
    text
}

#[test]
fn a_split_secret_never_shows() {
    let redactor = redactor(&["hunter2-key"]);
    assert_eq!(streamed(&redactor, &["a hun", "ter2", "-key b"]), "a [redacted] b");
    assert_eq!(streamed(&redactor, &["a hunter2-ke", "ttle"]), "a hunter2-kettle");
    assert_eq!(streamed(&redactor, &["hunter2-keyhunter2-key"]), "[redacted][redacted]");
}

#[test]
fn secrets_that_overlap_are_one() {
    let redactor = redactor(&["abcdefgh", "efghijkl"]);
    assert_eq!(redactor.redact("xabcdefghijkly"), "x[redacted]y");
    for split in 0..14 {
        let text = "xabcdefghijkly";
        assert_eq!(streamed(&redactor, &[&text[..split], &text[split..]]), "x[redacted]y", "{split}");
    }
}

#[test]
fn little_waits_however_long_the_text_is() {
    let redactor = redactor(&["aaaaaaaa"]);
    let mut stream = StreamRedactor::new(redactor);
    for _ in 0..1_000 {
        stream.push("aaaa");
        assert!(stream.pending.text.len() < 64);
    }
    assert!(!format!("{stream:?}").contains("aaa"));
}

#[test]
fn an_empty_piece_does_not_uncover_the_end_of_a_secret() {
    let redactor = redactor(&["üaaüaü"]);
    assert_eq!(streamed(&redactor, &["x üaaüaü", "", "b a"]), "x [redacted]b a");
}

proptest! {
    /// Whatever the pieces are, the whole is what it would be in one piece.
    #[test]
    fn pieces_make_no_difference(
        text in "[abü -]{0,40}",
        secrets in prop::collection::vec("[abü]{6,9}", 1..4),
        cuts in prop::collection::vec(0_usize..60, 0..6),
        planted in 0_usize..4,
    ) {
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        let redactor = redactor(&secrets);
        let text = text + secrets[planted % secrets.len()] + "b a";
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| text.is_char_boundary(*cut)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&str> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
        let whole = redactor.redact(&text);
        prop_assert_eq!(streamed(&redactor, &pieces), whole.as_ref());
        for secret in secrets {
            prop_assert!(!whole.contains(secret));
        }
    }
}
