use proptest::prelude::*;

use super::prose::words;
use super::*;

const SENTENCES: &str = include_str!("../tests/fixtures/languages.tsv");

#[test]
fn tells_english_from_everything_else() {
    for line in SENTENCES.lines() {
        let (language, sentence) = line.split_once('\t').expect("a language, a tab, a sentence");
        let found = detect(sentence);
        assert_eq!(found.is_english, language == "en", "{sentence}: {found:?}");
    }
}

#[test]
fn names_the_language_of_nearly_all() {
    let sentences: Vec<_> = SENTENCES.lines().filter_map(|line| line.split_once('\t')).collect();
    let wrong: Vec<_> =
        sentences.iter().filter(|(language, text)| detect(text).language != *language).collect();
    // Neighbours: Danish and Norwegian, Spanish and Portuguese, Russian and Ukrainian.
    assert!(wrong.len() * 100 <= sentences.len() * 5, "{wrong:?}");
}

#[test]
fn certainty_grows_with_what_is_known() {
    let nothing = detect("kubectl");
    assert!(nothing.is_english && nothing.certainty < 0.6, "{nothing:?}");
    let (one, many) =
        (detect("hola").certainty, detect("¿Puedes mostrarme todos los archivos que hay aquí?").certainty);
    assert!(one > 0.6 && many > one, "{one} {many}");
    assert!(detect("please show me all the files that are in here").certainty > 0.95);
}

#[test]
fn code_and_quotations_are_not_the_message() {
    let prose = |text: &str| words(text).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    assert_eq!(prose("run `le la les` in ~/das/ist --und https://der.de/die fooBar FOO v2"), "run in");
    assert_eq!(prose("L'état, c'est moi!"), "l'état c'est moi");
    assert!(detect("what is the meaning of \"ich habe das nicht gewusst\"").is_english);
    assert_eq!(detect("\"ich habe das nicht gewusst\"").language, "de");
}

#[test]
fn capitals_and_decomposed_accents_are_read() {
    assert_eq!(detect("HOLA COMO ESTAS").language, "es");
    assert_eq!(detect("Scho\u{308}n, dass du da bist, danke fu\u{308}r alles").language, "de");
}

#[test]
fn neighbouring_scripts_are_told_apart() {
    for (text, language) in [
        ("Де знаходиться цей файл і як його відкрити?", "uk"),
        ("где мой файл", "ru"),
        ("این فایل چیست", "fa"),
        ("یہ فائل کہاں ہے", "ur"),
        ("東京の天気", "ja"),
        ("东京天气", "zh"),
        ("α and β are angles", "en"),
    ] {
        assert_eq!(detect(text).language, language, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_has_a_language(text in ".*") {
        let found = detect(&text);
        prop_assert_eq!(found.is_english, found.language == "en");
        prop_assert!((0.5..=1.0).contains(&found.certainty));
        prop_assert_eq!(detect(&text), found);
    }
}
