//! The gate: a skill's needs and settings against the facts.
//!
//! Invariant: every rule is asked and recorded, in a fixed order, whether or not an earlier one already
//! decided. A skill is eligible exactly when no rule failed, so a verdict can always explain itself.

use std::collections::BTreeSet;

use prowess_text::backtick_list;
use prowess_types::{
    CheckOutcome, ConfigCheck, Facts, GateCheck, GateRules, ModeScope, OfferMode, RemoteNode, Requirements,
    Skill, Verdict,
};

use crate::config_path::{self, ConfigStyle};
use crate::platform::matches_platform;
use crate::trust::Trust;

/// What the config says about one skill, without any secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntrySettings {
    /// `skills.entries.<key>.enabled`.
    pub enabled: Option<bool>,
    /// Names of `skills.entries.<key>.env` with a value that is not blank.
    pub env_names: BTreeSet<String>,
    /// True if an API key is configured, resolved or not.
    pub has_api_key: bool,
    /// How the skill is offered.
    pub mode: OfferMode,
    /// Which scope set the mode.
    pub mode_scope: Option<ModeScope>,
    /// True if a configured secret could not be resolved.
    pub secret_failed: bool,
    /// What the user thinks of where it comes from.
    pub trust: Trust,
}

/// A skill and everything but the machine that decides about it.
#[derive(Clone, Copy, Debug)]
pub struct GateInput<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// True if it is shipped with the engine.
    pub bundled: bool,
    /// Its config entry.
    pub entry: &'a EntrySettings,
    /// `skills.allowBundled`, as configured.
    pub allow_bundled: &'a [String],
    /// Which requirements the profile knows.
    pub rules: GateRules,
}

/// The binaries to look for before a skill is judged.
pub fn requirement_names(skill: &Skill) -> impl Iterator<Item = &str> {
    let needs = &skill.requirements;
    needs.bins.iter().chain(&needs.any_bins).map(String::as_str)
}

/// Judges whether a skill can run.
///
/// Rules are asked in this order, under these ids: `enabled`, `secret`, `trust`, `allow-bundled`, `os`, `always`,
/// `env`, `config`, `bins`, `any-bins`. `always` spares the rules after it, but never the operating
/// system; what it spares is not reported as missing.
pub fn judge(input: &GateInput<'_>, facts: &Facts) -> Verdict {
    ask_all(input, facts, Some(Vec::with_capacity(10)))
}

/// The same verdict without [`Verdict::checks`], for whole lists where nobody reads them.
pub fn screen(input: &GateInput<'_>, facts: &Facts) -> Verdict {
    ask_all(input, facts, None)
}

fn ask_all(input: &GateInput<'_>, facts: &Facts, checks: Option<Vec<GateCheck>>) -> Verdict {
    let mut trail = Trail { checks, reasons: Vec::new() };
    let needs = &input.skill.requirements;
    let disabled = ask_enabled(input, &mut trail);
    ask_secret(input, &mut trail);
    ask_trust(input, &mut trail);
    let blocked_by_allowlist = ask_allowlist(input, &mut trail);
    let mut missing = Requirements { os: ask_os(needs, facts, &mut trail), ..Requirements::default() };
    let always = ask_always(input, &mut trail);
    let config_checks = check_config(needs, facts, input.rules);
    if always {
        for rule in ["env", "config", "bins", "any-bins"] {
            trail.skip(rule, || "`always` is set".to_owned());
        }
    } else {
        missing.env = ask_env(input, facts, &mut trail);
        missing.config = ask_config(&config_checks, &mut trail);
        missing.bins = ask_bins(needs, facts, &mut trail);
        missing.any_bins = ask_any_bins(needs, facts, input.rules, &mut trail);
    }
    Verdict {
        eligible: trail.reasons.is_empty(),
        disabled,
        blocked_by_allowlist,
        platform_incompatible: !missing.os.is_empty(),
        missing,
        config_checks,
        reasons: trail.reasons,
        checks: trail.checks.unwrap_or_default(),
    }
}

