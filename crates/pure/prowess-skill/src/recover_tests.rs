use proptest::prelude::*;

use super::*;

/// The fields as `key=text`, collections by their number of elements.
fn read(block: &str) -> Vec<String> {
    let reading = parse(block).expect("it is read");
    let shown = |(key, value): &(Node, Node)| {
        let key = key.key_text().unwrap_or("?").to_owned();
        match &value.kind {
            Kind::Scalar { text, .. } => format!("{key}={text}"),
            Kind::Sequence(items) => format!("{key}=[{}]", items.len()),
            Kind::Mapping(pairs) => format!("{key}={{{}}}", pairs.len()),
        }
    };
    reading.pairs.iter().map(shown).collect()
}

#[test]
fn values_that_yaml_refuses_are_text() {
    for (written, expected) in [
        ("argument-hint: [filename] [format]", "argument-hint=[filename] [format]"),
        ("argument-hint: <file> [--flag: x]", "argument-hint=<file> [--flag: x]"),
        ("argument-hint: {a} {b}", "argument-hint={a} {b}"),
        ("license: *see LICENSE*", "license=*see LICENSE*"),
        ("author: @someone", "author=@someone"),
        ("author: `someone`", "author=`someone`"),
        ("version: %VERSION%", "version=%VERSION%"),
        ("when_to_use: On these: a, b", "when_to_use=On these: a, b"),
        ("when_to_use: Ask about:", "when_to_use=Ask about:"),
        ("when_to_use: | one line", "when_to_use=| one line"),
        ("when_to_use: > quoted", "when_to_use=> quoted"),
        ("when_to_use: - dashed", "when_to_use=- dashed"),
        ("when_to_use: ? asked", "when_to_use=? asked"),
        ("when_to_use: \"quoted\" rest", "when_to_use=\"quoted\" rest"),
        ("when_to_use: \"a\" and \"b\"", "when_to_use=\"a\" and \"b\""),
        ("when_to_use: \"He said \"hi\" twice\"", "when_to_use=He said \"hi\" twice"),
        ("when_to_use: **bold**: text", "when_to_use=**bold**: text"),
        ("homepage: \"https://e.example", "homepage=https://e.example"),
        ("model: 'large", "model=large"),
        ("shell: \"C:\\Users\\me\\bin\"", "shell=C:\\Users\\me\\bin"),
        ("summary: “Smart: quotes”", "summary=Smart: quotes"),
        ("unknown: a: b", "unknown=a: b"),
        ("globs: **/*.ts", "globs=**/*.ts"),
        ("allowed-tools: [Read, Bash(git: *)]", "allowed-tools=[2]"),
        ("url:https://e.example", "url=https://e.example"),
    ] {
        for block in
            [format!("name: a\n{written}\ndescription: d\n"), format!("name: a\ndescription: d\n{written}")]
        {
            let fields = read(&block);
            assert!(fields.contains(&expected.to_owned()), "{block:?} {fields:?}");
            assert!(fields.contains(&"name=a".to_owned()), "{block:?} {fields:?}");
            assert!(fields.contains(&"description=d".to_owned()), "{block:?} {fields:?}");
            assert_eq!(fields.len(), 3, "{block:?} {fields:?}");
        }
    }
}

#[test]
fn text_that_yaml_misreads_is_read_as_written() {
    for (written, expected) in [
        ("argument-hint: [filename]", "argument-hint=[filename]"),
        ("description: [beta]", "description=[beta]"),
        ("description: {x}", "description={x}"),
        ("description: &fast food", "description=&fast food"),
        ("description: !important thing", "description=!important thing"),
        ("description: Fixes #12 and channel #general", "description=Fixes #12 and channel #general"),
        ("description: C # and F # too", "description=C # and F # too"),
        ("description: “smart”", "description=smart"),
        ("description: \"Opens C:\\temp\\new\"", "description=Opens C:\\temp\\new"),
        ("description:\n  Use for: text\n  and: more", "description=Use for: text\nand: more"),
        ("description:\n  - one\n  - two", "description=- one\n- two"),
    ] {
        let block = format!("{written}\nmodel: m # a comment\n");
        assert_eq!(read(&block), [expected, "model=m"], "{block:?}");
        let repairs = parse(&block).expect("it is read").repairs;
        assert_eq!(repairs.len(), 1, "{block:?}");
        assert_eq!(repairs[0].kind, RepairKind::Misread, "{block:?}");
    }
}

#[test]
fn yaml_that_means_what_it_says_is_left_alone() {
    for (block, expected) in [
        ("description: \"a # b\" # c\n", "description=a # b"),
        ("description: >-\n  a # b\n  c\n", "description=a # b c"),
        ("description: &d text\nsummary: *d\n", "description=text"),
        ("description: \"C:\\\\temp\"\n", "description=C:\\temp"),
        ("description: \"a\\nb\"\n", "description=a\nb"),
        ("description: !!str 12\n", "description=12"),
        ("license: MIT # or so\n", "license=MIT"),
        ("tags: [a, b] # c\n", "tags=[2]"),
    ] {
        let reading = parse(block).expect("it is read");
        assert_eq!(read(block)[0], expected, "{block:?}");
        assert_eq!(reading.repairs, [], "{block:?}");
    }
}

