use prowess_types::{LinkPolicy, LossReason};

use super::{Tree, found, loss, rules, skipped, with_links};
use crate::WalkRules;

const CONTAINING: [LinkPolicy; 2] = [LinkPolicy::Contained, LinkPolicy::ContainedOrAllowed];

#[test]
fn a_linked_root_keeps_its_name() {
    let tree = Tree::with_skills(&["outside/a"]);
    tree.link_to("ws", "outside");
    let walk = tree.walk("ws", &rules());
    assert_eq!(walk.found[0].file, tree.path("ws/a/SKILL.md"));
    assert_eq!(walk.found[0].real_file, tree.path("outside/a/SKILL.md"));
}

#[test]
fn a_link_that_leaves_the_root_is_refused() {
    let tree = Tree::with_skills(&["outside/s", "ws/real"]);
    tree.link_to("ws/s", "outside/s").link_to("ws/inside", "ws/real").link("ws/relative", "../outside/s");
    for links in CONTAINING {
        let walk = tree.walk("ws", &with_links(links));
        assert_eq!(found(&walk), ["inside", "real"]);
        assert_eq!(
            skipped(&walk, &tree.path("ws")),
            [loss("relative", LossReason::SymlinkEscape), loss("s", LossReason::SymlinkEscape)]
        );
        let message = &walk.skipped[1].message;
        assert!(message.contains(tree.path("outside/s").to_str().unwrap()));
        // A link that stays inside keeps its own path.
        let inside = &walk.found[0];
        assert_eq!(inside.file, tree.path("ws/inside/SKILL.md"));
        assert_eq!(inside.real_file, tree.path("ws/real/SKILL.md"));
    }
    let bundled = WalkRules { bundled: true, ..with_links(LinkPolicy::Contained) };
    let walk = tree.walk("ws", &bundled);
    assert_eq!(walk.skipped[0].reason, LossReason::BundledSymlinkEscape);
}

#[test]
fn a_sibling_whose_name_only_begins_alike_is_outside() {
    let tree = Tree::with_skills(&["ws-evil/s"]);
    tree.link_to("ws/s", "ws-evil/s");
    assert!(tree.walk("ws", &rules()).found.is_empty());
}

#[test]
fn allowed_targets_may_be_linked() {
    let tree = Tree::with_skills(&["outside/s", "outside/g/deep", "other/t"]);
    tree.link_to("ws/s", "outside/s")
        .link_to("ws/group", "outside/g")
        .link_to("ws/t", "other/t")
        .link_to("alias", "outside");
    let allowing = |links| WalkRules {
        allowed_targets: vec![tree.path("alias"), tree.path("missing")],
        ..with_links(links)
    };
    let walk = tree.walk("ws", &allowing(LinkPolicy::ContainedOrAllowed));
    assert_eq!(found(&walk), ["group/deep", "s"]);
    assert_eq!(walk.found[1].file, tree.path("ws/s/SKILL.md"));
    assert_eq!(walk.found[0].real_file, tree.path("outside/g/deep/SKILL.md"));
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("t", LossReason::SymlinkEscape)]);
    assert!(found(&tree.walk("ws", &allowing(LinkPolicy::Contained))).is_empty());
}

#[test]
fn links_to_anywhere_are_reported_under_their_real_path() {
    let tree = Tree::with_skills(&["outside/m", "outside/g/deep", "real/own"]);
    tree.link_to("managed", "real")
        .link_to("real/linked", "outside/m")
        .link_to("real/group", "outside/g")
        .file("outside/lone.md")
        .link_to("real/alone.md", "outside/lone.md");
    let anywhere = WalkRules { lone_files: true, ..with_links(LinkPolicy::Anywhere) };
    let walk = tree.walk("managed", &anywhere);
    let reported: Vec<_> =
        walk.found.iter().map(|found| (found.id.as_str(), found.file.clone(), found.base.clone())).collect();
    assert_eq!(
        reported,
        [
            ("alone", tree.path("outside/lone.md"), tree.path("outside")),
            ("deep", tree.path("outside/g/deep/SKILL.md"), tree.path("outside/g/deep")),
            ("linked", tree.path("outside/m/SKILL.md"), tree.path("outside/m")),
            ("own", tree.path("real/own/SKILL.md"), tree.path("real/own")),
        ]
    );
}

