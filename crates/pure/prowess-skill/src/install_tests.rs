use serde_json::json;

use super::*;

fn accepts(item: Value) -> Option<InstallRecipe> {
    spec(&item, Dialect::Openclaw).ok().map(|spec| spec.recipe)
}

fn package(name: &str) -> InstallRecipe {
    InstallRecipe::Package(name.to_owned())
}

#[test]
fn npm_packages_take_exact_versions_and_tags() {
    for good in [
        "p@1.2",
        "p@1.x",
        "p@v1.2.3",
        "p@1.2.3-beta.1",
        "p@beta",
        "p@1",
        "a.b_c",
        "p@next-1",
        "@s/p@latest",
        "p@1.2.3+build",
        "p@LATEST",
        "@s/p",
        "p@1.2.3-",
    ] {
        assert_eq!(accepts(json!({"kind": "node", "package": good})), Some(package(good)), "{good}");
    }
    for bad in [
        "P@1.0.0",
        "@S/p",
        "p@*",
        "p@>=1",
        "p@",
        "p@~1.2.3",
        "@s/p@^1.2",
        "npm:x@1",
        "p q",
        "_p",
        ".p",
        "p/q",
        "../p",
        "-p",
        "git+https://e.example/x",
        "@",
        "@s",
        "",
    ] {
        assert_eq!(accepts(json!({"kind": "node", "package": bad})), None, "{bad}");
    }
    assert_eq!(accepts(json!({"kind": "node", "package": " p "})), Some(package("p")));
}

#[test]
fn modules_formulas_and_requirements_have_closed_grammars() {
    for (kind, key, value, good) in [
        ("go", "module", "example.com/x@v1.0", true),
        ("go", "module", "example.com/~user/x", true),
        ("go", "module", "-x/y", false),
        ("go", "module", "../x", false),
        ("go", "module", "example.com/x@", false),
        ("go", "module", "a@b@c", false),
        ("go", "module", "https://e.example/x", false),
        ("uv", "package", "a[b]==1.0", true),
        ("uv", "package", "a==1.0,<2", true),
        ("uv", "package", "a@1", false),
        ("uv", "package", "git+https://x", false),
        ("brew", "formula", "tap/repo/f", true),
        ("brew", "formula", "a@1", true),
        ("brew", "formula", "a..b", false),
        ("brew", "formula", "../evil", false),
        ("brew", "formula", "-flag", false),
        ("brew", "formula", "_a", false),
    ] {
        let accepted = accepts(json!({"kind": kind, key: value})).is_some();
        assert_eq!(accepted, good, "{kind} {value}");
    }
}

#[test]
fn a_cask_stands_in_for_a_missing_or_refused_formula() {
    assert_eq!(accepts(json!({"kind": "brew", "formula": "", "cask": "c"})), Some(package("c")));
    assert_eq!(accepts(json!({"kind": "brew", "formula": "bad formula", "cask": "ok"})), Some(package("ok")));
    assert_eq!(accepts(json!({"kind": "brew"})), None);
}

#[test]
fn kinds_are_case_insensitive_and_known() {
    assert!(accepts(json!({"kind": " BREW ", "formula": "f"})).is_some());
    assert!(accepts(json!({"type": "brew", "formula": "f"})).is_some());
    assert!(accepts(json!({"kind": "", "type": "brew", "formula": "f"})).is_none());
    assert!(accepts(json!({"kind": "apt", "package": "x"})).is_none());
    assert!(spec(&json!({"kind": "apt", "package": "x"}), Dialect::Prowess).is_ok());
}

#[test]
fn downloads_are_web_addresses_with_a_whole_digest() {
    let url = |item: Value| match accepts(item) {
        Some(InstallRecipe::Download(recipe)) => Some(recipe.url),
        _ => None,
    };
    let of = |address: &str| url(json!({"kind": "download", "url": address}));
    assert_eq!(of("HTTPS://E.example/A%20b.zip?x=1").as_deref(), Some("https://e.example/A%20b.zip?x=1"));
    assert_eq!(of(" https://e.example ").as_deref(), Some("https://e.example/"));
    for bad in ["ftp://x/y", "file:///etc/passwd", "https://e.example/a b", "https://", ""] {
        assert_eq!(of(bad), None, "{bad}");
    }
    let digest = "A".repeat(64);
    let with =
        |sha256: Value| url(json!({"kind": "download", "url": "https://e.example/x", "sha256": sha256}));
    assert!(with(json!(digest)).is_some());
    assert!(with(json!(format!(" {digest} "))).is_some());
    assert!(with(json!("")).is_none());
    assert!(with(json!(5)).is_none());
    assert!(with(json!("zz")).is_none());
}

#[test]
fn each_refusal_has_its_place_its_name_and_its_reason() {
    let options = json!([
        {"kind": "brew", "formula": "jq"},
        {"id": "bad", "kind": "brew", "formula": "--HEAD"},
        {"type": "snap"},
        7,
        {"kind": "node", "package": "x".repeat(1_000) + " y"},
    ]);
    let mut diagnostics = Vec::new();
    let declared = declared(Some(&options), Dialect::Prowess, None, &mut diagnostics);
    assert_eq!((declared.specs.len(), diagnostics.len()), (1, 4));
    let shown: Vec<String> = declared.refused.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown[..3],
        [
            "install option `bad` is refused: the formula `--HEAD` begins with `-`, so the installer would read it as an option",
            "install option 3 (`snap`) is refused: it has the unknown kind `snap`",
            "install option 4 is refused: it is not a mapping",
        ]
    );
    assert!(shown[3].len() < 300, "a long value is cut: {}", shown[3]);
}
