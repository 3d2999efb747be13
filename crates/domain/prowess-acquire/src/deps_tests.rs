use prowess_net::NetworkReach;
use prowess_testkit::Tree;
use prowess_testkit::web::{Answer, Web};

use super::*;
use prowess_config::Env;
use prowess_context::ContextOptions;

/// An engine whose bundled skill `demo` needs `tool`, which this option brings.
fn context(tree: &Tree, option: &Value) -> Context {
    let metadata = json!({"prowess": {"requires": {"bins": ["tool"]}, "install": [option]}});
    tree.write(
        "bundled/demo/SKILL.md",
        format!("---\nname: demo\ndescription: Does it.\nmetadata: {metadata}\n---\n# Demo\n"),
    );
    let text = |path: &str| tree.path(path).display().to_string();
    let variables = [
        ("HOME", text("home")),
        ("PATH", text("bin")),
        ("PROWESS_BUNDLED_SKILLS_DIR", text("bundled")),
        ("TOKEN", "hunter2".to_owned()),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value));
    Context::open(ContextOptions { env: Env::new(variables, tree.path("ws")), ..ContextOptions::default() })
        .expect("an context")
}

fn choices() -> InstallChoices {
    InstallChoices { reach: NetworkReach::Loopback, ..InstallChoices::default() }
}

#[test]
fn a_download_from_the_own_network_is_blocked_before_anybody_is_asked() {
    let web = Web::start(|_| Answer::ok("#!/bin/sh\n"));
    let tree = Tree::new();
    let context = context(&tree, &json!({"kind": "download", "url": web.url("/d/tool"), "bins": ["tool"]}));
    let needs = Dependencies::of(&context, &AgentView::read(&context, None).expect("a view"), "demo")
        .expect("the skill");
    assert_eq!(needs.readiness().missing.bins, ["tool"]);
    assert_eq!(needs.proposed(), ["download-0"]);
    let plan = needs.plan("download-0").expect("a plan");
    let objection = plan.objection().expect("the scan objects");
    assert!(objection.contains("install-spec/private-address"), "{objection}");
    let done = needs.install(&plan, DependencyConsent::User, &choices(), &mut |_| {}).expect("an answer");
    assert!(!done.result.ok && done.result.message.contains("private-address"), "{:?}", done.result);
    assert!(web.requests().is_empty() && !tree.path("home/.prowess/tools/demo").exists());
}

#[test]
fn only_a_policy_that_allows_can_agree() {
    let tree = Tree::new();
    tree.write_program("bin/brew");
    let context = context(&tree, &json!({"id": "b", "kind": "brew", "formula": "tool"}));
    let needs = Dependencies::of(&context, &AgentView::read(&context, None).expect("a view"), "demo")
        .expect("the skill");
    let plan = needs.plan("b").expect("a plan");
    let refused = needs.install(&plan, DependencyConsent::Policy, &choices(), &mut |_| {});
    assert!(matches!(refused, Err(DepsError::NoConsent(id)) if id == "b"));
    assert!(matches!(needs.plan("c"), Err(DepsError::NoInstaller(id)) if id == "c"));
    let unknown = Dependencies::of(&context, &AgentView::read(&context, None).expect("a view"), "Demo")
        .expect_err("names are exact");
    assert_eq!(unknown.to_string(), "Skill not found: Demo");
}

#[test]
fn a_skill_that_changes_after_the_plan_changes_nothing() {
    let tree = Tree::new();
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\n", tree.path("log").display());
    tree.write_program("bin/brew");
    tree.write("bin/brew", script);
    let context = context(&tree, &json!({"id": "b", "kind": "brew", "formula": "tool"}));
    let needs = Dependencies::of(&context, &AgentView::read(&context, None).expect("a view"), "demo")
        .expect("the skill");
    let plan = needs.plan("b").expect("a plan");
    let text = std::fs::read_to_string(tree.path("bundled/demo/SKILL.md")).expect("the skill");
    tree.write("bundled/demo/SKILL.md", text.replace("\"formula\":\"tool\"", "\"formula\":\"evil\""));
    assert!(
        needs.install(&plan, DependencyConsent::User, &choices(), &mut |_| {}).expect("an answer").result.ok
    );
    assert_eq!(std::fs::read_to_string(tree.path("log")).expect("the log"), "install tool\n");
}
