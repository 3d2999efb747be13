//! Generated scripts: whatever is built around a harmful command, it is found; around a reading one, nothing blocks.

use proptest::prelude::*;
use proptest::sample::select;
use prowess_effects::{CodeLanguage, EffectReader, document_effects, read_shell};

/// Commands that write, delete, send or run what is not known.
const HARMFUL: &[&str] = &[
    "rm -rf data",
    "rm \"$1\"",
    "rmdir d",
    "unlink f",
    "shred -u f",
    "mv a b",
    "cp a b",
    "install a b",
    "ln -s a b",
    "dd if=a of=b",
    "truncate -s 0 f",
    "touch f",
    "mkdir -p d",
    "chmod +x f",
    "echo x > out.txt",
    "echo x >> out.txt",
    "echo x | tee out.txt",
    "cat a > b",
    "sed -i s/a/b/ f",
    "perl -i -pe s/a/b/ f",
    "git push",
    "git commit -m x",
    "git reset --hard",
    "git clean -fd",
    "git checkout main",
    "curl -X POST https://api.example.org/x",
    "curl -d a=b https://api.example.org",
    "curl -o f https://example.org/f",
    "curl -F a=@b https://example.org",
    "wget https://example.org/f",
    "rsync -a a b",
    "scp a host:b",
    "ssh host ls",
    "npm install x",
    "pip install x",
    "apt-get remove x",
    "brew uninstall x",
    "cargo install x",
    "kill -9 1",
    "systemctl stop x",
    "crontab -r",
    "docker run x",
    "kubectl delete pod x",
    "gh issue create",
    "todoist add x",
    "todoist delete 1",
    "todoist frobnicate",
    "frobnicate",
    "./run.sh",
    "bash x.sh",
    "python3 x.py",
    "$CMD x",
    "eval \"$x\"",
    "find . -delete",
    "find . -name x -exec rm {} \\;",
    "xargs rm",
    "sudo ls",
    "osascript -e x",
    "make",
    "tar xf a.tar",
    "unzip a.zip",
];
/// Commands that only read.
const READING: &[&str] = &[
    "ls -la",
    "cat notes.md",
    "grep -n x notes.md",
    "head -5 a",
    "tail a",
    "wc -l a",
    "git status",
    "git log --oneline",
    "git diff",
    "git show HEAD",
    "curl -s https://api.example.org/x",
    "wget -qO- https://example.org",
    "jq .a f.json",
    "todoist list",
    "todoist list --json",
    "todoist show 1",
    "todoist search \"a b\"",
    "sed -n 1,5p f",
    "awk '{print $1}' f",
    "sort f",
    "find . -name x",
    "date",
    "pwd",
    "gh pr list",
    "docker ps",
    "kubectl get pods -o json",
    "npm ls",
    "pip list",
    "brew list",
    "crontab -l",
    "systemctl status x",
    "ps aux",
    "du -sh .",
    "stat f",
    "echo hi",
    "tar tf a.tar",
    "unzip -l a.zip",
    "rg x",
    "which jq",
];

/// Builds around a command; the command stays in it.
const SHAPES: &[&str] = &[
    "@",
    "true && @",
    "false || @",
    "echo a; @",
    "@; echo b",
    "if true; then @; fi",
    "if @; then echo a; fi",
    "if false; then echo a; else @; fi",
    "for f in a b; do @; done",
    "while true; do @; break; done",
    "until false; do @; done",
    "case x in a) @;; *) echo b;; esac",
    "( @ )",
    "{ @; }",
    "echo \"$(@)\"",
    "A=$(@)",
    "echo `@`",
    "@ | cat",
    "echo a | ( @ )",
    "f() { @; }; f",
    "function g { @; }; g",
    "@ &",
    "! @",
    "time @",
    "cat <(@)",
    "[ -n \"$(@)\" ]",
    "[[ -f a ]] && @",
    "cd x && @",
    "set -e\n@",
    "# comment\n@",
    "@ 2>/dev/null",
    "export A=$(@)",
    "cat <<EOF\n$(@)\nEOF",
    "if true; then\n  for f in *; do\n    @\n  done\nfi",
    "select x in a; do @; done",
    "for ((i=0;i<3;i++)); do @; done",
];

