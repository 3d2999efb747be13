//! What is shown, in its order.

/// One command of the tour.
pub(super) struct Scene {
    /// What it is a part of.
    pub(super) part: &'static str,
    /// What happens, in a line.
    pub(super) about: &'static str,
    /// What a user would type after `prowess`.
    pub(super) args: &'static [&'static str],
    /// How it ends.
    pub(super) exit_code: i32,
}

impl Scene {
    /// The command line as it is typed.
    pub(super) fn command(&self) -> String {
        let mut line = String::from("prowess");
        for arg in self.args {
            line += &if arg.contains([' ', '?']) { format!(" \"{arg}\"") } else { format!(" {arg}") };
        }
        line
    }
}

const fn scene(part: &'static str, about: &'static str, args: &'static [&'static str]) -> Scene {
    Scene { part, about, args, exit_code: 0 }
}

const FIND: &str = "find";
const GATE: &str = "gate";
const MATCH: &str = "match";
const RUN: &str = "run";
const LEARN: &str = "learn";
const FORGE: &str = "forge";

const TALLY: &str = "add up the amounts in expenses.csv by category";

pub(super) const SCENES: &[Scene] = &[
    scene(FIND, "Skills are folders with a SKILL.md. These were found, and these are ready.", &["list"]),
    scene(
        FIND,
        "Two folders hold a skill of the same name: the one of the workspace wins, and the other is reported.",
        &["why", "meeting-notes"],
    ),
    scene(
        GATE,
        "A skill that needs something is not offered until it is there. Every rule says what it found.",
        &["why", "diagrams"],
    ),
    scene(GATE, "What is missing in all, and how to get it.", &["check"]),
    Scene {
        part: GATE,
        about: "A downloaded skill wants to run a script from the network and to send a private key away. It is refused.",
        args: &["install", "../downloads/free-wallpapers", "--yes"],
        exit_code: 1,
    },
    scene(MATCH, "Which skill does a message ask for?", &["match", TALLY]),
    scene(MATCH, "Small talk asks for none, so none is loaded.", &["match", "good morning, how are you?"]),
    scene(RUN, "Before it runs: nothing has been learned yet.", &["cortex", "show"]),
    scene(
        RUN,
        "An agent answers. The model is a script here; the skill is read and its program runs for real.",
        &["run", "--yes", "--session", "expenses", TALLY],
    ),
    scene(RUN, "What happened is on record.", &["sessions", "list"]),
    scene(
        LEARN,
        "It worked, so the skill weighs more for this kind of task: every skill starts at 0.500.",
        &["cortex", "show"],
    ),
    scene(
        FORGE,
        "A task that no skill is for. The run works, and a draft of a skill is made of it.",
        &["run", "--yes", "--session", "errors", "count the server errors by page"],
    ),
    scene(FORGE, "The draft waits; it is in no prompt.", &["forge", "list"]),
    scene(
        FORGE,
        "It is measured: its script runs in a copy of the workspace.",
        &["forge", "test", "count-server-errors", "--yes"],
    ),
    scene(FORGE, "After your consent it is a skill.", &["forge", "promote", "count-server-errors", "--yes"]),
    scene(FORGE, "The next message finds it.", &["match", "how many server errors were there?"]),
];
