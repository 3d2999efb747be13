//! Roots whose skills collide, or are too many.

use super::Expect::{Announce, LoadAndTell, OneWins};
use super::{Area, Expect, HostileTree, front};

impl HostileTree {
    fn root(&mut self, name: &str, skills: &[(String, String)], expect: Expect, why: &'static str) {
        for (folder, written) in skills {
            self.tree
                .write(&format!("roots/{name}/{folder}/SKILL.md"), front(&format!("\"{written}\""), "x"));
        }
        self.case(Area::Root, name, expect, why, 3000);
    }

    fn collision(&mut self, name: &str, skills: [(&str, &str); 2], expect: Expect, why: &'static str) {
        let skills = skills.map(|(folder, written)| (folder.to_owned(), written.to_owned()));
        self.root(name, &skills, expect, why);
    }
}

pub(super) fn build(made: &mut HostileTree) {
    made.collision(
        "collide-case",
        [("github", "github"), ("GitHub", "GitHub")],
        OneWins,
        "names equal but for case",
    );
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    made.collision(
        "collide-nfc-nfd",
        [(composed, composed), (decomposed, decomposed)],
        OneWins,
        "names equal after normalisation",
    );
    made.collision(
        "collide-same",
        [("a", "same-name"), ("b", "same-name")],
        OneWins,
        "the same name in two folders",
    );
    made.collision(
        "collide-confusable",
        [("slack", "slack"), ("sl\u{430}ck", "sl\u{430}ck")],
        LoadAndTell,
        "a Cyrillic letter in a known name",
    );
    let many: Vec<(String, String)> =
        (0..1000).map(|number| (format!("s{number:05}"), format!("s{number:05}"))).collect();
    made.root("root-1000", &many, Announce, "1,000 skills in one root");
}
