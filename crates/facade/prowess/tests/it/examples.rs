//! The examples for embedding, run as a host would run them.

use std::path::PathBuf;
use std::process::Command;

use prowess_testkit::Tree;

const PAGE: &str = include_str!("../../../../../docs/embed.md");

/// What an example prints in a project with two skills and an empty home.
fn run(example: &str, arguments: &[&str]) -> String {
    let tree = Tree::new();
    for (name, description) in [
        ("weather", "Tells the weather. Use when asked about rain, umbrellas, wind or temperature."),
        ("release-notes", "Draft the release notes from merged changes."),
    ] {
        tree.write(
            &format!("project/skills/{name}/SKILL.md"),
            format!("---\nname: {name}\ndescription: {description}\n---\nDo it.\n"),
        );
    }
    tree.write("home/.keep", "");
    let output = Command::new(binary(example))
        .args(arguments)
        .current_dir(tree.path("project"))
        .env_clear()
        .env("HOME", tree.path("home"))
        .output()
        .expect("the example starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Cargo puts examples beside the folder of the tests.
fn binary(example: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let profile = test.ancestors().nth(2).expect("a folder of the profile");
    let binary = profile.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    assert!(binary.is_file(), "build `{}` first: cargo build --workspace --examples", binary.display());
    binary
}

/// The source of an example without its head, as a document shows it.
fn shown(source: &str) -> &str {
    &source[source.find("\nuse ").expect("an import") + 1..]
}

#[test]
fn the_page_shows_the_examples_as_they_are() {
    for source in [
        include_str!("../../../../../examples/agent_turn.rs"),
        include_str!("../../../../../examples/custom_encoder.rs"),
        include_str!("../../../../../examples/custom_tool.rs"),
    ] {
        assert!(PAGE.contains(shown(source)), "docs/embed.md lacks:\n{}", shown(source));
    }
}

#[test]
fn an_agent_turn_chooses_prompts_and_answers() {
    let said = run("agent_turn", &[]);
    assert!(said.starts_with("Load: [\"weather\"]\n"), "{said}");
    assert!(said.contains("<name>release-notes</name>"), "{said}");
    assert!(said.ends_with("Yes, it will rain. (Unknown)\n"), "{said}");
}

#[test]
fn an_encoder_of_the_host_judges_every_skill() {
    let said = run("custom_encoder", &["draft the release notes"]);
    let lines: Vec<&str> = said.lines().collect();
    let cosine = |line: &str| line.rsplit(' ').next().and_then(|number| number.parse::<f32>().ok());
    let [best, other] = lines.as_slice() else { panic!("two skills:\n{said}") };
    assert!(best.starts_with("release-notes: trigrams "), "{said}");
    assert!(other.starts_with("weather: trigrams "), "{said}");
    assert!(cosine(best) > cosine(other), "{said}");
}

#[test]
fn a_tool_of_the_host_is_asked_about_and_called() {
    assert_eq!(
        run("custom_tool", &[]),
        "may `stock` look up \"umbrella\"? yes\nstock says 7\nThere are seven umbrellas.\n"
    );
}
