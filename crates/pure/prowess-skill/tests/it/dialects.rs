//! Where the dialects agree, where they differ, and which level a skill reaches.

use prowess_skill::{ParseOptions, SkillInput, decode, lint, parse};
use prowess_types::{Dialect, Skill, SpecLevel, SpecMode};

fn read(text: &str, dialect: Dialect) -> Skill {
    let spec_mode = if dialect == Dialect::Openclaw { SpecMode::SkillMdOnly } else { SpecMode::Mixed };
    parse(&SkillInput::folder(text.as_bytes(), "skill"), &ParseOptions { dialect, spec_mode })
}

fn with(fields: &str) -> String {
    format!("---\nname: skill\ndescription: What it does. Use when asked.\n{fields}---\nBody.\n")
}

fn rules(skill: &Skill) -> Vec<&str> {
    skill.diagnostics.iter().map(|diagnostic| diagnostic.rule.as_ref()).collect()
}

#[test]
fn unquoted_descriptions_are_repaired_and_reported() {
    for raw in [
        "a: b",
        "@x",
        "`x`",
        "%x",
        "*x",
        "[x] y",
        "{x} y",
        "- x",
        "? x",
        "\"q\" rest",
        "\"unclosed",
        "> x",
        "|x",
        "[a",
        "{a",
    ] {
        let text = format!("---\nname: skill\ndescription: {raw}\nhomepage: h\n---\n");
        let skill = read(&text, Dialect::Prowess);
        let expected = raw.trim_matches('"');
        let expected = if raw == "\"q\" rest" || raw == "\"unclosed" { raw } else { expected };
        assert_eq!(skill.description, expected, "{raw}");
        assert!(rules(&skill).contains(&"frontmatter/repaired"), "{raw}");
        assert_eq!(skill.level, SpecLevel::Loadable, "{raw}");
        let span = skill.diagnostics[0].span.expect("a place");
        assert_eq!(&text[span.start..span.end], "description", "{raw}");
    }
}

#[test]
fn other_broken_yaml_is_refused_by_openclaw_with_its_place() {
    for (fields, at) in
        [("other: a: b\n", "a: b"), ("name: again\n", "name: again"), ("x: [1, 2\n", ""), ("\tx: y\n", "\tx")]
    {
        let text = with(fields);
        let skill = read(&text, Dialect::Openclaw);
        assert_eq!(skill.level, SpecLevel::Rejected, "{fields:?}");
        let refusal = skill
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.rule == "frontmatter/invalid-yaml")
            .expect("a refusal");
        let start = refusal.span.expect("a place").start;
        let line = text[..start].matches('\n').count();
        assert!(at.is_empty() || line == 3, "{fields:?} {refusal:?}");
    }
}

#[test]
fn repairs_name_the_line_and_what_was_read() {
    let text = with(
        "argument-hint: [filename] [format]\nhomepage: h\nlicense: MIT\nlicense: Apache-2.0\nsummary: a #1\n",
    );
    let skill = read(&text, Dialect::Prowess);
    assert_eq!(skill.extensions.argument_hint.as_deref(), Some("[filename] [format]"));
    assert_eq!(skill.frontmatter["homepage"], "h");
    let told = |rule: &str| {
        let found = skill.diagnostics.iter().find(|diagnostic| diagnostic.rule == rule).expect(rule);
        let span = found.span.expect("a place");
        (found.message.clone(), text[span.start..span.end].to_owned())
    };
    assert_eq!(
        told("frontmatter/repaired"),
        (
            "`argument-hint` in line 4 is not valid YAML as written; it is read as `[filename] [format]`"
                .to_owned(),
            "argument-hint".to_owned()
        )
    );
    assert_eq!(
        told("frontmatter/repeated-key"),
        (
            "`license` in line 7 repeats a field above, and the last one counts; it is read as `Apache-2.0`"
                .to_owned(),
            "license".to_owned()
        )
    );
    assert_eq!(
        told("frontmatter/read-as-text"),
        (
            "`summary` in line 8 means something else in YAML; it is read as `a #1`".to_owned(),
            "summary".to_owned()
        )
    );
    assert_eq!(read(&text, Dialect::Openclaw).level, SpecLevel::Rejected);
}

