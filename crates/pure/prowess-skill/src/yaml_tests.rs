use super::*;

#[test]
fn a_nul_does_not_move_what_follows_it() {
    let text = "a: \0\nb: é\n";
    let Ok(Some(Node { kind: Kind::Mapping(pairs), .. })) = parse(text) else {
        panic!("a mapping");
    };
    let written: Vec<_> = pairs.iter().map(|(_, value)| &text[value.span.start..value.span.end]).collect();
    assert_eq!(written, ["\0", "é"]);
    let error = parse("a: \0\n\0b: [").unwrap_err();
    assert!(error.offset <= 10, "{error:?}");
}

#[test]
fn a_mapping_has_a_bounded_number_of_keys() {
    let text = |count| (0..count).fold(String::new(), |text, number| text + &format!("k{number}: v\n"));
    assert!(parse(&text(MAX_KEYS)).is_ok());
    assert_eq!(parse(&text(MAX_KEYS + 1)).unwrap_err().kind, ErrorKind::TooComplex);
}

#[test]
fn anchors_around_anchors_do_not_multiply_a_document() {
    let open = (0..40).fold(String::new(), |text, number| text + &format!("&a{number} ["));
    let text = format!("x: {open}{}{}\n", "y,".repeat(1_000), "]".repeat(40));
    assert_eq!(parse(&text).unwrap_err().kind, ErrorKind::TooComplex);
    let text = format!("x: &a [{}]\nz: *a\n", "y,".repeat(1_000));
    assert!(parse(&text).is_ok());
}

#[test]
fn keys_do_not_nest() {
    assert!(parse("? [a, {b: c}]\n: d\n? {e: f}\n: g\n").is_ok());
    for text in ["? ? ? a\n", "? - ? [a]\n", "x: &x\n  ? [a]\n? *x\n"] {
        assert_eq!(parse(text).map_err(|error| error.kind), Err(ErrorKind::TooComplex), "{text}");
    }
}

#[test]
fn aliases_do_not_add_up_to_a_deeper_document() {
    let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(40), "]".repeat(40));
    let text = format!("a: &a {}\nb: {}\n", nested("x"), nested("*a"));
    assert_eq!(parse(&text).unwrap_err().kind, ErrorKind::TooComplex);
    assert!(parse(&format!("a: &a {}\nb: [*a]\n", nested("x"))).is_ok());
}