fn ask_enabled(input: &GateInput<'_>, trail: &mut Trail) -> bool {
    let entry = input.entry;
    if entry.enabled == Some(false) {
        let key = input.skill.key();
        trail.fail("enabled", format!("switched off by `skills.entries.{key}.enabled`"));
        return true;
    }
    if entry.mode == OfferMode::Disabled {
        let scope = match entry.mode_scope {
            Some(ModeScope::User) => "the user's config",
            Some(ModeScope::Project) => "the workspace's config",
            Some(ModeScope::Agent) => "the agent's config",
            None => "the config",
        };
        trail.fail("enabled", format!("switched off by mode `disabled` in {scope}"));
        return true;
    }
    trail.pass("enabled", || "not switched off".to_owned());
    false
}

fn ask_secret(input: &GateInput<'_>, trail: &mut Trail) {
    if input.entry.secret_failed {
        trail.fail("secret", "its configured secret could not be resolved".to_owned());
    } else {
        trail.pass("secret", || "no configured secret failed".to_owned());
    }
}

fn ask_trust(input: &GateInput<'_>, trail: &mut Trail) {
    const RULE: &str = "trust";
    let trust = &input.entry.trust;
    match (trust.objection(&input.skill.name), trust) {
        (Some(reason), _) => trail.fail(RULE, reason),
        (None, Trust::NotAsked) => trail.skip(RULE, || "did not come with a cloned repository".to_owned()),
        (None, _) => trail.pass(RULE, || "trusted, and unchanged since".to_owned()),
    }
}

fn ask_allowlist(input: &GateInput<'_>, trail: &mut Trail) -> bool {
    const RULE: &str = "allow-bundled";
    let (name, key) = (input.skill.name.as_str(), input.skill.key());
    let mut allowed = input.allow_bundled.iter().map(|entry| entry.trim());
    if !input.bundled {
        trail.skip(RULE, || "not bundled".to_owned());
    } else if allowed.clone().all(str::is_empty) {
        trail.skip(RULE, || "`skills.allowBundled` allows all".to_owned());
    } else if let Some(entry) = allowed.find(|entry| *entry == key || *entry == name) {
        trail.pass(RULE, || format!("`{entry}` is on `skills.allowBundled`"));
    } else {
        trail.fail(RULE, format!("bundled, but `{key}` is not on `skills.allowBundled`"));
        return true;
    }
    false
}

fn ask_os(needs: &Requirements, facts: &Facts, trail: &mut Trail) -> Vec<String> {
    const RULE: &str = "os";
    let here = &facts.platform;
    let remote = |node: &&RemoteNode| matches_platform(&needs.os, &node.platform);
    if needs.os.is_empty() {
        trail.skip(RULE, || "runs on any operating system".to_owned());
    } else if matches_platform(&needs.os, here) {
        trail.pass(RULE, || format!("made for {}, and this is `{here}`", backtick_list(&needs.os, ", ")));
    } else if let Some(node) = facts.remotes.iter().find(remote) {
        trail.pass(RULE, || format!("a connected node runs `{}`", node.platform));
    } else {
        trail.fail(RULE, format!("made for {}, but this is `{here}`", backtick_list(&needs.os, ", ")));
        return needs.os.clone();
    }
    Vec::new()
}

fn ask_always(input: &GateInput<'_>, trail: &mut Trail) -> bool {
    const RULE: &str = "always";
    let always = input.skill.metadata.always;
    if always && input.rules.any_bins_and_always {
        trail.pass(RULE, || "set: requirements other than the operating system are spared".to_owned());
        return true;
    }
    let detail = if always { "not honoured by this profile" } else { "not set" };
    trail.skip(RULE, || detail.to_owned());
    false
}

fn ask_env(input: &GateInput<'_>, facts: &Facts, trail: &mut Trail) -> Vec<String> {
    let primary = input.skill.metadata.primary_env.as_ref();
    let origin = |name: &String| {
        if facts.env.contains(name) {
            Some("environment")
        } else if input.entry.env_names.contains(name) {
            Some("config entry")
        } else if input.entry.has_api_key && primary == Some(name) {
            Some("API key")
        } else {
            None
        }
    };
    let needed = &input.skill.requirements.env;
    let missing = lacking(needed, |name| origin(name).is_some());
    let found = || {
        let found = needed.iter().filter_map(|name| Some(format!("`{name}` ({})", origin(name)?)));
        format!("set: {}", found.collect::<Vec<_>>().join(", "))
    };
    trail.record("env", needed, &missing, found, "environment variable");
    missing
}

