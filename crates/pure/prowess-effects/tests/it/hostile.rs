//! Input made to cost time, memory or stack: it ends, and what is not read is unknown.

use prowess_effects::{CodeLanguage, code_effects, document_effects, read_shell};

const LANGUAGES: [CodeLanguage; 6] = [
    CodeLanguage::Shell,
    CodeLanguage::Console,
    CodeLanguage::Python,
    CodeLanguage::JavaScript,
    CodeLanguage::PowerShell,
    CodeLanguage::Unlabelled,
];

#[test]
fn nesting_of_any_depth_ends() {
    for opening in [
        "(",
        "{ ",
        "$(",
        "`",
        "\"$(",
        "[",
        "if a; then ",
        "while a; do ",
        "case x in a) ",
        "<(",
        "${a:-",
        "((",
        "!",
        "-",
        "a.",
        "a && ",
        "a | ",
        "f(",
        "x=>",
        "not ",
        "lambda: ",
        "[[ ( ",
        "<div>",
        "`${",
        "bash -c '",
        "eval ",
    ] {
        for count in [50, 4000] {
            let code = opening.repeat(count);
            for language in LANGUAGES {
                let tags = code_effects(&code, language);
                assert!(tags.len() <= 513, "{opening}");
            }
        }
    }
}

#[test]
fn closed_nesting_keeps_the_command_inside() {
    let depth = 300;
    let code = format!("{}rm x{}", "( ".repeat(depth), " )".repeat(depth));
    assert!(code_effects(&code, CodeLanguage::Shell).blocks());
    let code = format!("{}rm x{}", "$(".repeat(depth), ")".repeat(depth));
    assert!(code_effects(&code, CodeLanguage::Shell).blocks());
}

#[test]
fn what_is_too_large_is_unknown() {
    let long = format!("ls {}", "a".repeat(1 << 20));
    assert!(code_effects(&long, CodeLanguage::Shell).contains("shell:unknown"));
    let many = (0..2000).map(|number| format!("rm f{number}")).collect::<Vec<_>>().join("\n");
    let tags = code_effects(&many, CodeLanguage::Shell);
    assert!(tags.contains("shell:unknown") && tags.len() <= 513);
    let document = "x ".repeat(3 << 20);
    assert!(document_effects(&document, [""; 0]).contains("shell:unknown"));
}

#[test]
fn scripts_inside_scripts_end() {
    let mut code = "rm x".to_owned();
    for _ in 0..7 {
        code = format!("bash -c {}", quote(&code));
    }
    assert!(code_effects(&code, CodeLanguage::Shell).blocks());
    let bomb = "eval \"eval 'eval x'\";".repeat(2000);
    assert!(read_shell(&bomb).calls.len() <= 40_000);
    let doubling = "a=x; b=$a$a; c=$b$b; d=$c$c; e=$d$d; f=$e$e; rm $f";
    assert!(code_effects(doubling, CodeLanguage::Shell).blocks());
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