#[test]
fn a_skill_file_must_stay_in_its_folder() {
    let tree = Tree::with_skills(&["ws/other"]);
    tree.file("ws/inside/docs/text.md")
        .link("ws/inside/SKILL.md", "docs/text.md")
        .link("ws/sibling/SKILL.md", "../other/SKILL.md")
        .file("outside.md")
        .link("ws/outside/SKILL.md", "../../outside.md")
        .link("ws/folder/SKILL.md", ".")
        .pipe("ws/pipe/pipe")
        .link("ws/pipe/SKILL.md", "pipe");
    for links in [LinkPolicy::Contained, LinkPolicy::ContainedOrAllowed, LinkPolicy::Anywhere] {
        let walk = tree.walk("ws", &with_links(links));
        assert_eq!(found(&walk), ["inside", "other"]);
        assert_eq!(
            skipped(&walk, &tree.path("ws")),
            [
                loss("folder/SKILL.md", LossReason::NotAFile),
                loss("outside/SKILL.md", LossReason::PathEscape),
                loss("pipe/SKILL.md", LossReason::NotAFile),
                loss("sibling/SKILL.md", LossReason::PathEscape),
            ]
        );
        let inside = &walk.found[0];
        assert_eq!(inside.file, tree.path("ws/inside/SKILL.md"));
        assert_eq!(inside.real_file, tree.path("ws/inside/docs/text.md"));
        assert_eq!(Some(inside.stamp), crate::stamp(&inside.file).unwrap());
    }
    let bundled = WalkRules { bundled: true, ..rules() };
    let walk = tree.walk("ws", &bundled);
    assert_eq!(walk.skipped[1].reason, LossReason::BundledRootEscape);
}

#[test]
fn several_hard_links_are_refused_unless_allowed() {
    let tree = Tree::new();
    tree.file("store/h.md").folder("ws/h").folder("ws/linked");
    std::fs::hard_link(tree.path("store/h.md"), tree.path("ws/h/SKILL.md")).unwrap();
    let walk = tree.walk("ws", &rules());
    assert!(walk.found.is_empty());
    assert_eq!(skipped(&walk, &tree.path("ws")), [loss("h/SKILL.md", LossReason::HardLink)]);
    assert_eq!(walk.skipped[0].message, "has 2 hard links");
    let allowed = WalkRules { hard_links_allowed: true, ..rules() };
    assert_eq!(found(&tree.walk("ws", &allowed)), ["h"]);
}

#[test]
fn links_that_lead_nowhere_are_reported_and_harmless() {
    let tree = Tree::with_skills(&["ws/fine"]);
    tree.link("ws/broken", "nowhere")
        .link("ws/self", "self")
        .link("ws/ping", "pong")
        .link("ws/pong", "ping")
        .link("ws/.hidden", "nowhere")
        .file("ws/text.txt")
        .link("ws/to-a-file", "text.txt");
    let walk = tree.walk("ws", &rules());
    assert_eq!(found(&walk), ["fine"]);
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        ["broken", "ping", "pong", "self"].map(|path| loss(path, LossReason::BrokenLink))
    );
}

#[test]
fn links_back_are_passed_over() {
    let tree = Tree::with_skills(&["ws/a", "ws/x/b", "ws/y/c"]);
    tree.link_to("ws/root", "ws")
        .link("ws/x/up", "..")
        .link("ws/x/to-y", "../y")
        .link("ws/y/to-x", "../x")
        .link("ws/here", ".");
    for links in [LinkPolicy::Contained, LinkPolicy::Anywhere] {
        let walk = tree.walk("ws", &with_links(links));
        assert_eq!(found(&walk), ["a", "x/b", "x/to-y/c", "y/c", "y/to-x/b"]);
        assert!(walk.skipped.is_empty());
    }
}

#[test]
fn ignored_links_are_not_followed() {
    let tree = Tree::with_skills(&["ws/real"]);
    tree.link_to("ws/alias", "ws/real")
        .link("ws/l/SKILL.md", "../real/SKILL.md")
        .file("ws/text.txt")
        .link("ws/plain", "text.txt");
    let walk = tree.walk("ws", &with_links(LinkPolicy::Ignored));
    assert_eq!(found(&walk), ["real"]);
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [loss("alias", LossReason::Link), loss("l/SKILL.md", LossReason::Link)]
    );
}

#[test]
fn lone_files_follow_the_link_policy_of_the_root() {
    let tree = Tree::new();
    tree.file("outside.md")
        .file("ws/.store/inside.md")
        .link("ws/in.md", ".store/inside.md")
        .link("ws/out.md", "../outside.md")
        .link("ws/gone.md", "nowhere");
    let lone = WalkRules { lone_files: true, ..rules() };
    let walk = tree.walk("ws", &lone);
    assert_eq!(found(&walk), ["in.md"]);
    assert_eq!(walk.found[0].file, tree.path("ws/in.md"));
    assert_eq!(walk.found[0].real_file, tree.path("ws/.store/inside.md"));
    assert_eq!(
        skipped(&walk, &tree.path("ws")),
        [loss("gone.md", LossReason::BrokenLink), loss("out.md", LossReason::SymlinkEscape)]
    );
}