#[test]
fn fences_that_are_not_exact_are_repaired_here() {
    let fields = "name: skill\ndescription: What it does. Use when asked.\n";
    for (text, body) in [
        (format!("---\n{fields}\n# Title\n\nText: here\n"), "# Title\n\nText: here\n"),
        (format!("---\n{fields}\n# Title\n\nText.\n\n---\nMore\n"), "# Title\n\nText.\n\n---\nMore\n"),
        (format!("---\n{fields}----\nText\n"), "Text\n"),
        (format!("\n\n---\n{fields}---\nText\n"), "Text\n"),
        (format!("---\n{fields}"), ""),
    ] {
        let skill = read(&text, Dialect::Prowess);
        assert_eq!(
            (skill.name.as_str(), skill.description.as_str()),
            ("skill", "What it does. Use when asked."),
            "{text:?}"
        );
        assert!(rules(&skill).contains(&"frontmatter/loose-fence"), "{text:?} {:?}", skill.diagnostics);
        assert_eq!(&text[skill.body_start..], body, "{text:?}");
        assert_eq!(skill.level, SpecLevel::Loadable, "{text:?}");
        assert_eq!(read(&text, Dialect::Openclaw).level, SpecLevel::Rejected, "{text:?}");
    }
}

#[test]
fn the_case_of_a_field_of_the_specification_is_repaired_here() {
    let skill = read("---\nName: skill\nDescription: What it does.\n---\n", Dialect::Prowess);
    assert_eq!((skill.name.as_str(), skill.description.as_str()), ("skill", "What it does."));
    assert_eq!(skill.level, SpecLevel::Loadable);
}

#[test]
fn null_is_missing_here_and_a_word_for_openclaw() {
    let text = "---\nname: null\ndescription: ~\n---\n";
    assert_eq!(read(text, Dialect::Openclaw).name, "null");
    assert_eq!(read(text, Dialect::Openclaw).description, "~");
    let ours = read(text, Dialect::Prowess);
    assert_eq!(ours.name, "skill");
    assert_eq!(ours.level, SpecLevel::Rejected);
}

#[test]
fn a_one_line_flow_map_keeps_its_gates_here_and_loses_them_in_openclaw() {
    let text = with("metadata: {openclaw: {emoji: F, requires: {bins: [nope]}}}\n");
    assert_eq!(read(&text, Dialect::Prowess).requirements.bins, ["nope"]);
    let theirs = read(&text, Dialect::Openclaw);
    assert!(theirs.requirements.is_empty());
    assert!(rules(&theirs).contains(&"metadata/flow-ignored"));
}

#[test]
fn the_first_namespace_wins_whole() {
    let text = with("metadata:\n  clawdbot:\n    emoji: B\n    primaryEnv: KEY\n  openclaw:\n    emoji: A\n");
    for dialect in [Dialect::Prowess, Dialect::Openclaw] {
        let skill = read(&text, dialect);
        assert_eq!(skill.metadata.emoji.as_deref(), Some("A"));
        assert_eq!(skill.metadata.primary_env, None, "fields are not mixed");
    }
    for namespace in ["prowess", "moltbot", "clawdis"] {
        let text = with(&format!("metadata:\n  {namespace}:\n    emoji: X\n"));
        assert_eq!(read(&text, Dialect::Prowess).metadata.emoji.as_deref(), Some("X"));
        assert_eq!(read(&text, Dialect::Openclaw).metadata.emoji, None);
    }
}

#[test]
fn levels() {
    for (fields, level) in [
        ("", SpecLevel::Portable),
        ("license: MIT\nallowed-tools: Read Bash(git *)\n", SpecLevel::Portable),
        ("metadata:\n  author: me\n", SpecLevel::Portable),
        ("metadata:\n  openclaw:\n    emoji: A\n", SpecLevel::Extended),
        ("homepage: https://e.example\n", SpecLevel::Extended),
        ("allowed-tools: [Read]\n", SpecLevel::Extended),
        ("description_de: Deutsch\n", SpecLevel::Extended),
        ("favourite-colour: blue\n", SpecLevel::Loadable),
        ("compatibility: \"\"\n", SpecLevel::Loadable),
    ] {
        assert_eq!(read(&with(fields), Dialect::Prowess).level, level, "{fields}");
    }
    for (name, level) in
        [("Skill", SpecLevel::Loadable), ("other", SpecLevel::Loadable), ("-skill", SpecLevel::Loadable)]
    {
        let text = format!("---\nname: {name}\ndescription: d\n---\n");
        assert_eq!(read(&text, Dialect::Prowess).level, level, "{name}");
    }
}

#[test]
fn strict_mode_rejects_what_is_merely_loadable() {
    let strict = ParseOptions { spec_mode: SpecMode::Strict, ..ParseOptions::default() };
    let good = with("homepage: https://e.example\n");
    assert!(parse(&SkillInput::folder(good.as_bytes(), "skill"), &strict).is_loadable());
    let bad = with("favourite-colour: blue\n");
    let skill = parse(&SkillInput::folder(bad.as_bytes(), "skill"), &strict);
    assert_eq!(skill.level, SpecLevel::Rejected);
    assert_eq!(skill.diagnostics.last().map(|last| last.rule.as_ref()), Some("spec/strict"));
}

