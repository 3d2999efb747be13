//! Each line of a table is code and its exact tags; `\n` stands for the end of a line.

use prowess_effects::{CodeLanguage, EffectReader};

/// Compares each line of a table, and returns how many there are.
fn check(table: &str, language: CodeLanguage) -> usize {
    let reader = EffectReader::new(["todoist"]);
    let lines = table.lines().filter(|line| !line.is_empty());
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines {
        count += 1;
        let (code, expected) = line.split_once('\t').expect("code, a tab, tags");
        let tags = reader.code(&code.replace("\\n", "\n"), language);
        let found = tags.iter().collect::<Vec<_>>().join(" ");
        if found != expected {
            wrong.push(format!("{code}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

#[test]
fn commands_of_a_shell() {
    let count = check(include_str!("../../data/shell.tsv"), CodeLanguage::Shell);
    assert!(count >= 150, "{count}");
}

#[test]
fn calls_of_python() {
    assert!(check(include_str!("../../data/python.tsv"), CodeLanguage::Python) > 25);
}

#[test]
fn calls_of_javascript() {
    assert!(check(include_str!("../../data/javascript.tsv"), CodeLanguage::JavaScript) > 20);
}

#[test]
fn commands_of_powershell() {
    assert!(check(include_str!("../../data/powershell.tsv"), CodeLanguage::PowerShell) > 15);
}
