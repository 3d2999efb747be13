//! Forms of words: enough to find what a list has, never to invent what it has not.

use super::lexicon::Language;

/// The regular forms of a verb, the base form first.
pub(super) fn verb_forms(language: Language, verb: &str) -> Vec<String> {
    match language {
        Language::English => english_verb(verb),
        Language::German => german_verb(verb),
        Language::Spanish => spanish_verb(verb),
    }
}

/// The regular forms of a noun, the base form first.
pub(super) fn noun_forms(language: Language, noun: &str) -> Vec<String> {
    let with =
        |suffixes: &[&str]| suffixes.iter().map(|suffix| format!("{noun}{suffix}")).collect::<Vec<_>>();
    match language {
        Language::English => vec![noun.to_owned(), english_plural(noun)],
        Language::German => with(&["", "e", "en", "n", "s", "es", "er", "ern"]),
        Language::Spanish => {
            let mut forms = with(&["", "s", "es"]);
            if let Some(stem) = noun.strip_suffix("ión") {
                forms.push(format!("{stem}iones"));
            }
            forms.into_iter().map(|form| without_accents(&form)).collect()
        }
    }
}

/// What a form in a text may be in the list: itself, or in Spanish also without what hangs on it.
pub(super) fn candidates(language: Language, form: &str) -> Vec<String> {
    if language != Language::Spanish {
        return vec![form.to_owned()];
    }
    let mut found = vec![without_accents(form)];
    // `envíamelo` is `envía` with two pronouns.
    for _ in 0..2 {
        let Some(last) = found.last().cloned() else { break };
        let pronouns = ["melas", "melos", "nos", "les", "los", "las", "le", "lo", "la", "me", "te", "se"];
        let shorter = pronouns.iter().find_map(|pronoun| last.strip_suffix(pronoun));
        match shorter.filter(|shorter| shorter.chars().count() >= 4) {
            Some(shorter) => found.push(shorter.to_owned()),
            None => break,
        }
    }
    found
}

fn english_plural(noun: &str) -> String {
    if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") {
        return format!("{noun}es");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

fn english_verb(verb: &str) -> Vec<String> {
    let mut forms = vec![verb.to_owned(), english_plural(verb)];
    if let Some(stem) = verb.strip_suffix('e') {
        forms.extend([format!("{verb}d"), format!("{stem}ing")]);
    } else if let Some(stem) = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        forms.extend([format!("{stem}ied"), format!("{verb}ing")]);
    } else {
        let doubled = verb.chars().last().map(|last| format!("{verb}{last}")).unwrap_or_default();
        forms.extend(
            [verb, &doubled].into_iter().flat_map(|stem| [format!("{stem}ed"), format!("{stem}ing")]),
        );
    }
    forms
}

fn german_verb(verb: &str) -> Vec<String> {
    let stem = verb.strip_suffix("en").or_else(|| verb.strip_suffix('n')).unwrap_or(verb);
    let mut forms = vec![verb.to_owned()];
    forms.extend(["", "e", "st", "t", "est", "et", "te", "ten"].map(|ending| format!("{stem}{ending}")));
    forms.push(format!("ge{stem}t"));
    forms
}

fn spanish_verb(verb: &str) -> Vec<String> {
    let mut forms = vec![verb.to_owned()];
    if let Some(stem) = verb.strip_suffix("ar") {
        forms.extend(
            ["a", "as", "e", "en", "an", "ando", "ado", "amos", "ad"].map(|end| format!("{stem}{end}")),
        );
    } else if let Some(stem) = verb.strip_suffix("er").or_else(|| verb.strip_suffix("ir")) {
        forms.extend(["e", "es", "a", "an", "en", "iendo", "ido", "emos"].map(|end| format!("{stem}{end}")));
    }
    forms.into_iter().map(|form| without_accents(&form)).collect()
}

/// Pronouns that hang on a verb move its accent, so forms are compared without.
fn without_accents(word: &str) -> String {
    word.chars()
        .map(|letter| match letter {
            'á' => 'a',
            'é' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' => 'u',
            other => other,
        })
        .collect()
}
