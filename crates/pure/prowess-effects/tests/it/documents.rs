//! Code in documents, and sentences that tell to act.

use prowess_effects::{CodeLanguage, EffectReader, code_effects, document_effects};

fn tags(text: &str) -> String {
    document_effects(text, ["todoist"]).iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn code_is_found_wherever_it_is() {
    for (text, expected) in [
        ("```bash\nrm -rf a\n```\n", "delete:a shell:rm"),
        ("~~~sh\nrm a\n~~~\n", "delete:a shell:rm"),
        ("- step:\n\n  ```sh\n  rm a\n  ```\n", "delete:a shell:rm"),
        ("Text:\n\n    rm -rf a\n", "delete:a shell:rm"),
        ("```\nrm -rf a\n```\n", "delete:a shell:rm"),
        ("```console\n$ git status\nrm a\n$ ls\n```\n", "read:git read:ls"),
        ("```\n$ rm a\nremoved a\n```\n", "delete:a shell:rm"),
        ("Use `rm -rf build` first.\n", "delete:build shell:rm"),
        ("Use `todoist list`.\n", "read:todoist"),
        ("| a | b |\n|---|---|\n| x | `rm -rf y` |\n", "delete:y shell:rm"),
        ("```python\nimport os\nos.remove('a')\n```\n", "delete:a"),
        ("```js\nfs.unlinkSync('a')\n```\n", "delete:a"),
        ("```powershell\nRemove-Item a\n```\n", "delete:a"),
        ("```rust\nfn main() {}\n```\n", "shell:unknown"),
        ("```json\n{\"a\": 1}\n```\n", ""),
        (
            "```http\nPOST https://api.example.org/x\n```\n",
            "network:api.example.org write:https://api.example.org",
        ),
        ("```sql\nselect 1\n```\n", ""),
        ("```sql\ndelete from t\n```\n", "write:database"),
        ("---\nname: x\ndescription: y\n---\nUse `todoist list`.\n", "read:todoist"),
        ("The tree:\n\n```\nsrc/\n  main.rs\n```\n", ""),
        ("The word `list` and the file `a.txt`.\n", ""),
        ("Say what the weather is like, in the user's words.\n", ""),
        ("Then delete the old entries.\n", "shell:unknown"),
        ("Send an email to the team with the result.\n", "shell:unknown"),
        ("Run the script and report.\n", "shell:unknown"),
        ("Run `todoist list` and read the result out.\n", "read:todoist"),
        ("Run `todoist list`, then delete the done ones.\n", "read:todoist shell:unknown"),
    ] {
        assert_eq!(tags(text), expected, "{text}");
    }
}

#[test]
fn a_script_is_read_by_its_name_and_first_line() {
    let reader = EffectReader::default();
    let tags = |path: &str, text: &str| {
        reader.file(path, text).map(|tags| tags.iter().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(tags("scripts/a.sh", "rm x").as_deref(), Some("delete:x shell:rm"));
    assert_eq!(tags("scripts/a", "#!/usr/bin/env bash\nrm x").as_deref(), Some("delete:x shell:rm"));
    assert_eq!(
        tags("scripts/a", "#!/usr/bin/env -S uv run\nimport os\nos.remove('x')").as_deref(),
        Some("delete:x")
    );
    assert_eq!(tags("scripts/a.rb", "puts 1").as_deref(), Some("shell:unknown"));
    assert_eq!(tags("Makefile", "all:").as_deref(), Some("shell:unknown"));
    assert_eq!(tags("a.json", "{}"), None);
    assert_eq!(tags("a.md", "x"), None);
}

#[test]
fn what_no_parser_reads_is_unknown() {
    for (code, language) in [
        ("if then fi (", CodeLanguage::Shell),
        ("def f(:", CodeLanguage::Python),
        ("function (", CodeLanguage::JavaScript),
        ("anything", CodeLanguage::Unread),
    ] {
        assert!(code_effects(code, language).contains("shell:unknown"), "{code}");
    }
}
