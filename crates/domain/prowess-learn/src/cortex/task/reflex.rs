//! A reflex looks before it runs: the files that came are compared with those that earned it.

use prowess_acquire::Plan;
use prowess_cortex::{EventKind, ReflexWithdrawal, blocks_reflex};

use super::plan::side_effects;
use super::{Cortex, CortexError, Desk};

impl Cortex<'_> {
    /// Returns true if the files that were downloaded are those that earned the reflex and do nothing else. If not, the
    /// reason for showing the plan is reported, and a reflex that no longer holds ends.
    ///
    /// The second value is true if the announcement is still a consent to the install.
    pub(super) fn reflex_holds(
        &mut self,
        region: &str,
        slug: &str,
        plan: &Plan,
        desk: &mut dyn Desk,
    ) -> Result<(bool, bool), CortexError> {
        let state = self.state()?;
        let record = state.region(region).and_then(|region| region.candidate(slug));
        let Some(record) = record else { return Ok((false, false)) };
        let label = plan.provenance.version.as_deref().unwrap_or_default();
        match &record.content_hash {
            Some(hash) if *hash != plan.hash => {
                desk.tell(&format!(
                    "the files of `{slug}` are not those that earned the reflex, under the same version `{label}`; it \
                     is used like a new version"
                ));
                self.withdraw(slug, ReflexWithdrawal::Changed)?;
                return Ok((false, false));
            }
            None => {
                desk.tell(&format!(
                    "the files of `{slug}` were not recorded yet, so its plan is shown one more time"
                ));
                return Ok((false, true));
            }
            Some(_) => {}
        }
        let new: Vec<String> =
            side_effects(plan).into_iter().filter(|effect| !record.side_effects.contains(effect)).collect();
        if new.is_empty() {
            return Ok((true, true));
        }
        desk.tell(&format!("`{slug}` does more than was known ({}), so its plan is shown", new.join(", ")));
        if new.iter().any(|effect| blocks_reflex(effect)) {
            self.withdraw(slug, ReflexWithdrawal::SideEffects)?;
            return Ok((false, false));
        }
        Ok((false, true))
    }

    /// Ends the reflex of a skill everywhere.
    pub(super) fn withdraw(&mut self, slug: &str, why: ReflexWithdrawal) -> Result<(), CortexError> {
        self.note(EventKind::ReflexWithdrawn { slug: slug.to_owned(), why })?;
        Ok(())
    }
}