/// Puts a command into shapes, the first one innermost. The grammar knows `!` and `time` only in front of simple commands, and
/// backquotes do not nest as written.
fn build(command: &str, shapes: &[&str]) -> String {
    let mut code = command.to_owned();
    for shape in shapes {
        let is_awkward = (shape.contains('`') || shape.contains("<<EOF")) && code.contains(['`', '\n']);
        let ends_open = code.contains("<<EOF") && !shape.ends_with('\n');
        let joins_job =
            code.ends_with('&') && (shape.contains("@;") || shape.contains("@ ") || shape.contains("@)"));
        // `$((` begins arithmetic.
        let is_arithmetic = code.starts_with('(') && shape.contains("(@");
        if !is_awkward
            && !is_arithmetic
            && !ends_open
            && !joins_job
            && !((shape.contains("! @") || shape.contains("time @")) && code != command)
        {
            code = shape.replace('@', &code);
        }
    }
    code
}

fn shapes() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(select(SHAPES), 0..6)
}

#[test]
fn a_reading_command_in_one_shape_never_blocks() {
    for command in READING {
        for shape in SHAPES {
            let code = shape.replace('@', command);
            let tags = EffectReader::new(["todoist"]).code(&code, CodeLanguage::Shell);
            assert!(!tags.blocks(), "{code}: {tags:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn a_harmful_command_always_blocks(command in select(HARMFUL), shapes in shapes()) {
        let code = build(command, &shapes);
        let tags = EffectReader::new(["todoist"]).code(&code, CodeLanguage::Shell);
        prop_assert!(tags.blocks(), "{code}: {tags:?}");
        let document = format!("# A\n\n```sh\n{code}\n```\n");
        prop_assert!(document_effects(&document, ["todoist"]).blocks(), "{document}");
    }

    #[test]
    fn a_reading_command_never_blocks(command in select(READING), shapes in shapes()) {
        let code = build(command, &shapes);
        let tags = EffectReader::new(["todoist"]).code(&code, CodeLanguage::Shell);
        // A mixture that the grammar does not read is unknown, and blocks: that is safe, and rare.
        prop_assert!(!tags.blocks() || read_shell(&code).is_partial, "{code}: {tags:?}");
    }

    #[test]
    fn a_harmful_command_blocks_inside_another_script(command in select(HARMFUL), shapes in shapes()) {
        let code = build(command, &shapes);
        let quoted = format!("'{}'", code.replace('\'', "'\\''"));
        for wrapped in [
            format!("bash -c {quoted}"),
            format!("eval {quoted}"),
            format!("ssh host {quoted}"),
            format!("trap {quoted} EXIT"),
            format!("bash <<'XEOF'\n{code}\nXEOF"),
            format!("import os\nos.system({})", serde_json::to_string(&code).unwrap()),
        ] {
            let language = if wrapped.starts_with("import") { CodeLanguage::Python } else { CodeLanguage::Shell };
            prop_assert!(EffectReader::new(["todoist"]).code(&wrapped, language).blocks(), "{wrapped}");
        }
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,300}", shape in select(SHAPES)) {
        for language in [CodeLanguage::Shell, CodeLanguage::Console, CodeLanguage::Python, CodeLanguage::JavaScript,
            CodeLanguage::PowerShell, CodeLanguage::Unlabelled, CodeLanguage::Sql, CodeLanguage::Http] {
            let code = shape.replace('@', &text);
            let once = EffectReader::default().code(&code, language);
            prop_assert_eq!(&once, &EffectReader::default().code(&code, language));
            prop_assert!(once.iter().all(|tag| tag.split_once(':').is_some_and(|(_, target)| !target.is_empty())));
        }
        let _ = document_effects(&text, ["a"]);
    }
}
