//! Which of the declared ways to install a skill's dependencies are offered on this machine.
//!
//! Nothing is installed here. The choice depends on the preferences only, so a person who follows the
//! offered option and a program that resolves its id mean the same declaration.

use prowess_text::backtick_list;
use prowess_types::{
    InstallKind, InstallOption, InstallRecipe, InstallSpec, NodeManager, OsRule, RefusedInstall, Skill,
};

use crate::platform::{matches_platform, names_platform};

/// What decides between several declared ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstallPreferences {
    /// `skills.install.preferBrew`.
    pub prefer_brew: bool,
    /// `skills.install.nodeManager`.
    pub node_manager: NodeManager,
    /// True if `brew` was found.
    pub brew_on_path: bool,
    /// The way in which operating systems are compared.
    pub os: OsRule,
}

impl Default for InstallPreferences {
    fn default() -> Self {
        Self {
            prefer_brew: true,
            node_manager: NodeManager::default(),
            brew_on_path: false,
            os: OsRule::Tolerant,
        }
    }
}

/// A declaration and its place in the skill's list, which is part of its id.
type Placed<'a> = (usize, &'a InstallSpec);

/// The ways to offer for a skill on `platform`.
///
/// Nothing is offered for a skill made for another operating system. Downloads are all offered, because
/// a skill may need several; otherwise exactly one way is, the one most likely to work.
pub fn install_options(skill: &Skill, platform: &str, preferences: InstallPreferences) -> Vec<InstallOption> {
    let matches = match preferences.os {
        OsRule::Tolerant => matches_platform,
        OsRule::ExactInPrompt => names_platform,
    };
    if !matches(&skill.requirements.os, platform) {
        return Vec::new();
    }
    let here: Vec<Placed<'_>> =
        skill.metadata.install.iter().enumerate().filter(|(_, spec)| matches(&spec.os, platform)).collect();
    let offered = if here.iter().all(|(_, spec)| spec.kind == InstallKind::Download) {
        here
    } else {
        preferred(&here, platform, preferences).into_iter().collect()
    };
    let offer = |(index, spec): Placed<'_>| option(index, spec, preferences.node_manager);
    offered.into_iter().map(offer).collect()
}

/// The declared ways that are not for use on `platform`, each with the reason: those that the parser refused, and those
/// for another operating system.
pub fn refused_installs(skill: &Skill, platform: &str) -> Vec<RefusedInstall> {
    let is_here = matches_platform(&skill.requirements.os, platform);
    let elsewhere = skill.metadata.install.iter().enumerate().filter_map(|(index, spec)| {
        let (whose, os) = match (is_here, matches_platform(&spec.os, platform)) {
            (false, _) => ("the skill", &skill.requirements.os),
            (true, false) => ("it", &spec.os),
            (true, true) => return None,
        };
        Some(RefusedInstall {
            id: Some(spec.id.clone().unwrap_or_else(|| format!("{}-{index}", spec.kind.as_str()))),
            kind: spec.kind.as_str().to_owned(),
            place: index + 1,
            reason: format!("{whose} is for {}, and this is `{platform}`", backtick_list(os, ", ")),
            help: "install what it needs by hand, or add an option for this system to the skill".to_owned(),
        })
    });
    skill.metadata.refused_installs.iter().cloned().chain(elsewhere).collect()
}

fn preferred<'a>(
    specs: &[Placed<'a>],
    platform: &str,
    preferences: InstallPreferences,
) -> Option<Placed<'a>> {
    use InstallKind::{Apt, Brew, Cargo, Download, Go, Node, Pipx, Uv};
    let brew = preferences.brew_on_path;
    let linux = matches_platform(&["linux".to_owned()], platform);
    // A kind may stand in several places: brew is the last resort where it is not installed.
    let ranking = [
        (Brew, brew && preferences.prefer_brew),
        (Uv, true),
        (Node, true),
        (Brew, brew),
        (Go, true),
        (Apt, linux),
        (Cargo, true),
        (Pipx, true),
        (Download, true),
        (Brew, true),
    ];
    let usable = ranking.iter().filter(|(_, usable)| *usable);
    usable
        .filter_map(|(kind, _)| specs.iter().find(|(_, spec)| spec.kind == *kind))
        .chain(specs.first())
        .next()
        .copied()
}

fn option(index: usize, spec: &InstallSpec, node_manager: NodeManager) -> InstallOption {
    let kind = spec.kind.as_str();
    let label = match (&spec.recipe, &spec.label) {
        // The manager is the user's choice, so a declared label could name the wrong one.
        (InstallRecipe::Package(package), _) if spec.kind == InstallKind::Node => {
            format!("Install {package} ({})", node_manager.as_str())
        }
        (_, Some(label)) => label.clone(),
        (InstallRecipe::Package(package), None) => format!("Install {package} ({kind})"),
        (InstallRecipe::Download(download), None) => {
            let file = download.url.rsplit('/').next().filter(|file| !file.is_empty());
            format!("Download {}", file.unwrap_or(&download.url))
        }
    };
    InstallOption {
        id: spec.id.clone().unwrap_or_else(|| format!("{kind}-{index}")),
        kind: spec.kind,
        label,
        bins: spec.bins.clone(),
    }
}

#[cfg(test)]
#[path = "install_tests.rs"]
mod tests;
