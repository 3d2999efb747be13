use prowess_types::Step as PhoneStep;
use serde_json::json;

use super::*;
use crate::test_support::{call, commands, few_words, lines, result, session};
use crate::{diff, episode, fingerprint};

const NOW: u64 = 1_771_927_201_000;

fn options(layout: Layout) -> Options<'static> {
    Options { filter: &few_words, layout, now: NOW, name: None, words: &[], others: &[] }
}

fn released() -> Episode {
    commands(
        "Count the commits since 2026-03-14 and write release notes for Ada",
        &[
            "git log --since=2026-03-14 --author='Ada Lovelace' --oneline",
            "wc -l /home/ada/secret-plan.txt",
            "curl -H \"Authorization: Bearer $API_TOKEN\" -d key=sk-live-0123456789abcdef https://x.example",
            "sort notes.md > sorted.md",
        ],
    )
}

#[test]
fn a_draft_tells_what_was_done_and_nothing_else() {
    let Forged { draft, values } = draft(&released(), &options(Layout::Folder));
    insta::assert_snapshot!(draft.skill_md, @"");
    insta::assert_snapshot!(draft.script.as_deref().unwrap_or_default(), @"");
    for planted in ["Ada", "ada", "2026-03-14", "/home", "secret-plan", "sk-live", "x.example", "notes.md"] {
        let everything = format!("{draft:?}");
        assert!(!everything.contains(planted), "{planted} in {everything}");
        assert!(values.iter().any(|(_, value)| value.contains(planted)), "{planted} is a value");
    }
    assert_eq!(draft.name, "count-commits-write-release-notes");
    assert_eq!(draft.confidence, Confidence::Medium);
    assert_eq!(draft.needs.bins, ["curl", "git", "sort", "wc"]);
    assert_eq!(draft.needs.env, ["API_TOKEN"]);
    assert_eq!(draft.replay, Replay::Whole);
    assert_eq!(draft.triggers.should, ["count commits write release notes"]);
}

#[test]
fn the_same_run_gives_the_same_draft() {
    assert_eq!(draft(&released(), &options(Layout::Folder)), draft(&released(), &options(Layout::Folder)));
}

#[test]
fn openpocket_layouts_have_frontmatter_of_one_line_each() {
    let phone = |app: &str, target| {
        Some(PhoneStep {
            number: None,
            thought: Some("Share the photo with Ada".into()),
            app: Some(app.into()),
            ui_target: target,
        })
    };
    let target = json!({"text": "Share", "contentDesc": "Ada's photo", "resourceId": "com.x:id/share",
        "className": "android.widget.Button", "clickable": true});
    let target = target.as_object().cloned().unwrap_or_default();
    let mut trace = session("share a photo with Ada", &[]);
    for (at, (kind, input, target)) in [
        ("launch_app", json!({"packageName": "com.x"}), serde_json::Map::new()),
        ("tap_element", json!({"elementId": "e"}), target),
        ("type", json!({"text": "for Ada"}), serde_json::Map::new()),
        ("finish", json!({"message": "sent to Ada"}), serde_json::Map::new()),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("p{at}");
        trace.extend(lines(vec![
            ("r", call(&id, kind, &input, phone("com.x", target))),
            (
                "r",
                result(
                    &id,
                    true,
                    "ok\ncapability_probe count=1 photos/active pkg=com.x src=appops conf=0.90",
                ),
            ),
        ]));
    }
    let episode = episode(&trace, "r").expect("a run");
    let lone = draft(&episode, &options(Layout::LoneFile)).draft;
    insta::assert_snapshot!(lone.skill_md, @"");
    insta::assert_snapshot!(lone.script.as_deref().unwrap_or_default(), @"");
    assert_eq!((lone.replay.clone(), lone.has_data_risk), (Replay::OnPhone, true));
    assert_eq!(lone.script_path(), "scripts/auto/20260224-100001-share-photo.sh");
    let strict = draft(&episode, &options(Layout::StrictFolder)).draft;
    assert_eq!(strict.name, "20260224-100001-share-photo");
    assert_eq!(strict.fingerprint, fingerprint(&episode.steps));
    assert_eq!(diff(&lone.skill_md, &strict.skill_md), "", "only the place differs");
}

#[test]
fn near_misses_come_from_other_tasks_only() {
    let others =
        ["count commits of bob", "send the weather report", "write a report", "hello", "search photo"];
    let others = others.map(str::to_owned);
    let options = Options { others: &others, ..options(Layout::Folder) };
    let cases = draft(&released(), &options).draft.triggers;
    assert_eq!(cases.should_not, ["send weather report", "search photo"]);
}

#[test]
fn a_task_without_known_words_is_named_after_its_programs() {
    let draft =
        draft(&commands("frobnicate", &["git log", "wc x", "ls", "jq ."]), &options(Layout::Folder)).draft;
    assert_eq!(draft.name, "git-jq-ls-wc");
    assert!(draft.skill_md.contains("Repeats 4 steps with git, jq, ls, wc"), "{}", draft.skill_md);
    assert!(draft.triggers.should.is_empty());
}
