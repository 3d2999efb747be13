//! The README repeats figures of other documents, and only what stands there.

use std::fs;

use crate::root;

/// A row of the table of figures: the figure, and the page that it comes from.
fn figures(readme: &str) -> Vec<(&str, &str)> {
    let table =
        readme.lines().skip_while(|line| *line != "## Measured").skip_while(|line| !line.starts_with("|---"));
    let rows = table.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, figure, from] = cells.as_slice() else { panic!("not three cells: {row}") };
        let page = from.split("](").nth(1).and_then(|rest| rest.split_once(')')).expect("a link to a page");
        (*figure, page.0)
    })
    .collect()
}

/// The numbers of a text, such as `2.7`, `.619` or `1,000`.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    let parts = text.split(move |letter| !is_part(letter)).map(|part| part.trim_end_matches(['.', ',']));
    parts.filter(|part| part.contains(|letter: char| letter.is_ascii_digit()))
}

#[test]
fn every_figure_stands_in_the_page_it_names() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let figures = figures(&readme);
    assert!(figures.len() >= 4, "the table of figures is there");
    for (figure, page) in figures {
        let text = fs::read_to_string(root().join(page)).expect("the page of a figure");
        let known: Vec<&str> = numbers(&text).collect();
        for number in numbers(figure) {
            assert!(known.contains(&number), "`{number}` (of `{figure}`) does not stand in {page}");
        }
    }
}
