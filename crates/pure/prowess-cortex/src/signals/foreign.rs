//! Languages of which few words are known: what looks like a name, a number or an address is left out.

use super::chinese;
use super::gist::{is_first_name, with_telling_capitals};
use super::lexicon::{Language, TOOLS};
use super::words::{Token, barred, entries, file_noun, is_determiner, language, quoted, tokens};

/// Words after which a name follows when no article does.
const BEFORE_NAMES: &str = "für von mit bei nach zu aus an in über und vom zum im am de da do del di para con com a y e \
                            per pour avec chez à et en sur от для с со к у в и на по из";
/// Titles after a person's name in Japanese and Chinese.
const HONORIFICS: [&str; 18] = [
    "さん",
    "さま",
    "様",
    "くん",
    "君",
    "ちゃん",
    "氏",
    "先生",
    "部長",
    "課長",
    "社長",
    "先輩",
    "女士",
    "小姐",
    "经理",
    "老师",
    "总监",
    "同学",
];
/// Chinese family names that are hardly ever the first sign of another word.
const FAMILY_NAMES: &str =
    "王李张刘陈杨赵吴徐孙朱胡郭林罗郑梁谢宋唐许韩冯邓曹彭曾肖董袁潘蔡蒋沈韦吕苏魏丁薛叶阎姚卢姜崔钟谭陆汪范";
/// Signs after which a Chinese name has ended.
const AFTER_NAMES: &str = "的和与在说来发送要有去把给，。、！？ ";
/// Months and days of the week that are written without a capital or in a language that writes all nouns with one.
const DATES: &str = "januar februar märz april mai juni juli august september oktober november dezember montag dienstag \
                     mittwoch donnerstag freitag samstag sonntag janvier février mars avril juin juillet août septembre \
                     octobre décembre lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo \
                     junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes \
                     sábado domingo gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì \
                     martedì mercoledì giovedì venerdì sabato domenica janeiro fevereiro março maio junho julho setembro \
                     outubro dezembro января февраля марта апреля мая июня июля августа сентября октября ноября декабря \
                     понедельник вторник среду четверг пятницу субботу воскресенье ocak şubat mart nisan mayıs haziran \
                     temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma cumartesi pazar";
/// The longest name before an honorific, in characters.
const LONGEST_NAME: usize = 5;
/// Endings of persons in Korean.
const PERSONS: [&str; 7] = ["님", "씨", "에게", "한테", "께", "님의", "씨의"];

pub(super) fn gist(text: &str) -> String {
    let text = with_telling_capitals(text);
    let kept = if text.contains(is_spaceless) { without_spaces(&text) } else { with_spaces(&text) };
    kept.trim().to_owned()
}

/// A sign of a script that sets no spaces between words.
fn is_spaceless(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{0e00}'..='\u{0e7f}')
}

fn with_spaces(text: &str) -> String {
    let tokens = tokens(text);
    let lexicon = language(&tokens);
    let barred = barred(&tokens, lexicon);
    // Letters alone may be those of another language.
    let is_german = lexicon.language == Language::German
        && tokens.iter().any(|token| lexicon.stop.contains(token.lower.as_str()));
    let is_known = |token: &Token| {
        !entries(token, lexicon, false).is_empty() || lexicon.stop.contains(token.lower.as_str())
    };
    let mut kept: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = token.lower.as_str();
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let next = tokens.get(at + 1);
        if TOOLS.contains(word) && !token.is_quoted {
            kept.push(word.to_owned());
            continue;
        }
        let plain = elided(word);
        let is_word = plain.split('-').all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic));
        if !is_word || token.is_quoted {
            if !token.is_quoted {
                kept.extend(file_noun(&token.text, lexicon.language).map(ToOwned::to_owned));
            }
            continue;
        }
        let is_person = PERSONS.iter().any(|ending| word.ends_with(ending));
        if barred[at] || is_date(plain) || is_first_name(plain) || is_person || plain.chars().count() < 2 {
            continue;
        }
        let is_capital =
            plain.len() < word.len() && token.text.chars().any(char::is_uppercase) || token.is_capital;
        let is_kept = if !is_capital {
            true
        } else if token.is_initial {
            // A name goes on with another one.
            !next.is_some_and(|next| next.is_capital && !is_german && !is_known(token))
        } else if is_german {
            let follows_preposition =
                before.is_some_and(|before| BEFORE_NAMES.split_whitespace().any(|word| word == before.lower));
            let is_row = [before, next]
                .into_iter()
                .flatten()
                .any(|other| other.is_capital && !other.is_initial && !is_known(other));
            let is_thing = before.is_some_and(|before| is_determiner(before, lexicon));
            is_known(token) || (!is_row && (is_thing || !follows_preposition))
        } else {
            false
        };
        if is_kept {
            kept.push(plain.to_owned());
        }
    }
    kept.join(" ")
}

