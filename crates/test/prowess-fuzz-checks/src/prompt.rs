//! Any skills and any budget give a catalogue that keeps to the budget and hides nothing silently.

use prowess_catalog::{PromptContext, PromptEntry, Rendered, render};
use prowess_types::{Budget, OfferMode, PromptMode, PromptRules, PromptWording};

/// Ends an entry in the input.
const RECORD: char = '\u{1e}';
/// Ends a field of an entry.
const FIELD: char = '\u{1f}';

/// Seven bytes of rules, a note, then entries of the fields mode, name, description, location, note on the
/// location and hints.
pub fn check(bytes: &[u8]) {
    let Some((&[switches, mode, skills, chars_low, chars_high, tokens_low, tokens_high], entries)) =
        bytes.split_first_chunk()
    else {
        return;
    };
    let entries = String::from_utf8_lossy(entries);
    let mut records = entries.split(RECORD);
    let remote_note = records.next().map(str::to_owned);
    let entries: Vec<PromptEntry> = records.map(entry).collect();
    let max_chars = usize::from(u16::from_le_bytes([chars_low, chars_high]));
    let tokens = usize::from(u16::from_le_bytes([tokens_low, tokens_high]));
    let context = PromptContext {
        remote_note: remote_note.filter(|_| switches & 1 != 0),
        prompt_mode: [PromptMode::Full, PromptMode::Full, PromptMode::Minimal, PromptMode::None]
            [usize::from(mode & 3)],
        has_read_tool: switches & 2 == 0,
        context_tokens: (tokens != 0).then_some(tokens),
        audit_command: "prowess check".to_owned(),
        note_last: switches & 4 != 0,
    };
    for wording in [
        PromptWording::Mandatory,
        PromptWording::Openclaw,
        PromptWording::Openpocket,
        PromptWording::SkillsRef,
    ] {
        let rules = PromptRules {
            wording,
            budget: Budget { max_skills: usize::from(skills), max_chars },
            compact_fallback: switches & 4 != 0,
            omit_when_minimal: switches & 8 != 0,
        };
        check_rendered(&entries, &rules, &render(&entries, &rules, &context));
    }
}

fn entry(record: &str) -> PromptEntry {
    let mut fields = record.split(FIELD);
    let mut field = || fields.next().unwrap_or_default().to_owned();
    PromptEntry {
        mode: match field().as_str() {
            "p" => OfferMode::Pinned,
            "n" => OfferMode::NameOnly,
            _ => OfferMode::Auto,
        },
        name: field(),
        description: field(),
        location: field(),
        location_note: Some(field()).filter(|note| !note.is_empty()),
        hints: fields.map(str::to_owned).collect(),
    }
}

fn check_rendered(entries: &[PromptEntry], rules: &PromptRules, rendered: &Rendered) {
    assert_eq!(rendered.chars, rendered.text.encode_utf16().count());
    let budget = rules.budget;
    // OpenPocket shows its first skill whatever it costs, and counts only the entries.
    if rules.wording != PromptWording::Openpocket {
        assert!(rendered.chars <= budget.max_chars, "{} of {}", rendered.chars, budget.max_chars);
        assert!(rendered.included.len() <= budget.max_skills);
    }
    let cut = rendered.cuts.iter().map(|cut| cut.index);
    let order: Vec<usize> = rendered.included.iter().copied().chain(cut).collect();
    let is_pinned = |index: &usize| entries[*index].mode == OfferMode::Pinned;
    assert!(order.is_sorted_by_key(|index| (!is_pinned(index), *index)), "pinned first, else as given");
    assert_eq!(order.len(), entries.len(), "every entry is shown or cut");

    if !rendered.included.is_empty() {
        let shown = |tag: &str| values(&rendered.text, tag, rules.wording);
        let given = |field: fn(&PromptEntry) -> &str| {
            let escaped = rendered.included.iter().map(|&index| escape(field(&entries[index])));
            escaped.collect::<Vec<_>>()
        };
        assert_eq!(shown("name"), given(|entry| &entry.name), "names can be read back");
        assert_eq!(shown("location"), given(|entry| &entry.location), "locations can be read back");
    }
}

/// What stands between the tags of the element, quotes undone because the wordings differ in them.
fn values(text: &str, tag: &str, wording: PromptWording) -> Vec<String> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let (_, element) = text.rsplit_once("<available_skills>\n").expect("the element is there");
    let values = element.split(&open).skip(1).map(|rest| {
        let (value, _) = rest.split_once(&close).expect("every tag is closed");
        // `skills-ref` puts values on lines of their own.
        let line = value.strip_prefix('\n').and_then(|value| value.strip_suffix('\n'));
        if wording == PromptWording::SkillsRef { line.expect("a line of its own") } else { value }
    });
    values.map(|value| value.replace("&#x27;", "'").replace("&apos;", "'").replace("&quot;", "\"")).collect()
}

/// The three characters that every wording escapes alike.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
