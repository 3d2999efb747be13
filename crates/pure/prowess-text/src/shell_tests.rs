use proptest::prelude::*;

use super::*;

/// The arguments of a command line after the program, by the documented rules of `CommandLineToArgvW`.
fn windows_arguments(line: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut rest = line.trim_start_matches([' ', '\t']).chars().peekable();
    while rest.peek().is_some() {
        let mut argument = String::new();
        let mut is_quoted = false;
        while let Some(next) = rest.next_if(|next| is_quoted || !matches!(next, ' ' | '\t')) {
            if next == '\\' {
                let mut backslashes = 1;
                while rest.next_if_eq(&'\\').is_some() {
                    backslashes += 1;
                }
                if rest.peek() == Some(&'"') {
                    argument.extend(std::iter::repeat_n('\\', backslashes / 2));
                    if backslashes % 2 == 1 {
                        rest.next();
                        argument.push('"');
                    }
                } else {
                    argument.extend(std::iter::repeat_n('\\', backslashes));
                }
            } else if next == '"' {
                if is_quoted && rest.next_if_eq(&'"').is_some() {
                    argument.push('"');
                } else {
                    is_quoted = !is_quoted;
                }
            } else {
                argument.push(next);
            }
        }
        arguments.push(argument);
        while rest.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
    }
    arguments
}

/// The words of a line of plain words and single quotes, as a POSIX shell splits it.
fn posix_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(next) = rest.next() {
        match next {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(rest.by_ref().take_while(|next| *next != '\''));
            }
            '\\' => word.get_or_insert_default().extend(rest.next()),
            other => {
                assert!(
                    !"$`\"*?[]{}()<>|&;#~!\t\n=".contains(other),
                    "`{other}` outside of quotes in {line}"
                );
                word.get_or_insert_default().push(other);
            }
        }
    }
    words.extend(word);
    words
}

#[test]
fn words_stay_words() {
    for (text, word) in [
        ("", "''"),
        ("plain/1.0:a,b@c%d+e", "plain/1.0:a,b@c%d+e"),
        ("a b", "'a b'"),
        ("~/a", "'~/a'"),
        ("A=b", "'A=b'"),
        ("it's; rm -rf $HOME", r"'it'\''s; rm -rf $HOME'"),
        ("a\0b", "'ab'"),
    ] {
        assert_eq!(posix_word(text), word);
    }
}

#[test]
fn windows_arguments_follow_the_rules_of_the_system() {
    for (text, argument) in [
        ("", r#""""#),
        (r"C:\tools\prowess.exe", r"C:\tools\prowess.exe"),
        (r"C:\Program Files\prowess.exe", r#""C:\Program Files\prowess.exe""#),
        (r"ends with \", r#""ends with \\""#),
        (r#"say "hi""#, r#""say \"hi\"""#),
        (r#"a\"b"#, r#""a\\\"b""#),
        (r"\\server\a b", r#""\\server\a b""#),
    ] {
        assert_eq!(windows_argument(text), argument);
    }
}

proptest! {
    #[test]
    fn every_text_is_one_argument_on_windows(texts in prop::collection::vec("[ab \\\\\"\t'%ä]{0,12}", 1..5)) {
        let line: Vec<String> = texts.iter().map(|text| windows_argument(text)).collect();
        prop_assert_eq!(windows_arguments(&line.join(" ")), texts);
    }

    #[test]
    fn every_text_is_one_word_in_a_shell(texts in prop::collection::vec("[^\0]{0,12}", 1..5)) {
        let line: Vec<String> = texts.iter().map(|text| posix_word(text)).collect();
        prop_assert_eq!(posix_words(&line.join(" ")), texts);
    }
}
