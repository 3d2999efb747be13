use proptest::prelude::*;

use super::*;

#[test]
fn what_fits_is_kept_whole() {
    let output = Output::new(8);
    output.push(b"abc");
    output.push(b"defgh");
    assert_eq!(output.take_all(), Captured { text: "abcdefgh".into(), omitted_bytes: 0 });
    assert_eq!(output.take_all(), Captured::default());
}

#[test]
fn the_middle_is_left_out_and_counted() {
    let output = Output::new(8);
    output.push(b"0123456789");
    output.push(b"abcdef");
    let captured = output.take_all();
    assert_eq!(captured.text, "0123\n[… 8 bytes left out …]\ncdef");
    assert_eq!(captured.omitted_bytes, 8);
}

#[test]
fn a_cut_never_splits_a_character() {
    let captured = Captured::of(&"ü".repeat(20), 9);
    assert_eq!(captured.text, "üü\n[… 32 bytes left out …]\nüü");
}

#[test]
fn half_a_character_waits_for_its_other_half() {
    let output = Output::new(64);
    output.push(b"caf\xc3");
    assert_eq!(output.take_so_far().text, "caf");
    output.push(b"\xa9!");
    assert_eq!(output.take_so_far().text, "é!");
    output.push(b"\xff");
    assert_eq!(output.take_so_far().text, "\u{fffd}", "what can never become text does not wait");
}

#[test]
fn a_place_of_no_size_keeps_nothing() {
    let captured = Captured::of("abc", 0);
    assert_eq!(captured.omitted_bytes, 3);
}

proptest! {
    #[test]
    fn nothing_is_lost_unsaid(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..12), max in 0_usize..64) {
        let output = Output::new(max);
        for piece in &pieces {
            output.push(piece);
        }
        let all = pieces.concat();
        let captured = output.take_all();
        prop_assert_eq!(captured.omitted_bytes == 0, all.len() <= max);
        prop_assert!(captured.omitted_bytes <= all.len() as u64);
        if captured.omitted_bytes == 0 {
            prop_assert_eq!(captured.text, String::from_utf8_lossy(&all).into_owned());
        }
    }

    #[test]
    fn text_taken_in_steps_is_the_same_text(text in "\\PC{0,60}", cuts in prop::collection::vec(0_usize..200, 0..6)) {
        let output = Output::new(1024);
        let mut seen = String::new();
        let mut from = 0;
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        for cut in cuts {
            output.push(&text.as_bytes()[from..cut]);
            seen.push_str(&output.take_so_far().text);
            from = cut;
        }
        output.push(&text.as_bytes()[from..]);
        seen.push_str(&output.take_all().text);
        prop_assert_eq!(seen, text);
    }
}