fn is_date(word: &str) -> bool {
    DATES.split_whitespace().any(|date| date == word)
}

/// A word without the article that is elided before it (`l'email`, `dell'ordine`).
fn elided(word: &str) -> &str {
    word.split_once(['\'', '’'])
        .filter(|(before, rest)| before.chars().count() <= 5 && rest.chars().count() > 1)
        .map_or(word, |(_, rest)| rest)
}

fn without_spaces(text: &str) -> String {
    let quotes = quoted(text);
    let mut kept = String::new();
    let mut run = String::new();
    let mut latin = String::new();
    let flush = |run: &mut String, kept: &mut String| {
        kept.push_str(&without_names(run));
        run.clear();
    };
    let word = |latin: &mut String, kept: &mut String| {
        let lower = latin.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        if TOOLS.contains(lower.as_str()) {
            kept.push_str(&format!(" {lower} "));
        } else if let Some(noun) = file_noun(&lower, Language::English) {
            kept.push_str(&format!(" {noun} "));
        }
        latin.clear();
    };
    for (at, letter) in text.char_indices() {
        let is_quoted = quotes.iter().any(|quote| quote.contains(&at));
        if !is_quoted && is_spaceless(letter) && letter != '・' {
            word(&mut latin, &mut kept);
            run.push(letter);
            continue;
        }
        flush(&mut run, &mut kept);
        if is_quoted
            || letter.is_whitespace()
            || matches!(letter, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
        {
            word(&mut latin, &mut kept);
            if matches!(letter, '，' | '。' | '、' | '！' | '？') {
                kept.push(letter);
            }
        } else {
            latin.push(letter);
        }
    }
    flush(&mut run, &mut kept);
    word(&mut latin, &mut kept);
    kept
}

/// A stretch of Chinese or Japanese without the names of persons and firms.
fn without_names(run: &str) -> String {
    let signs: Vec<char> = run.chars().collect();
    let mut is_name = vec![false; signs.len()];
    let starts_with =
        |at: usize, what: &str| what.chars().enumerate().all(|(n, sign)| signs.get(at + n) == Some(&sign));
    for at in 0..signs.len() {
        if HONORIFICS.iter().any(|title| starts_with(at, title)) {
            let is_end = |sign: &char| matches!(sign, 'ぁ'..='ん') || AFTER_NAMES.contains(*sign);
            let name = signs[..at].iter().rev().take(LONGEST_NAME).take_while(|sign| !is_end(sign)).count();
            is_name[at - name..at].fill(true);
        }
        if FAMILY_NAMES.contains(signs[at]) && !is_name[at] {
            // One or two signs of a given name, unless a known word begins there.
            let known_at = |at: usize| {
                let rest: String = signs[at..].iter().take(LONGEST_NAME).collect();
                chinese::words_of(&rest).first().is_some_and(|(place, ..)| *place == 0)
            };
            let more = (1..=2).take_while(|n| {
                let is_sign = signs.get(at + n).is_some_and(|sign| !AFTER_NAMES.contains(*sign));
                is_sign && !known_at(at + n)
            });
            let length = 1 + more.count();
            if length > 1 && !known_at(at) {
                is_name[at..at + length].fill(true);
            }
        }
    }
    let mut bytes: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    bytes.push(run.len());
    for firm in chinese::organisations(run) {
        for (at, marked) in is_name.iter_mut().enumerate() {
            *marked |= firm.contains(&bytes[at]);
        }
    }
    signs.iter().zip(is_name).filter(|(_, is_name)| !is_name).map(|(sign, _)| *sign).collect()
}
