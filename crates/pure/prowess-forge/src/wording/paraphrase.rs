//! Other ways to ask for the same, made by rules from what a person said. They measure a skill and are never part of it.

use super::concepts::{self, Tongue};
use super::describe::alternatives;
use super::{Wording, tokens};

/// Another way to ask for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paraphrase {
    /// The way.
    pub kind: ParaphraseKind,
    /// The message.
    pub text: String,
}

/// A way to ask for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ParaphraseKind {
    /// With a please.
    Polite,
    /// As a question.
    Question,
    /// As a wish.
    Wish,
    /// With other numbers.
    OtherValues,
    /// With another verb.
    OtherVerb,
    /// In general words.
    General,
    /// In a few words.
    Terse,
}

impl ParaphraseKind {
    /// Its words for people.
    pub fn told(self) -> &'static str {
        match self {
            Self::Polite => "with a please",
            Self::Question => "as a question",
            Self::Wish => "as a wish",
            Self::OtherValues => "with other numbers",
            Self::OtherVerb => "with another verb",
            Self::General => "in general words",
            Self::Terse => "in a few words",
        }
    }
}

/// A longer task is not asked in other ways: it would be the same message with a word more.
const LONGEST: usize = 400;

/// Other ways to ask for a task.
///
/// ```
/// let task = "Set an alarm for 7am";
/// let all = prowess_forge::paraphrases(task, prowess_forge::wording(task).as_ref());
/// assert!(all.iter().any(|one| one.text == "Could you set an alarm for 7am?"));
/// assert!(all.iter().any(|one| one.text == "put on an alarm for 7am"));
/// assert!(all.iter().any(|one| one.text == "Set an alarm for 8am"));
/// ```
pub fn paraphrases(task: &str, wording: Option<&Wording>) -> Vec<Paraphrase> {
    let task = task.trim();
    let mut found: Vec<Paraphrase> = Vec::new();
    if task.is_empty() || task.chars().count() > LONGEST {
        return found;
    }
    let mut add = |kind, text: String| {
        if text != task && !found.iter().any(|known: &Paraphrase| known.text == text) {
            found.push(Paraphrase { kind, text });
        }
    };
    let tongue = concepts::find(task, &tokens::tokens(task)).map(|native| native.tongue);
    let tongue = tongue.filter(|_| wording.is_none_or(|wording| wording.native.is_some()));
    let bare = task.trim_end_matches(['.', '!', '?', '。', '！', '？', '؟', '।']).trim();
    let [polite, question, wish] = frames(tongue);
    let is_english = tongue.is_none();
    let lowered = if is_english { lowered(bare) } else { bare.to_owned() };
    let is_request = !is_english || wording.is_some_and(|wording| wording.is_action);
    if is_request && (!is_english || bare.is_ascii()) {
        add(ParaphraseKind::Polite, polite.replace("{}", &lowered));
        add(ParaphraseKind::Question, question.replace("{}", &lowered));
        add(ParaphraseKind::Wish, wish.replace("{}", &lowered));
    }
    add(ParaphraseKind::OtherValues, other_numbers(task));
    if is_english && let Some(last) = alternatives(&lowered).pop() {
        add(ParaphraseKind::OtherVerb, last);
    }
    if let Some(wording) = wording {
        match &wording.native {
            Some(native) if native.chars().count() > 2 => add(ParaphraseKind::Terse, native.clone()),
            Some(_) => {}
            None => {
                if !wording.core.is_empty() {
                    add(ParaphraseKind::General, wording.core.clone());
                }
                if wording.words.len() > 2 {
                    add(ParaphraseKind::Terse, wording.words.join(" "));
                }
            }
        }
    }
    found
}

/// The first letter small, unless the first word is an abbreviation or a lone letter.
fn lowered(text: &str) -> String {
    let second = text.chars().nth(1);
    if second.is_none_or(|letter| letter.is_uppercase() || letter == ' ' || letter == '\'') {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// The same with every digit one higher; nothing that begins with a digit begins with none.
fn other_numbers(task: &str) -> String {
    let higher = |letter: char| match letter {
        '0'..='8' => char::from_u32(letter as u32 + 1).unwrap_or(letter),
        '9' => '8',
        other => other,
    };
    task.chars().map(higher).collect()
}

/// Frames around a request: a please, a question, a wish.
fn frames(tongue: Option<Tongue>) -> [&'static str; 3] {
    match tongue {
        None => ["Please {}", "Could you {}?", "I need you to {}"],
        Some(Tongue::German) => {
            ["Bitte: {}", "Kannst du das für mich machen: {}?", "Ich brauche Folgendes: {}"]
        }
        Some(Tongue::Spanish) => ["Por favor, {}", "¿Puedes hacer esto? {}", "Necesito lo siguiente: {}"],
        Some(Tongue::French) => {
            ["S'il te plaît, {}", "Peux-tu faire ceci : {} ?", "J'ai besoin de ceci : {}"]
        }
        Some(Tongue::Italian) => ["Per favore, {}", "Puoi farlo tu? {}", "Ho bisogno di questo: {}"],
        Some(Tongue::Portuguese) => ["Por favor, {}", "Você pode fazer isto? {}", "Preciso do seguinte: {}"],
        Some(Tongue::Dutch) => ["Alsjeblieft, {}", "Kun je dit doen: {}?", "Ik heb dit nodig: {}"],
        Some(Tongue::Polish) => ["Proszę, {}", "Czy możesz to zrobić: {}?", "Potrzebuję tego: {}"],
        Some(Tongue::Turkish) => ["Lütfen {}", "Şunu yapabilir misin: {}?", "Şunu istiyorum: {}"],
        Some(Tongue::Russian) => ["Пожалуйста, {}", "Можешь это сделать: {}?", "Мне нужно вот что: {}"],
        Some(Tongue::Arabic) => ["من فضلك {}", "هل يمكنك أن تفعل هذا: {}؟", "أحتاج إلى هذا: {}"],
        Some(Tongue::Hindi) => ["कृपया {}", "क्या आप यह कर सकते हैं: {}?", "मुझे यह चाहिए: {}"],
        Some(Tongue::Chinese) => ["请{}", "你能{}吗？", "我想让你{}"],
        Some(Tongue::Japanese) => ["お願いします、{}", "{}、できますか？", "今すぐ{}"],
        Some(Tongue::Korean) => ["부탁해요, {}", "{} 할 수 있어요?", "지금 {}"],
    }
}