fn check_config(needs: &Requirements, facts: &Facts, rules: GateRules) -> Vec<ConfigCheck> {
    // OpenPocket is the engine that knows neither `anyBins` nor `always`.
    let style = if rules.any_bins_and_always { ConfigStyle::Openclaw } else { ConfigStyle::Openpocket };
    let check = |path: &String| ConfigCheck {
        path: path.clone(),
        satisfied: config_path::is_set(&facts.config, path, style),
    };
    needs.config.iter().map(check).collect()
}

fn ask_config(checks: &[ConfigCheck], trail: &mut Trail) -> Vec<String> {
    let needed: Vec<String> = checks.iter().map(|check| check.path.clone()).collect();
    let unset = checks.iter().filter(|check| !check.satisfied);
    let missing: Vec<String> = unset.map(|check| check.path.clone()).collect();
    let found = || format!("set: {}", backtick_list(&needed, ", "));
    trail.record("config", &needed, &missing, found, "config setting");
    missing
}

fn ask_bins(needs: &Requirements, facts: &Facts, trail: &mut Trail) -> Vec<String> {
    let missing = lacking(&needs.bins, |name| locate(name, facts).is_some());
    let found = || located(&needs.bins, facts);
    trail.record("bins", &needs.bins, &missing, found, "program");
    missing
}

fn ask_any_bins(needs: &Requirements, facts: &Facts, rules: GateRules, trail: &mut Trail) -> Vec<String> {
    const RULE: &str = "any-bins";
    let found = || needs.any_bins.iter().any(|name| locate(name, facts).is_some());
    if needs.any_bins.is_empty() {
        trail.skip(RULE, || "nothing needed".to_owned());
    } else if !rules.any_bins_and_always {
        trail.skip(RULE, || "not honoured by this profile".to_owned());
    } else if found() {
        trail.pass(RULE, || located(&needs.any_bins, facts));
    } else {
        trail.fail(
            RULE,
            format!("missing every one of the programs {}", backtick_list(&needs.any_bins, ", ")),
        );
        return needs.any_bins.clone();
    }
    Vec::new()
}

/// Returns the machine that has a binary: this one or another that counts.
fn locate(name: &str, facts: &Facts) -> Option<&'static str> {
    if facts.bins.contains(name) {
        Some("here")
    } else if facts.remotes.iter().any(|node| node.bins.contains(name)) {
        Some("on a connected node")
    } else {
        None
    }
}

fn located(names: &[String], facts: &Facts) -> String {
    let found = names.iter().filter_map(|name| Some(format!("`{name}` ({})", locate(name, facts)?)));
    format!("found: {}", found.collect::<Vec<_>>().join(", "))
}

fn lacking(needed: &[String], is_there: impl Fn(&String) -> bool) -> Vec<String> {
    needed.iter().filter(|name| !is_there(name)).cloned().collect()
}

/// What the rules said, in the order in which they were asked.
struct Trail {
    /// Every rule, when somebody wants to know.
    checks: Option<Vec<GateCheck>>,
    /// What failed. The operating system comes first: nothing else can be mended there.
    reasons: Vec<String>,
}

impl Trail {
    fn pass(&mut self, rule: &str, detail: impl FnOnce() -> String) {
        self.push(rule, CheckOutcome::Pass, detail);
    }

    fn skip(&mut self, rule: &str, detail: impl FnOnce() -> String) {
        self.push(rule, CheckOutcome::Skip, detail);
    }

    fn fail(&mut self, rule: &str, reason: String) {
        self.push(rule, CheckOutcome::Fail, || reason.clone());
        let place = if rule == "os" { 0 } else { self.reasons.len() };
        self.reasons.insert(place, reason);
    }

    /// Records a rule that needs all of a list.
    fn record(
        &mut self,
        rule: &str,
        needed: &[String],
        missing: &[String],
        found: impl FnOnce() -> String,
        noun: &str,
    ) {
        if needed.is_empty() {
            self.skip(rule, || "nothing needed".to_owned());
        } else if missing.is_empty() {
            self.pass(rule, found);
        } else {
            self.fail(rule, format!("missing {noun} {}", backtick_list(missing, ", ")));
        }
    }

    fn push(&mut self, rule: &str, outcome: CheckOutcome, detail: impl FnOnce() -> String) {
        if let Some(checks) = &mut self.checks {
            checks.push(GateCheck { rule: rule.to_owned(), outcome, detail: detail() });
        }
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
