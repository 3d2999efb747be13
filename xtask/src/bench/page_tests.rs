//! The page keeps what people wrote and tells what was missed.

use super::*;

const PAGE: &str = "# P\n\n<!-- measured: missed -->\n<!-- end -->\n\nBy hand.\n\n<!-- measured: load -->\nbygone\n<!-- end -->\nMore.\n";

fn figure(name: &str, median: f64) -> Figure {
    let (fastest, slowest) = (median - 1.0, median + 1.0);
    Figure { name: name.to_owned(), unit: "ms".to_owned(), fastest, median, slowest, samples: 100 }
}

fn table(figures: &[Figure]) -> String {
    let circumstances = "`cargo bench`, load 1".to_owned();
    Measured { bench: "load", circumstances, figures, remarks: Vec::new() }.table()
}

#[test]
fn a_table_has_ratios_and_verdicts() {
    let figures = [figure("baseline, 2500", 7.0), figure("cold, 2500", 59.5), figure("warm, 2500", 14.0)];
    assert_eq!(
        table(&figures),
        "`cargo bench`, load 1\n\n\
         | load | median | fastest to slowest | runs | ÷ baseline | target |\n|---|---:|---|---:|---:|---|\n\
         | baseline, 2500 | 7.00 ms | 6.00 ms to 8.00 ms | 100 | |  |\n\
         | cold, 2500 | 59.5 ms | 58.5 ms to 60.5 ms | 100 | 8.50 | 60.0 ms, met |\n\
         | warm, 2500 | 14.0 ms | 13.0 ms to 15.0 ms | 100 | 2.00 | 8.00 ms, **missed** |\n"
    );
}

#[test]
fn a_target_that_was_not_measured_is_named() {
    let text = table(&[figure("cold, 2500", 59.5)]);
    assert!(text.ends_with("\nNot measured: warm, 2500, target 8.00 ms.\n"), "{text}");
}

#[test]
fn only_the_part_changes_and_what_was_missed_is_told() {
    let page = with_part(PAGE, "load", &table(&[figure("cold, 2500", 59.5), figure("warm, 2500", 14.0)]));
    let page = page.expect("the part is there");
    assert!(page.contains("By hand.") && page.ends_with("<!-- end -->\nMore.\n") && !page.contains("bygone"));
    let list = missed(&page);
    assert_eq!(list, "- `load`: warm, 2500: 14.0 ms (13.0 ms to 15.0 ms), target 8.00 ms\n");
    let whole = with_part(&page, "missed", &list).expect("the part is there");
    assert_eq!(part(&whole, "missed"), Some(list.trim()));
    assert_eq!(missed(&whole), list, "the list does not count itself");
    assert_eq!(missed(PAGE), "Every target is met.");
}

#[test]
fn a_benchmark_without_a_place_is_an_error() {
    let error = with_part(PAGE, "walk", "x").expect_err("no such part");
    assert_eq!(error.to_string(), "`docs/performance.md` has no part `walk`");
}
