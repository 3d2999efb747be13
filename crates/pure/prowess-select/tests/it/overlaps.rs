//! Skills that compete are found, and told what would part them.

use prowess_select::overlap::{Overlap, Probe, overlaps, probes};
use prowess_select::{Route, SelectDocument};
use prowess_types::Triggers;

use crate::support::{ENCODER, encode, index, route, skill};

fn find(documents: &[SelectDocument], route: &Route) -> Vec<Overlap> {
    let messages: Vec<(usize, String, Vec<f32>)> = documents
        .iter()
        .enumerate()
        .flat_map(|(row, document)| probes(document).into_iter().map(move |text| (row, encode(&text), text)))
        .map(|(row, vector, text)| (row, text, vector))
        .collect();
    let vectors: Vec<[(&str, &[f32]); 1]> =
        messages.iter().map(|(_, _, vector)| [(ENCODER, &vector[..])]).collect();
    let probes: Vec<Probe<'_>> = messages
        .iter()
        .zip(&vectors)
        .map(|((row, text, _), vectors)| Probe { row: *row, text, vectors })
        .collect();
    overlaps(&index(documents), documents, &probes, route)
}

#[test]
fn near_twins_compete_and_strangers_do_not() {
    let documents = [
        skill("pdf-merge", "Merge several PDF files into one document. Split PDF files by page"),
        skill("weather", "Current weather and forecasts for any place on earth"),
        skill("pdf-tools", "Merge several PDF files into one document. Sign PDF files by hand"),
    ];
    let found = find(&documents, &route());
    assert_eq!(found.len(), 1, "{found:?}");
    let overlap = &found[0];
    assert_eq!((overlap.meant.min(overlap.rival), overlap.meant.max(overlap.rival)), (0, 2));
    assert_eq!(overlap.message, "Merge several PDF files into one document");
    let (meant, rival) = (&documents[overlap.meant].name, &documents[overlap.rival].name);
    let suggestion = overlap.suggestion(meant, rival);
    assert!(suggestion.starts_with("say when to use which: `"), "{suggestion}");
    assert!(suggestion.contains("`sign`") && suggestion.contains("`split`"), "{suggestion}");
}

#[test]
fn twins_are_told_that_nothing_parts_them() {
    let twin = skill("notes", "Keeps short notes and finds them again later");
    let found = find(&[twin.clone(), twin], &route());
    assert_eq!(found.len(), 1);
    assert!(found[0].ahead.abs() < 1e-4 && found[0].contested == 2);
    assert!(found[0].suggestion("a", "b").starts_with("nothing in the descriptions tells `a` and `b` apart"));
}

#[test]
fn probes_are_the_skills_own_words() {
    let skill = SelectDocument {
        triggers: Triggers {
            any: vec!["log my daily expenses".to_owned(), "hi".to_owned()],
            ..Triggers::default()
        },
        when_to_use: Some("When money was spent on travel".to_owned()),
        ..skill(
            "expenses",
            "Tracks money. Use when asked \"how much did my trip cost\" or for monthly budget reports.",
        )
    };
    assert_eq!(
        probes(&skill),
        [
            "log my daily expenses",
            "how much did my trip cost",
            "Use when asked \"how much did my trip cost\" or for monthly budget reports",
            "When money was spent on travel",
        ]
    );
    assert!(probes(&SelectDocument::default()).is_empty());
}
