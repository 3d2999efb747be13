//! The document about the scanner lists the rules as they are.

use prowess_scan::rules;

#[test]
fn every_rule_is_documented() {
    let text = include_str!("../../../../../docs/scanner.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> =
        rules().map(|rule| format!("| `{}` | {} | {} |", rule.id, rule.severity, rule.title)).collect();
    for row in &expected {
        assert!(rows.contains(&row.as_str()), "docs/scanner.md lacks this line:\n{row}");
    }
    let listed = rows.iter().filter(|row| expected.iter().any(|known| known == *row)).count();
    let stale: Vec<_> =
        rows.iter().filter(|row| row.contains('/') && !expected.iter().any(|known| known == *row)).collect();
    assert_eq!(listed, expected.len(), "a rule is listed twice");
    assert!(stale.is_empty(), "docs/scanner.md lists rules that do not exist: {stale:?}");
}
