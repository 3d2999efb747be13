//! Against what the original client computed.

use serde_json::Value;

use super::*;

const VECTORS: &str = include_str!("../tests/fixtures/fingerprints.json");

fn bundle<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Bundle {
    let file = |(path, text): (&str, &str)| BundleFile {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: false,
    };
    let mut files: Vec<BundleFile> = files.into_iter().map(file).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Bundle { files }
}

#[test]
fn the_vectors_of_the_original() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert!(vectors.len() >= 10);
    let collator = root_collator();
    for vector in vectors {
        let title = &vector["title"];
        let files = vector["files"].as_object().unwrap();
        let bundle = bundle(files.iter().map(|(path, text)| (path.as_str(), text.as_str().unwrap())));
        assert_eq!(fingerprint(&bundle), vector["fingerprint"], "{title}");
        assert_eq!(content_hash(&bundle), vector["github_content_hash"], "{title}");
        let mut order: Vec<&str> = bundle.files.iter().map(|file| file.path.as_str()).collect();
        order.sort_by(|one, other| compare(collator.as_ref(), one, other));
        assert_eq!(Value::from(order), vector["order"], "{title}");
    }
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let one = bundle([("a", "1"), ("B", "2"), ("ä", "3")]);
    let mut other = one.clone();
    other.files.reverse();
    assert_eq!(fingerprint(&one), fingerprint(&other));
    assert_eq!(content_hash(&one), content_hash(&other));
    assert_ne!(fingerprint(&one), content_hash(&one));
}

#[test]
fn a_publication_leaves_out_what_is_not_part_of_the_skill() {
    let all = bundle([
        ("SKILL.md", "s"),
        (".gitignore", "*.log\n/build/\n"),
        (".clawhubignore", "!keep.log\nprivate\n"),
        (".clawhub/origin.json", "{}"),
        ("a.log", ""),
        ("keep.log", ""),
        ("build/x", ""),
        ("src/build/x", ""),
        ("docs/private/y", ""),
        ("node_modules/m/i.js", ""),
        ("lib/node_modules/m/i.js", ""),
        ("lib/.hidden", ""),
        ("skill-card.md", ""),
        ("docs/skill-card.md", ""),
    ]);
    let published = published_files(&all);
    let paths: Vec<&str> = published.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["SKILL.md", "docs/skill-card.md", "keep.log", "src/build/x"]);
}
