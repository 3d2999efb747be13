use super::*;

fn show(text: &str, first: usize, lines: usize, max_bytes: usize) -> ToolOutput {
    Window { first, lines }.of(text, max_bytes)
}

#[test]
fn a_file_that_fits_is_shown_as_it_is() {
    let output = show("one\ntwo\n", 1, 10, 100);
    assert_eq!(output, ToolOutput::done("one\ntwo\n"));
}

#[test]
fn a_window_says_where_to_go_on() {
    let output = show("1\n2\n3\n4\n", 2, 2, 100);
    assert_eq!(output.text, "2\n3\n\n[lines 2 to 3 of 4; go on with offset 4]");
    assert_eq!(output.omitted_bytes, 2);
    assert_eq!(show("1\n2\n3\n4\n", 4, 9, 100).text, "4\n\n[lines 4 to 4 of 4]");
}

#[test]
fn a_line_is_never_cut_unless_it_is_too_long_alone() {
    assert_eq!(show("12345\n12345\n", 1, 9, 8).text, "12345\n\n[lines 1 to 1 of 2; go on with offset 2]");
    let output = show("ööööö\nx", 1, 9, 5);
    assert_eq!(output.text, "öö\n[line 1 goes on for 7 bytes]\n[lines 1 to 1 of 2; go on with offset 2]");
    assert_eq!(output.omitted_bytes, 8);
}

#[test]
fn beyond_the_end_is_an_error_with_the_number_of_lines() {
    assert_eq!(show("1\n2", 3, 1, 10), ToolOutput::failed("the file has only 2 lines"));
    assert_eq!(show("", 1, 1, 10), ToolOutput::done("[the file is empty]"));
}

#[test]
fn reading_all_windows_in_turn_reads_the_whole_file() {
    let text = (0..100).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
    let mut all = String::new();
    let mut next = Some(1);
    while let Some(first) = next {
        let output = show(&text, first, 7, 64);
        let note = output.text.rfind("\n[lines").expect("a note");
        all.push_str(&output.text[..note]);
        next = output.text[note..]
            .split_once("offset ")
            .map(|(_, rest)| rest.trim_end_matches(']').parse().expect("a number"));
    }
    assert_eq!(all, text);
}
