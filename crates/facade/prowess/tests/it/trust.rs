//! Skills of a cloned repository are offered only after the user agreed to exactly what they are.

use prowess::Engine;
use prowess_context::Caching;
use prowess_gate::Trust;
use prowess_inventory::{ForeignSkill, PromptRequest, TrustDecision, TrustError};
use prowess_testkit::Tree;
use prowess_types::{LossReason, ProfileName};

use crate::support::{
    configure, engine, engine_with, entry, inventory, inventory_under, loss, options, write_skill,
};

const REMOTE: &str = "[remote \"origin\"]\n\turl = https://example.org/team/repo.git\n";

fn cloned() -> Tree {
    let tree = Tree::new();
    tree.write("ws/.git/config", REMOTE);
    write_skill(&tree, "ws/skills/one", "one");
    write_skill(&tree, "ws/.agents/skills/two", "two");
    write_skill(&tree, "home/.prowess/skills/mine", "mine");
    tree
}

fn undecided(engine: &Engine) -> Vec<ForeignSkill> {
    engine.trust().undecided(engine.view(None).expect("a view").inventory())
}

fn names(skills: &[ForeignSkill]) -> Vec<&str> {
    skills.iter().map(|skill| skill.name.as_str()).collect()
}

/// Trusts everything that waits for an answer.
fn trust_all(engine: &Engine) {
    let skills = undecided(engine);
    engine
        .trust()
        .decide(&skills.iter().collect::<Vec<_>>(), TrustDecision::Trusted, Some("2026-01-02T03:04:05Z"))
        .expect("an answer");
}

fn offered(tree: &Tree) -> Vec<String> {
    let inventory = inventory(tree);
    let usable = inventory.entries.iter().filter(|entry| entry.is_usable());
    usable.map(|entry| entry.skill.name.clone()).collect()
}

#[test]
fn nothing_of_a_clone_is_offered_before_the_user_agreed() {
    let tree = cloned();
    let inventory = inventory(&tree);
    let one = entry(&inventory, "one");
    assert_eq!(one.trust(), &Trust::Undecided);
    assert_eq!(one.verdict.reasons, ["not trusted yet: run `prowess trust`"]);
    assert_eq!(offered(&tree), ["mine"]);
    let prompt = inventory.prompt(&PromptRequest::default()).text;
    assert!(prompt.contains("mine") && !prompt.contains("<name>one"), "{prompt}");
    assert!(inventory.commands().iter().all(|command| command.skill_name == "mine"));
    let why = inventory.why("one").unwrap();
    assert!(why.fate.contains("not trusted yet"), "{}", why.fate);
    let check = inventory.check();
    assert_eq!((check.summary.untrusted, check.summary.missing_requirements), (2, 0));
    assert_eq!(check.untrusted[0].name, "one");
}

#[test]
fn an_answer_holds_until_a_byte_changes() {
    let tree = cloned();
    let engine = engine(&tree);
    let waiting = undecided(&engine);
    assert_eq!(names(&waiting), ["two", "one"]);
    assert_eq!(waiting[0].repository.as_deref(), Some("https://example.org/team/repo.git"));
    trust_all(&engine);
    assert_eq!(offered(&tree), ["mine", "one", "two"]);
    assert!(undecided(&engine).is_empty());
    tree.write("ws/skills/one/scripts/new.sh", "echo\n");
    assert_eq!(offered(&tree), ["mine", "two"]);
    assert_eq!(names(&undecided(&engine)), ["one"]);
    std::fs::remove_file(tree.path("ws/skills/one/scripts/new.sh")).unwrap();
    assert_eq!(offered(&tree), ["mine", "one", "two"], "the very same files are trusted still");
}

/// A script that can be run after the answer is another skill.
#[cfg(unix)]
#[test]
fn an_execute_bit_asks_again() {
    let tree = cloned();
    tree.write("ws/skills/one/scripts/run.sh", "echo\n");
    let engine = engine(&tree);
    trust_all(&engine);
    assert_eq!(offered(&tree), ["mine", "one", "two"]);
    make_executable(&tree, "ws/skills/one/scripts/run.sh");
    assert_eq!(offered(&tree), ["mine", "two"]);
    assert_eq!(names(&undecided(&engine)), ["one"]);
}

