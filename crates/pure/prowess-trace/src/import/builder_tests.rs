use super::*;

#[test]
fn texts_are_cut_between_characters() {
    assert_eq!(cut_middle("abcdef", 6), ("abcdef".to_owned(), 0));
    let (text, omitted) = cut_middle("ééééé", 4);
    assert_eq!((text.as_str(), omitted), ("é\n… 6 bytes left out …\né", 6));
}

#[test]
fn kinds_are_bounded() {
    let mut counts = BTreeMap::new();
    for number in 0..500 {
        count(&mut counts, &format!("kind {number}"));
    }
    assert_eq!(counts.len(), MAX_KINDS + 1);
    assert_eq!(counts["other"], 500 - MAX_KINDS);
}
