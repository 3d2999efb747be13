use insta::assert_snapshot;
use prowess_types::Budget;

use super::*;
use crate::test_support::entry;

fn shown(entries: &[PromptEntry], max_skills: usize, max_chars: usize) -> Page {
    let entries: Vec<&PromptEntry> = entries.iter().collect();
    let budget = Budget { max_skills, max_chars };
    render(&entries, budget)
}

#[test]
fn the_section() {
    let mut hinted = entry("maps", "Find \"it\" & <go>, don't walk");
    hinted.hints = [" route ", "地图", "route", "", "a&b"].map(str::to_owned).to_vec();
    let page = shown(&[hinted, entry("b", "d")], usize::MAX, 12_000);
    assert_snapshot!(page.text, @r"
    ## Skills
    Before you act, go through the whole index of skills below.
    - One skill clearly fits the task: open the file at its location with `read`, then do as it says.
    - Several could fit: take the most specific one, and open only that.
    - No skill clearly fits: open none of the files.
    - Never open more than one skill file in advance.
    <available_skills>
      <skill>
        <name>maps</name>
        <description>Find &quot;it&quot; &amp; &lt;go&gt;, don't walk Trigger hints: route; 地图; a&amp;b</description>
        <location>/skills/maps/SKILL.md</location>
      </skill>
      <skill>
        <name>b</name>
        <description>d</description>
        <location>/skills/b/SKILL.md</location>
      </skill>
    </available_skills>
    ");
}

#[test]
fn eight_hints_are_enough() {
    let mut hinted = entry("a", "d");
    hinted.hints = (0..12).map(|number| format!("h{number}")).collect();
    let page = shown(&[hinted], 1, 12_000);
    let description = "<description>d Trigger hints: h0; h1; h2; h3; h4; h5; h6; h7</description>";
    assert!(page.text.contains(description));
}

#[test]
fn the_cap_counts_the_joined_entries_and_stops_at_the_first_that_is_too_long() {
    let long = "x".repeat(300);
    let entries = [entry("a", "d"), entry("b", &long), entry("c", "d")];
    let size = |entry: &PromptEntry| utf16_len(&skill(entry));
    let (first, both) = (size(&entries[0]) - 1, size(&entries[0]) + size(&entries[1]) - 1);
    let table = [(12_000, 3), (both, 2), (both - 1, 1), (first, 1), (200, 1), (0, 1)];
    for (max_chars, count) in table {
        assert_eq!(shown(&entries, usize::MAX, max_chars).count, count, "{max_chars}");
    }
}

#[test]
fn the_first_entry_is_always_there() {
    let huge = "x".repeat(20_000);
    assert_eq!(shown(&[entry("a", &huge), entry("b", "d")], 5, 12_000).count, 1);
    assert_eq!(shown(&[entry("a", "d"), entry("b", "d")], 0, 12_000).count, 1);
    assert_eq!(shown(&[], 5, 12_000).text, "");
}

#[test]
fn a_cap_below_two_hundred_means_two_hundred() {
    let entries = [entry("a", "d"), entry("b", "d"), entry("c", "d")];
    let least = shown(&entries, 9, LEAST_CHARS).count;
    assert_eq!(shown(&entries, 9, 1).count, least);
    assert!(least < entries.len());
}
