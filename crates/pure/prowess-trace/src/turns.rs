//! The turns of a session so far, as the choice for the next message needs them.

use prowess_types::{FollowUpEffect, PromptedSkill, RankedSkill, SelectionDecision, TraceEvent, TraceLine};

/// The maximum number of earlier messages.
const MAX_TURNS: usize = 8;

/// The earlier messages of a session, and the skills in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The last messages of the user, the newest last.
    pub previous: Vec<String>,
    /// The skills that were in use for the last message that was more than thanks.
    pub loaded: Vec<String>,
}

impl Turns {
    /// The turns of recorded lines. Runs of sub-agents are not turns.
    pub fn of(lines: &[TraceLine]) -> Self {
        Self::before(lines, None)
    }

    /// The turns before a message that may be in the lines already.
    pub fn before(lines: &[TraceLine], message: Option<&str>) -> Self {
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for line in lines {
            if let TraceEvent::RunStarted { message, parent: None, .. } = &line.event {
                turns.push(Turn { run: &line.run, message, loaded: Vec::new(), is_closing: false });
            } else if let Some(turn) = turns.iter_mut().rfind(|turn| turn.run == line.run) {
                turn.note(&line.event);
            }
        }
        let is_own = |turn: &Turn<'_>| turn.loaded.is_empty() && Some(turn.message.trim()) == message;
        if turns.last().is_some_and(is_own) {
            turns.pop();
        }
        let last = turns.iter().rfind(|turn| !turn.is_closing);
        let loaded = last.map(|turn| turn.loaded.iter().map(|name| (*name).to_owned()).collect());
        let first = turns.len().saturating_sub(MAX_TURNS);
        Self {
            previous: turns[first..].iter().map(|turn| turn.message.to_owned()).collect(),
            loaded: loaded.unwrap_or_default(),
        }
    }
}

struct Turn<'a> {
    run: &'a str,
    message: &'a str,
    loaded: Vec<&'a str>,
    is_closing: bool,
}

impl<'a> Turn<'a> {
    fn note(&mut self, event: &'a TraceEvent) {
        match event {
            TraceEvent::Selection { decision, ranked, follow_up, .. } => {
                let is_loaded = |skill: &&RankedSkill| skill.loaded && *decision == SelectionDecision::Load;
                self.add(ranked.iter().filter(is_loaded).map(|skill| skill.name.as_str()));
                self.is_closing = follow_up.as_ref().is_some_and(|it| it.effect == FollowUpEffect::Dropped);
            }
            TraceEvent::Prompt { skills, .. } => {
                let is_loaded = |skill: &&PromptedSkill| skill.how.is_loaded();
                self.add(skills.iter().filter(is_loaded).map(|skill| skill.name.as_str()));
            }
            TraceEvent::Activation { skill, .. } => {
                // Another program calls the skill of a plugin `plugin:skill`.
                self.add(std::iter::once(skill.rsplit(':').next().unwrap_or(skill)));
            }
            _ => {}
        }
    }

    fn add(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names {
            if !self.loaded.contains(&name) {
                self.loaded.push(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::{ActivatedBy, Backend, FollowUp};

    use super::*;

    fn line(run: &str, event: TraceEvent) -> TraceLine {
        TraceLine { at: 1, run: run.to_owned(), event }
    }

    fn said(run: &str, message: &str, parent: Option<&str>) -> TraceLine {
        let event = TraceEvent::RunStarted {
            message: message.to_owned(),
            snapshot: None,
            catalogue: None,
            backend: Backend::default(),
            parent: parent.map(str::to_owned),
        };
        line(run, event)
    }

    fn chose(run: &str, name: &str, effect: Option<FollowUpEffect>) -> TraceLine {
        let loaded = !name.is_empty();
        let decision = if loaded { SelectionDecision::Load } else { SelectionDecision::None };
        let ranked = RankedSkill { name: name.to_owned(), score: 1.0, confidence: 0.9, loaded };
        let follow_up = effect.map(|effect| FollowUp { effect, skills: Vec::new(), reason: String::new() });
        line(run, TraceEvent::Selection { decision, confidence: 0.9, ranked: vec![ranked], follow_up })
    }

    #[test]
    fn the_skills_of_the_last_turn_are_in_use() {
        let read = TraceEvent::Activation {
            skill: "tools:maps".to_owned(),
            path: String::new(),
            content_hash: None,
            by: ActivatedBy::Read,
        };
        let lines = [
            said("1", "text Ben", None),
            chose("1", "imsg", None),
            said("2", "rain in Bern?", None),
            chose("2", "weather", None),
            line("2", read.clone()),
            said("3", "look it up", Some("2")),
            chose("3", "web", None),
        ];
        let turns = Turns::of(&lines);
        assert_eq!(turns.previous, ["text Ben", "rain in Bern?"]);
        assert_eq!(turns.loaded, ["weather", "maps"]);
    }

    #[test]
    fn a_message_is_not_before_itself() {
        let lines =
            [said("1", "rain in Bern?", None), chose("1", "weather", None), said("2", "and now?", None)];
        let turns = Turns::before(&lines, Some("and now?"));
        assert_eq!(
            (turns.previous, turns.loaded),
            (vec!["rain in Bern?".to_owned()], vec!["weather".to_owned()])
        );
        assert!(Turns::of(&lines).loaded.is_empty());
    }

    #[test]
    fn thanks_do_not_end_what_is_in_use_and_a_new_topic_does() {
        let begun =
            [said("1", "rain in Bern?", None), chose("1", "weather", None), said("2", "thanks!", None)];
        let thanks = chose("2", "", Some(FollowUpEffect::Dropped));
        let other = chose("2", "", Some(FollowUpEffect::Plain));
        let after = |last: TraceLine| Turns::of(&[&begun[..], &[last]].concat()).loaded;
        assert_eq!(after(thanks), ["weather"]);
        assert!(after(other).is_empty());
        assert_eq!(Turns::of(&[]), Turns::default());
    }
}
