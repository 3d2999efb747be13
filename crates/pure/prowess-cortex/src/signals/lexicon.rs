//! The vocabulary, from the lists beside this file.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::inflection;

/// How much a word says about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// It tells kinds of tasks apart.
    Strong,
    /// A common word of the language, not one of the words for tasks.
    Common,
    /// It is said of anything (open, make, get).
    Weak,
}

/// What kind of word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Verb,
    Noun,
    /// Also a name: it counts only where an article says that it is a thing.
    Ambiguous,
}

/// A form that a text may have, and the word it stands for.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) word: String,
    pub(super) class: Class,
    pub(super) strength: Strength,
    /// The place in a list that has the most frequent words first; words for tasks have none.
    pub(super) rank: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    Spanish,
}

/// The words of one language.
pub(super) struct Lexicon {
    pub(super) language: Language,
    entries: HashMap<String, Entry>,
    pub(super) stop: HashSet<&'static str>,
    pub(super) determiners: HashSet<&'static str>,
    pub(super) titles: HashSet<&'static str>,
    pub(super) naming: HashSet<&'static str>,
    /// Two or three words that stand for one.
    pub(super) phrases: Vec<(Vec<&'static str>, &'static str)>,
}

pub(super) static LEXICONS: LazyLock<[Lexicon; 3]> = LazyLock::new(|| {
    [
        Lexicon::read(Language::English, include_str!("english.txt")),
        Lexicon::read(Language::German, include_str!("german.txt")),
        Lexicon::read(Language::Spanish, include_str!("spanish.txt")),
    ]
});

pub(super) static TOOLS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| lines(include_str!("tools.txt")).flat_map(str::split_whitespace).collect());

/// The lines of a list without comments.
pub(super) fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The lines below a heading.
pub(super) fn section(list: &'static str, name: &str) -> impl Iterator<Item = &'static str> + use<> {
    let heading = format!("[{name}]");
    lines(list).skip_while(move |line| *line != heading).skip(1).take_while(|line| !line.starts_with('['))
}

impl Lexicon {
    fn read(language: Language, list: &'static str) -> Self {
        let words = |name: &str| section(list, name).flat_map(str::split_whitespace);
        let mut entries = HashMap::new();
        let mut add = |form: String, entry: Entry| {
            entries.entry(form).or_insert(entry);
        };
        // What may be a name comes first: no other reading makes it safe.
        for word in words("ambiguous") {
            for form in inflection::noun_forms(language, word) {
                let strength = Strength::Strong;
                add(form, Entry { word: word.to_owned(), class: Class::Ambiguous, strength, rank: 0 });
            }
        }
        for (name, strength) in [("verbs", Strength::Strong), ("light", Strength::Weak)] {
            for (word, forms) in words(name).map(base_and_forms) {
                let entry = Entry { word: word.to_owned(), class: Class::Verb, strength, rank: 0 };
                for form in inflection::verb_forms(language, word).into_iter().chain(forms) {
                    add(form, entry.clone());
                }
            }
        }
        for (word, forms) in words("nouns").map(base_and_forms) {
            for form in inflection::noun_forms(language, word).into_iter().chain(forms) {
                // A plural stays as it was said, in English: `notes` and `sales` are words of their own.
                let said = if language == Language::English { form.clone() } else { word.to_owned() };
                add(form, Entry { word: said, class: Class::Noun, strength: Strength::Strong, rank: 0 });
            }
        }
        let phrases = section(list, "phrases").filter_map(|line| {
            let (said, meant) = line.split_once(" = ")?;
            Some((said.split(' ').collect(), meant))
        });
        Self {
            language,
            entries,
            stop: words("stop").collect(),
            determiners: words("determiners").collect(),
            titles: words("titles").collect(),
            naming: words("naming").collect(),
            phrases: phrases.collect(),
        }
    }

    /// The word that a form (in lower case) stands for.
    pub(super) fn find(&self, form: &str) -> Option<Entry> {
        if self.stop.contains(form) {
            return None;
        }
        let found = inflection::candidates(self.language, form)
            .iter()
            .find_map(|candidate| self.entries.get(candidate).cloned());
        found.or_else(|| if self.language == Language::German { self.compound(form) } else { None })
    }

    /// A compound counts as its last part: the rest may be a name (`Müllerbericht`), the part is in the list.
    fn compound(&self, form: &str) -> Option<Entry> {
        const SHORTEST_PART: usize = 5;
        let starts = form.char_indices().map(|(at, _)| at).skip(3);
        starts
            .filter(|at| form[*at..].chars().count() >= SHORTEST_PART)
            .find_map(|at| self.entries.get(&form[at..]).filter(|entry| entry.class == Class::Noun).cloned())
    }
}

/// `word:form,form` in a list.
fn base_and_forms(item: &'static str) -> (&'static str, Vec<String>) {
    let (word, forms) = item.split_once(':').unwrap_or((item, ""));
    (word, forms.split(',').filter(|form| !form.is_empty()).map(str::to_owned).collect())
}