/// Version 0.1 stored answers under a digest that did not see the execute bit: it counts once, and then the tree hash.
#[cfg(unix)]
#[test]
fn an_answer_of_version_0_1_is_accepted_and_stored_again() {
    let tree = Tree::new();
    tree.write("ws/.git/config", REMOTE);
    write_skill(&tree, "ws/skills/one", "one");
    let text = std::fs::read(tree.path("ws/skills/one/SKILL.md")).unwrap();
    let old = prowess_fs::sha256_hex(format!("SKILL.md\0{}\n", prowess_fs::sha256_hex(&text)).as_bytes());
    let engine = engine(&tree);
    let answer = r#"{"name": "one", "decision": "trusted", "later": 1}"#;
    let file = engine.trust().file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, format!(r#"{{"version": 1, "skills": {{"{old}": {answer}}}}}"#)).unwrap();
    assert_eq!(offered(&tree), ["one"]);
    let stored = std::fs::read_to_string(&file).unwrap();
    let digests: Vec<String> = engine.trust().answers().unwrap().into_keys().collect();
    assert_eq!(digests.len(), 1, "{stored}");
    assert_ne!(digests, [old]);
    assert!(stored.contains("later"), "fields that are unknown here stay: {stored}");
    assert_eq!(offered(&tree), ["one"], "the renewed answer holds");
    make_executable(&tree, "ws/skills/one/SKILL.md");
    assert_eq!(offered(&tree), Vec::<String>::new());
}

#[cfg(unix)]
fn make_executable(tree: &Tree, path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(tree.path(path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_refusal_is_kept_and_can_be_taken_back() {
    let tree = cloned();
    let engine = engine(&tree);
    trust_all(&engine);
    let desk = engine.trust();
    let all = desk.foreign(engine.view(None).unwrap().inventory());
    let one: Vec<&ForeignSkill> = all.iter().filter(|skill| skill.name == "one").collect();
    desk.decide(&one, TrustDecision::Refused, None).unwrap();
    assert_eq!(entry(&inventory(&tree), "one").trust(), &Trust::Refused);
    assert!(undecided(&engine).is_empty(), "a refusal is an answer");
    assert_eq!(desk.forget(&["one".to_owned()]).unwrap(), 1);
    assert_eq!(names(&undecided(&engine)), ["one"]);
    assert_eq!(desk.forget(&["one".to_owned()]).unwrap(), 0);
}

#[test]
fn only_what_came_with_a_clone_is_asked_about() {
    let tree = cloned();
    std::fs::remove_file(tree.path("ws/.git/config")).unwrap();
    assert_eq!(offered(&tree), ["mine", "one", "two"], "no repository");
    tree.write("ws/.git/config", "[core]\n");
    assert_eq!(offered(&tree), ["mine", "one", "two"], "the user's own repository");
    // A clone inside it.
    tree.write("ws/skills/one/.git/config", REMOTE);
    assert_eq!(offered(&tree), ["mine", "two"]);
}

#[test]
fn the_user_alone_can_switch_it_off() {
    let tree = cloned();
    tree.write("ws/.prowess/config.json", "{security: {trust: 'always'}}");
    assert_eq!(offered(&tree), ["mine"]);
    configure(&tree, "{security: {trust: 'sometimes'}}");
    assert_eq!(offered(&tree), ["mine"], "whatever else it says means to ask");
    configure(&tree, "{security: {trust: 'always'}}");
    assert_eq!(offered(&tree), ["mine", "one", "two"]);
}

#[test]
fn other_profiles_do_as_their_engines_do() {
    let tree = cloned();
    for profile in [ProfileName::Openclaw, ProfileName::Openpocket] {
        assert!(inventory_under(&tree, profile).foreign.is_empty());
    }
    assert!(entry(&inventory_under(&tree, ProfileName::Openclaw), "one").is_usable());
}

#[test]
fn ci_inherits_and_never_grants() {
    let tree = cloned();
    trust_all(&engine(&tree));
    let answers = std::fs::read(tree.path("home/.prowess/trust.json")).unwrap();
    std::fs::remove_file(tree.path("home/.prowess/trust.json")).unwrap();
    let open = |vars: &[(&str, &str)]| engine_with(&tree, ProfileName::Prowess, vars, Caching::Off);
    let ready =
        |engine: &Engine| engine.inventory(None).unwrap().entries.iter().filter(|e| e.is_usable()).count();

    let ci = open(&[("CI", "true")]);
    let waiting = undecided(&ci);
    assert_eq!(waiting.len(), 2);
    let refused = ci.trust().decide(&[&waiting[0]], TrustDecision::Trusted, None);
    assert!(matches!(refused, Err(TrustError::Ci)), "{refused:?}");
    assert!(!tree.path("home/.prowess/trust.json").exists());
    for off in ["", " ", "0", "false", "FALSE"] {
        assert!(!open(&[("CI", off)]).trust().is_ci(), "{off:?}");
    }

    tree.write("inherited.json", &answers);
    assert_eq!(ready(&open(&[("CI", "1"), ("PROWESS_TRUST", "$ROOT/inherited.json")])), 3);
    // A pull request could bring its own.
    tree.write("ws/inherited.json", &answers);
    let own = open(&[("CI", "1"), ("PROWESS_TRUST", "inherited.json")]);
    assert_eq!(ready(&own), 1);
    let inventory = own.inventory(None).unwrap();
    assert!(entry(&inventory, "one").verdict.reasons[0].contains("very repository"));
    let missing = open(&[("CI", "1"), ("PROWESS_TRUST", "$ROOT/none.json")]).inventory(None).unwrap();
    assert!(entry(&missing, "one").verdict.reasons[0].contains("does not exist"));
}

#[test]
fn a_refusal_anywhere_is_a_refusal() {
    let tree = cloned();
    trust_all(&engine(&tree));
    let text = std::fs::read_to_string(tree.path("home/.prowess/trust.json")).unwrap();
    tree.write("inherited.json", text.replace("trusted", "refused"));
    let engine =
        engine_with(&tree, ProfileName::Prowess, &[("PROWESS_TRUST", "$ROOT/inherited.json")], Caching::Off);
    assert_eq!(entry(&engine.inventory(None).unwrap(), "one").trust(), &Trust::Refused);
}

#[test]
fn a_clone_cannot_take_a_skill_of_the_users_away() {
    let tree = cloned();
    write_skill(&tree, "ws/skills/mine", "mine");
    let before = inventory(&tree);
    assert!(entry(&before, "mine").origin.file.starts_with(tree.path("home")));
    let lost = loss(&before, &tree.path("ws/skills/mine/SKILL.md"));
    assert_eq!((lost.reason, lost.message.contains("not trusted")), (LossReason::Gated, true));
    let engine = engine(&tree);
    assert!(names(&undecided(&engine)).contains(&"mine"));
    trust_all(&engine);
    assert!(entry(&inventory(&tree), "mine").origin.file.starts_with(tree.path("ws")));
}

#[test]
fn answers_that_cannot_be_read_give_no_trust_and_say_so() {
    let tree = cloned();
    trust_all(&engine(&tree));
    tree.write("home/.prowess/trust.json", "{");
    let inventory = inventory(&tree);
    let reasons = &entry(&inventory, "one").verdict.reasons;
    assert!(reasons[0].contains("trust.json") && reasons[0].contains("repair"), "{reasons:?}");
}

#[test]
fn a_skill_that_is_too_large_cannot_be_trusted() {
    let tree = cloned();
    let engine = engine(&tree);
    trust_all(&engine);
    std::fs::File::create(tree.path("ws/skills/one/huge")).unwrap().set_len(1 << 30).unwrap();
    let all = engine.trust().foreign(engine.view(None).unwrap().inventory());
    let one = all.iter().find(|skill| skill.name == "one").unwrap();
    assert!(matches!(&one.trust, Trust::Unknowable(reason) if reason.contains("huge")));
    assert!(engine.trust().decide(&[one], TrustDecision::Trusted, None).is_err());
}

/// Whoever builds and runs this very project in its clone has its skills as bundled ones.
#[test]
fn what_the_user_has_anyway_is_not_asked_about() {
    let tree = cloned();
    let mut options = options(&tree, ProfileName::Prowess, &[]);
    options.overrides.bundled = Some(tree.path("ws/skills"));
    let engine = Engine::open(options).expect("the engine opens");
    assert_eq!(names(&undecided(&engine)), ["two"]);
    let inventory = engine.inventory(None).expect("an inventory");
    assert!(entry(&inventory, "one").is_usable(), "{:?}", entry(&inventory, "one").verdict);
    assert!(!entry(&inventory, "two").is_usable());
}
