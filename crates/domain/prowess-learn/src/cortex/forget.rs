//! The user's decisions about the memory: forgetting, banning, and lessons that are right or wrong.

use prowess_cortex::{CortexState, EventKind, Forgotten, LessonRef};

use super::{Cortex, CortexError};

impl Cortex<'_> {
    /// Forgets something. The log keeps its rows.
    pub fn forget(&mut self, what: Forgotten) -> Result<CortexState, CortexError> {
        let state = self.state()?;
        let is_known = match &what {
            Forgotten::Region { region } | Forgotten::Signal { region, .. } => {
                state.region(region).is_some() || state.patterns().iter().any(|one| one.region == *region)
            }
            Forgotten::Skill { slug, .. } => {
                state.regions().any(|(_, region)| region.candidate(slug).is_some())
                    || state.long_term().any(|(_, kept)| kept.slug == *slug)
            }
            _ => true,
        };
        if !is_known {
            let (Forgotten::Region { region: name }
            | Forgotten::Signal { region: name, .. }
            | Forgotten::Skill { slug: name, .. }) = &what
            else {
                return Ok(state);
            };
            return Err(CortexError::Unknown(format!("`{name}`")));
        }
        self.note(EventKind::Forgotten(what))
    }

    /// Bans `slug` or `slug@version`, or lifts the ban. Returns whether that changed anything.
    pub fn ban(&mut self, slug: &str, is_banned: bool) -> Result<bool, CortexError> {
        let is_listed = self.state()?.blacklist().iter().any(|banned| banned == slug);
        if is_listed == is_banned {
            return Ok(false);
        }
        let slug = slug.to_owned();
        let kind =
            if is_banned { EventKind::BlacklistAdded { slug } } else { EventKind::BlacklistRemoved { slug } };
        self.note(kind)?;
        Ok(true)
    }

    /// Says that a lesson is right or wrong.
    pub fn judge_lesson(&mut self, lesson: LessonRef, is_right: bool) -> Result<CortexState, CortexError> {
        let kind =
            if is_right { EventKind::LessonValidated(lesson) } else { EventKind::LessonContradicted(lesson) };
        self.note(kind)
    }
}