#[test]
fn a_mistake_costs_no_other_field() {
    let block = "name: a\nmetadata:\n\topenclaw:\n\t\trequires:\n\t\t\tbins: [git]\nname: b\nsummary: x: y\n  and: z\n";
    assert_eq!(read(block), ["name=b", "metadata={1}", "summary=x: y and: z"]);
    let block = "name: a\nmetadata:\n  note: b: c\n  - stray\n  other: d\nlicense: MIT\n";
    assert!(read(block).contains(&"license=MIT".to_owned()));
    let block = "name: a\nmetadata: {\"openclaw\": {\"emoji\": \"X\"\nlicense: MIT\n";
    assert_eq!(read(block), ["name=a", "metadata={1}", "license=MIT"]);
    let block = "name: a\nmetadata:\n  openclaw:\n    note: Use: this\n    items:\n      - @one\n      - two: three: four\n";
    assert_eq!(read(block), ["name=a", "metadata={1}"]);
    let block = "name: a\nmetadata: {\nopenclaw: {emoji: X}\n}\nx: y: z\n";
    assert_eq!(read(block), ["name=a", "metadata={1}", "x=y: z"]);
}

#[test]
fn the_last_of_repeated_fields_counts_unless_it_is_empty() {
    assert_eq!(read("name: a\nname: b\n"), ["name=b"]);
    assert_eq!(read("name: a\nname:\n"), ["name=a"]);
    let repairs = parse("name: a\nx: 1\nname: b\n").expect("it is read").repairs;
    assert_eq!(repairs[0].kind, RepairKind::Repeated);
    assert_eq!(repairs[0].span, Span::new(13, 17));
    let repairs = parse("metadata:\n  a: 1\n  a: 2\n").expect("it is read").repairs;
    assert_eq!((repairs[0].key.as_str(), repairs[0].span), ("a", Span::new(19, 20)));
}

#[test]
fn what_has_no_fields_is_refused() {
    assert!(matches!(parse("just text\n"), Err(RecoverError::NotAMap(_))));
    assert!(matches!(parse("- a\n- b\n"), Err(RecoverError::NotAMap(_))));
    assert!(matches!(parse(": : :\n@"), Err(RecoverError::Yaml(_))));
    let deep = format!("name: a\nx: {}\n", "[".repeat(10_000));
    assert!(matches!(parse(&deep), Err(RecoverError::Yaml(error)) if error.kind == ErrorKind::TooComplex));
    assert_eq!(read(""), [""; 0]);
    assert_eq!(read("# only a comment\n"), [""; 0]);
}

/// Lines as people write them, right and wrong.
fn lines() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("name"),
        Just("description"),
        Just("license"),
        Just("argument-hint"),
        Just("metadata"),
        Just("tags"),
        Just("other")
    ];
    let value = prop_oneof![
        "[ -~]{0,20}",
        "[\\[\\]{}\"'&*!|>%@`#:,? a-c-]{0,12}",
        "\\PC{0,10}",
        Just("|".to_owned()),
        Just(">-".to_owned()),
        Just("{\"a\": [1]}".to_owned()),
    ];
    let field = (key, value.clone()).prop_map(|(key, value)| format!("{key}: {value}\n"));
    let below = ("[ \t]{1,4}", value).prop_map(|(indentation, value)| format!("{indentation}{value}\n"));
    prop_oneof![3 => field, 1 => below, 1 => Just("\n".to_owned())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn no_known_field_is_lost(lines in proptest::collection::vec(lines(), 0..8)) {
        let block = lines.concat();
        let reading = match parse(&block) {
            Ok(reading) => reading,
            Err(RecoverError::Yaml(error)) if error.kind == ErrorKind::TooComplex => return Ok(()),
            Err(_) => {
                prop_assert!(!fields::split(&block).iter().any(|field| is_known(field.key)), "{block:?}");
                return Ok(());
            }
        };
        let end = reading.body_at.unwrap_or(block.len());
        for line in block[..end].lines() {
            let Some((key, value)) = line.split_once(": ") else { continue };
            if is_known(key) && !value.trim().is_empty() && fields::split(&block[..end]).iter().any(|field| field.key == key) {
                let found = reading.pairs.iter().any(|(read, _)| read.key_text() == Some(key));
                prop_assert!(found, "{key} of {block:?}");
            }
        }
        for repair in &reading.repairs {
            prop_assert!(repair.span.end <= block.len() && block.is_char_boundary(repair.span.start));
        }
        for (key, value) in &reading.pairs {
            for span in [key.span, value.span] {
                prop_assert!(span.start <= span.end && block.get(span.start..span.end).is_some(), "{span:?} of {block:?}");
            }
        }
    }
}
