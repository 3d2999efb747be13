//! Installing what another program on this machine has. It is looked at like everything else that comes.

use prowess_acquire::{Acquire, AcquireError, InstallOptions, Plan};
use prowess_harness::rule;
use prowess_registry::SourceReference;

use super::{Importable, ImportableKind};

/// A rule that is larger is not read.
const MAX_RULE_BYTES: u64 = 1024 * 1024;

/// Says what importing a skill of another program would do. Nothing is written. If the tool that installed it there
/// recorded where it is from, that is kept, and it can be updated from there.
pub fn plan_import(
    desk: &Acquire<'_>,
    skill: &Importable,
    options: &InstallOptions,
) -> Result<Plan, AcquireError> {
    match &skill.kind {
        ImportableKind::Skill => {
            let reference = SourceReference::Folder(skill.path.display().to_string());
            let mut plan = desk.plan_install(&reference, options, &mut |_, _| {})?;
            desk.keep_recorded_source(&skill.path, &mut plan);
            Ok(plan)
        }
        ImportableKind::Rule(place) => {
            desk.recover()?;
            let bytes = prowess_fs::read_file(&skill.path, MAX_RULE_BYTES)
                .map_err(prowess_install::InstallError::from)?;
            let converted = rule::to_skill(place, &String::from_utf8_lossy(&bytes));
            desk.plan_text(converted.name, converted.text, &skill.path, *options)
        }
    }
}
