//! The licence and the version that a `SKILL.md` declares, published to the program's own registry.

use serde_json::{Value, json};

use crate::hub::Serving;
use crate::support::{Home, Program as _, Ran};

struct Author {
    home: Home,
    serving: Serving,
    token: String,
    _operator: Home,
}

impl Author {
    fn new() -> Self {
        let operator = Home::new();
        let created = operator.json(&["registry", "token", "create", "acme", "--json"]);
        let token = created["token"].as_str().expect("a token").to_owned();
        Self { home: Home::new(), serving: Serving::start(&operator), token, _operator: operator }
    }

    fn write(&self, fields: &str, body: &str) {
        let head = format!(
            "---\nname: billing\ndescription: Writes bills. Use when asked for a bill.\n{fields}---\n"
        );
        self.home.tree.write("ws/billing/SKILL.md", format!("{head}{body}\n"));
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.home.command();
        command.env("PROWESS_REGISTRY", format!("http://{}", self.serving.address));
        self.home.finish(command.env("PROWESS_REGISTRY_TOKEN", &self.token).args(args))
    }

    fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}\n{}{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(&[args, &["--json"]].concat())).expect("JSON")
    }
}

#[test]
fn the_declared_licence_is_shown_published_and_kept() {
    let author = Author::new();
    author.write("license: Proprietary\n", "One.");
    author.home.tree.write("ws/billing/LICENSE.txt", "All rights reserved.\n");
    let plan = author.good(&["publish", "billing", "--dry-run"]);
    insta::assert_snapshot!(prowess_testkit::stable::text(&plan), @"
    @acme/billing 1.0.0 Billing
      to: http://[ADDRESS] (new skill)
      licence: Proprietary
      tags: latest
    File         Bytes
    LICENSE.txt  21
    SKILL.md     102
    2 files, 123 bytes
    ✓ the scan is clean
    Nothing was sent.
    ");
    let plan = author.json(&["publish", "billing", "--yes"])["plan"].clone();
    assert_eq!((&plan["license"], &plan["licenseFile"]), (&json!("Proprietary"), &json!("LICENSE.txt")));
    assert_eq!(plan["licenseTerms"], json!(null));
    let shown = author.good(&["registry", "inspect", "billing"]);
    assert!(shown.contains("licence: Proprietary\n") && !shown.contains("MIT-0"), "{shown}");
    let detail = author.json(&["registry", "inspect", "billing"]);
    assert!(detail.to_string().contains("\"declaredLicense\":\"Proprietary\""), "{detail}");

    author.write("", "Two.");
    let plan = author.good(&["publish", "billing", "--yes"]);
    insta::assert_snapshot!(prowess_testkit::stable::text(&plan), @"
    @acme/billing 1.0.1 Billing
      to: http://[ADDRESS] (new version, after 1.0.0)
      licence: none declared in SKILL.md (LICENSE.txt is among the files)
      tags: latest
    File         Bytes
    LICENSE.txt  21
    SKILL.md     81
    2 files, 102 bytes
    ✓ the scan is clean
    Published billing 1.0.1.
    ");
    let shown = author.good(&["registry", "inspect", "billing"]);
    assert!(shown.contains("licence: none stated\n") && !shown.contains("MIT-0"), "{shown}");
    author.write("license: MIT-0\n", "Three.");
    author.good(&["publish", "billing", "--yes"]);
    assert!(author.good(&["registry", "inspect", "billing"]).contains("licence: MIT-0\n"));
}

#[test]
fn the_declared_version_counts_unless_another_is_named() {
    let author = Author::new();
    author.write("metadata:\n  version: 3.2.1\n", "One.");
    let plan = author.good(&["publish", "billing", "--yes"]);
    insta::assert_snapshot!(prowess_testkit::stable::text(&plan), @"
    @acme/billing 3.2.1 Billing
      to: http://[ADDRESS] (new skill)
      licence: none
      version: from `metadata.version`
      tags: latest
    File      Bytes
    SKILL.md  108
    1 file, 108 bytes
    ✓ the scan is clean
    Published billing 3.2.1.
    ");

    author.write("metadata:\n  version: 3.2.1\n", "Two.");
    let ran = author.run(&["publish", "billing", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @"
    error[already-there]: version 3.2.1 of `billing` already exists with other files
    help: raise `metadata.version` in SKILL.md, or pass a free version, such as `--version 3.2.2`
    ");
    author.good(&["publish", "billing", "--yes", "--version", "4.0.0"]);
    author.write("version: 3.2.1\n", "Three.");
    let ran = author.run(&["publish", "billing", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[already-there]: version 3.2.1 of `billing` already exists with other files
    help: raise `version` in SKILL.md, or pass a free version, such as `--version 4.0.1`
    ");
    author.write("version: \"3.3\"\n", "Four.");
    insta::assert_snapshot!(prowess_testkit::stable::text(&author.good(&["publish", "billing", "--yes"])), @"
    @acme/billing 3.3.0 Billing
      to: http://[ADDRESS] (new version, after 4.0.0)
      licence: none
      version: from `version`
      tags: latest
    File      Bytes
    SKILL.md  97
    1 file, 97 bytes
    ✓ the scan is clean
    Published billing 3.3.0.
    ");
    author.write("version: newest\n", "Five.");
    let ran = author.run(&["publish", "billing", "--yes"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @r#"
    error[usage]: `version` in `SKILL.md` is `newest`, which is not a version such as `1.2.3`
    help: write it in quotes, such as "1.2.0", or pass `--version`
    "#);
    author.write("", "Six.");
    let plan = author.good(&["publish", "billing", "--yes"]);
    assert!(plan.contains("Published billing 3.3.1.") || plan.contains("Published billing 4.0.1."), "{plan}");
}