#[test]
fn lone_files_describe_themselves() {
    let text = "# Search App\n\nFind and open an app by name.\n";
    let skill = parse(&SkillInput::lone_file(text.as_bytes(), "search-app"), &ParseOptions::default());
    assert_eq!((skill.id.as_str(), skill.name.as_str()), ("search-app", "Search App"));
    assert_eq!(skill.description, "Find and open an app by name.");
    assert_eq!(skill.level, SpecLevel::Loadable);
    let folder = parse(&SkillInput::folder(text.as_bytes(), "search-app"), &ParseOptions::default());
    assert_eq!(folder.level, SpecLevel::Rejected, "a folder's SKILL.md must describe itself");
    let legacy = ParseOptions { spec_mode: SpecMode::Legacy, ..ParseOptions::default() };
    assert!(parse(&SkillInput::folder(text.as_bytes(), "search-app"), &legacy).is_loadable());
}

#[test]
fn harness_fields_are_typed_and_kept() {
    let text = with(concat!(
        "when_to_use: on Mondays\nargument-hint: \"[issue]\"\narguments: [issue, branch]\nmodel: large\ncontext: fork\n",
        "agent: Explore\npaths: \"src/**, docs/**\"\nhooks:\n  PreToolUse: []\nshell: bash\nplatforms: [linux]\n",
        "required_environment_variables:\n  - name: KEY\n    prompt: Your key\n  - OTHER\n",
        "metadata:\n  short-description: Short\n  hermes:\n    tags: [a, b]\n    category: tools\nunknown: [1, {a: 2}]\n",
    ));
    let skill = read(&text, Dialect::Prowess);
    let fields = &skill.extensions;
    assert_eq!(fields.when_to_use.as_deref(), Some("on Mondays"));
    assert_eq!(fields.arguments, ["issue", "branch"]);
    assert_eq!(fields.paths, ["src/**", "docs/**"]);
    assert_eq!(fields.context.as_deref(), Some("fork"));
    assert!(fields.has_hooks);
    assert_eq!(fields.required_environment_variables.len(), 2);
    assert_eq!(fields.required_environment_variables[0].prompt.as_deref(), Some("Your key"));
    assert_eq!(fields.short_description.as_deref(), Some("Short"));
    assert_eq!(fields.tags, ["a", "b"]);
    assert_eq!(skill.frontmatter["unknown"], serde_json::json!([1, {"a": 2}]));
}

#[test]
fn switches_and_dispatch() {
    for (fields, user, hidden) in [
        ("", true, false),
        ("user-invocable: no\n", false, false),
        ("user-invocable: n\n", true, false),
        ("user-invocable: 0\n", false, false),
        ("user_invocable: false\n", true, false),
        ("disable-model-invocation: ON\n", true, true),
        ("disable-model-invocation: maybe\n", true, false),
    ] {
        let invocation = read(&with(fields), Dialect::Openclaw).invocation;
        assert_eq!(
            (invocation.user_invocable, invocation.disable_model_invocation),
            (user, hidden),
            "{fields}"
        );
    }
    let dispatch = |fields: &str| read(&with(fields), Dialect::Openclaw).invocation.dispatch;
    assert!(dispatch("command-dispatch: TOOL\ncommand_tool: x\n").is_some());
    assert!(dispatch("command-dispatch: tool\ncommand-tool: \" \"\n").is_none());
    assert!(dispatch("command-tool: x\n").is_none());
}

#[test]
fn lint_gives_advice() {
    let text = "---\nname: skill\ndescription: Things.\n---\nSee [a](../out.md), [b](x/y/z.md), [c](https://e.example).\n";
    let skill = read(text, Dialect::Prowess);
    let decoded = decode(text.as_bytes(), Dialect::Prowess);
    let found: Vec<String> =
        lint(&skill, &decoded.text).into_iter().map(|finding| finding.rule.into_owned()).collect();
    assert_eq!(
        found,
        ["lint/description-when", "lint/description-short", "lint/reference-escapes", "lint/reference-deep"]
    );
}

#[test]
fn derived_descriptions_are_cut_at_180_units() {
    let text = format!("# Long\n\n{}🎉\n", "x".repeat(179));
    for dialect in [Dialect::Prowess, Dialect::Openpocket] {
        let options = ParseOptions { dialect, ..ParseOptions::default() };
        let skill = parse(&SkillInput::lone_file(text.as_bytes(), "long"), &options);
        assert_eq!(skill.description, "x".repeat(179), "half a character is no text");
    }
}

#[test]
fn triggers_of_every_kind_are_kept() {
    let text =
        with("metadata: {\"openclaw\":{\"triggers\":{\"any\":[\"a\"],\"all\":[\"b\"],\"none\":[\"c\"]}}}\n");
    for dialect in [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket] {
        let triggers = read(&text, dialect).metadata.triggers;
        assert_eq!([&triggers.any, &triggers.all, &triggers.none], [&["a"], &["b"], &["c"]], "{dialect:?}");
    }
}
