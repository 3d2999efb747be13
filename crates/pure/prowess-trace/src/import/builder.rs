//! Lines of a session, put together from a foreign log.

use std::collections::{BTreeMap, HashMap};

use prowess_text::{byte_prefix, ellipsize, omit_middle};
use prowess_types::{
    ActivatedBy, Backend, BackendKind, Outcome, PhoneStep, TRACE_FORMAT, TraceEvent, TraceLine, Usage,
};
use serde_json::Value;

use super::content::moment;
use super::skills::{Used, named_after, used_by};
use super::{ImportKind, ImportReport, Imported};

/// Bytes of a message, thought or answer that are kept.
const MAX_TEXT: usize = 64 * 1024;
/// Bytes of an output that are kept: the beginning and the end.
const MAX_OUTPUT: usize = 32 * 1024;
/// Bytes of a text within an input or a foreign entry that are kept.
const MAX_MEMBER: usize = 8 * 1024;
/// How far back a skill is looked for whose folder becomes known.
const RECENT: usize = 50;
/// The number of kinds of entries that are counted apart.
const MAX_KINDS: usize = 100;

/// Puts the lines of one session together.
pub(super) struct Builder {
    kind: ImportKind,
    lines: Vec<TraceLine>,
    pub(super) report: ImportReport,
    session: Option<String>,
    workspace: String,
    model: Option<String>,
    at: u64,
    /// The runs that have not ended, by their id.
    open: BTreeMap<String, OpenRun>,
    /// The run that the user's last message began.
    main: Option<String>,
    /// The run that events belong to now.
    current: Option<String>,
    runs: usize,
}

#[derive(Default)]
struct OpenRun {
    /// The number of its first line.
    start: usize,
    /// True if it told who answers in it; until then it is who answered before.
    has_model: bool,
    started: u64,
    last: u64,
    stopped: bool,
    outcome: Outcome,
    /// By request, because a log may repeat what a request used.
    usage: HashMap<String, Usage>,
    /// Skills that come into use when these calls succeed.
    used: HashMap<String, Used>,
    /// The number of runs that it started.
    children: usize,
}

/// The result of a call.
#[derive(Default)]
pub(super) struct CallResult {
    pub(super) ok: bool,
    pub(super) output: String,
    pub(super) exit_code: Option<i32>,
    pub(super) ms: Option<u64>,
}

impl Builder {
    pub(super) fn new(kind: ImportKind) -> Self {
        Self {
            kind,
            lines: Vec::new(),
            report: ImportReport::default(),
            session: None,
            workspace: String::new(),
            model: None,
            at: 0,
            open: BTreeMap::new(),
            main: None,
            current: None,
            runs: 0,
        }
    }

    /// Takes over what is known about the session; the first word counts.
    pub(super) fn session(&mut self, id: Option<&str>, workspace: Option<&str>) {
        if self.session.is_none() {
            self.session = id.filter(|id| !id.is_empty()).map(str::to_owned);
        }
        if self.workspace.is_empty() {
            workspace.unwrap_or_default().clone_into(&mut self.workspace);
        }
    }

    /// Sets the clock to when the entry was written; without a moment it stays as it is.
    pub(super) fn time(&mut self, timestamp: Option<&Value>) {
        if let Some(at) = timestamp.and_then(moment) {
            self.at = at;
        }
    }

    /// Sets the model that answers from now on.
    pub(super) fn model(&mut self, model: &str) {
        self.model = Some(model.to_owned());
        let Some(run) = self.open_run().filter(|run| !run.has_model) else {
            return;
        };
        run.has_model = true;
        let start = run.start;
        if let Some(TraceLine { event: TraceEvent::RunStarted { backend, .. }, .. }) =
            self.lines.get_mut(start)
        {
            backend.model = Some(model.to_owned());
        }
    }

    /// The user says something: a run begins, and the one before has ended.
    pub(super) fn begin(&mut self, message: &str) {
        if let Some(run) = self.main.take() {
            self.end(&run);
        }
        self.runs += 1;
        let run = format!("r{}", self.runs);
        self.main = Some(run.clone());
        self.start(run, message, None);
    }

    /// An agent starts another: a run begins beside the present one. Gives its id.
    pub(super) fn begin_side(&mut self, message: &str) -> String {
        let parent = self.main.clone();
        let run =
            if let Some((parent, open)) = parent.as_ref().and_then(|id| Some((id, self.open.get_mut(id)?))) {
                open.children += 1;
                format!("{parent}.{}", open.children)
            } else {
                self.runs += 1;
                format!("r{}", self.runs)
            };
        self.start(run.clone(), message, parent);
        run
    }

    fn start(&mut self, run: String, message: &str, parent: Option<String>) {
        let open = OpenRun { start: self.lines.len(), started: self.at, last: self.at, ..OpenRun::default() };
        self.open.insert(run.clone(), open);
        self.current = Some(run);
        let backend = Backend {
            kind: BackendKind::Harness,
            name: self.kind.name().to_owned(),
            model: self.model.clone(),
        };
        let message = ellipsize(message, MAX_TEXT, byte_prefix);
        self.push(TraceEvent::RunStarted { message, snapshot: None, catalogue: None, backend, parent });
    }

    /// Events belong to this run from now on; none is the run of the user's last message.
    pub(super) fn focus(&mut self, run: Option<&str>) {
        self.current = run.map(str::to_owned).or_else(|| self.main.clone());
    }

    /// Whether a run has only its first line so far.
    pub(super) fn just_began(&self) -> Option<&str> {
        let last = self.lines.last().filter(|line| Some(&line.run) == self.current.as_ref())?;
        if let TraceEvent::RunStarted { message, .. } = &last.event { Some(message) } else { None }
    }

    /// Something happened in the present run; without one, a run begins whose message is not known.
    pub(super) fn push(&mut self, event: TraceEvent) {
        if self.current.is_none() {
            self.begin("");
        }
        let run = self.current.clone().unwrap_or_default();
        // What is only noted may come hours later.
        let is_noted = matches!(event, TraceEvent::Notice { .. } | TraceEvent::Foreign { .. });
        if let Some(open) = self.open.get_mut(&run).filter(|_| !is_noted) {
            open.last = self.at;
        }
        self.lines.push(TraceLine { at: self.at, run, event });
    }

    /// The agent thinks aloud; silence is left out.
    pub(super) fn thought(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.push(TraceEvent::Thought { text: ellipsize(text, MAX_TEXT, byte_prefix) });
        }
    }

    /// The agent says something; silence is left out.
    pub(super) fn answer(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.push(TraceEvent::Answer { text: ellipsize(text, MAX_TEXT, byte_prefix) });
        }
    }

    /// Something to find again.
    pub(super) fn notice(&mut self, kind: &str, text: &str) {
        let event =
            TraceEvent::Notice { kind: kind.to_owned(), text: ellipsize(text, MAX_MEMBER, byte_prefix) };
        self.push_anywhere(event);
    }

    /// A tool is called.
    pub(super) fn call(&mut self, id: &str, tool: &str, input: &Value, step: Option<PhoneStep>) {
        let used = used_by(tool, input);
        let mut input = input.clone();
        cut_members(&mut input);
        self.push(TraceEvent::ToolCall { id: id.to_owned(), tool: tool.to_owned(), input, step });
        if let (Some(used), Some(run)) = (used, self.open_run()) {
            run.used.insert(id.to_owned(), used);
        }
    }

    /// A tool answered; a skill that its call was for is in use now.
    pub(super) fn result(&mut self, id: &str, result: CallResult) {
        let (output, omitted_bytes) = cut_middle(&result.output, MAX_OUTPUT);
        let CallResult { ok, exit_code, ms, .. } = result;
        self.push(TraceEvent::ToolResult { id: id.to_owned(), ok, output, omitted_bytes, exit_code, ms });
        if let Some(used) = self.open_run().and_then(|run| run.used.remove(id)).filter(|_| ok) {
            self.activate(used);
        }
    }

    /// A skill came into use.
    pub(super) fn activate(&mut self, used: Used) {
        let Used { skill, path, by } = used;
        self.push(TraceEvent::Activation { skill, path, content_hash: None, by });
    }

    /// The folder of a skill becomes known: of the one that was just called by name, else of one the user called.
    pub(super) fn skill_folder(&mut self, folder: &str) {
        let folder = folder.trim().trim_end_matches(['/', '\\']);
        let file = format!("{folder}/SKILL.md");
        let current = self.current.as_ref();
        let recent = self.lines.iter_mut().rev().take(RECENT).take_while(|line| Some(&line.run) == current);
        let called = recent.into_iter().find_map(|line| match &mut line.event {
            TraceEvent::Activation { path, .. } if path.is_empty() => Some(path),
            _ => None,
        });
        if let Some(path) = called {
            *path = file;
        } else if let Some(used) = named_after(&file, ActivatedBy::Command) {
            self.activate(used);
        }
    }

    /// What one request used; a later word about the same request counts.
    pub(super) fn usage(&mut self, request: Option<&str>, usage: Usage) {
        if let Some(run) = self.open_run() {
            let request = request.map_or_else(|| format!("#{}", run.usage.len()), str::to_owned);
            run.usage.insert(request, Usage { requests: 1, ..usage });
        }
    }

    /// The user stopped the present run.
    pub(super) fn stopped(&mut self) {
        if let Some(run) = self.open_run() {
            run.stopped = true;
        }
    }

    /// The log says how the present run went, and that it is over.
    pub(super) fn finished(&mut self, outcome: Outcome) {
        if let Some(run) = self.open_run() {
            run.outcome = outcome;
        }
        if let Some(run) = self.current.take() {
            self.end(&run);
            self.main = self.main.take().filter(|main| *main != run);
        }
    }

    /// An entry whose meaning is not known.
    pub(super) fn foreign(&mut self, kind: &str, entry: &Value) {
        count(&mut self.report.foreign, kind);
        let mut entry = entry.clone();
        cut_members(&mut entry);
        self.push_anywhere(TraceEvent::Foreign { entry });
    }

    /// An entry that repeats another or says nothing about the run.
    pub(super) fn skip(&mut self, kind: &str) {
        count(&mut self.report.skipped, kind);
    }

    /// The lines written so far, to complete them.
    pub(super) fn lines_mut(&mut self) -> &mut [TraceLine] {
        &mut self.lines
    }

    pub(super) fn finish(mut self) -> Imported {
        let open: Vec<String> = self.open.keys().cloned().collect();
        for run in open {
            self.end(&run);
        }
        if !self.lines.is_empty() {
            let event = TraceEvent::Session {
                format: TRACE_FORMAT,
                session: self.session.clone().unwrap_or_default(),
                agent: self.kind.name().to_owned(),
                workspace: self.workspace,
                imported_from: Some(self.kind.name().to_owned()),
            };
            // Entries before the first moment were written then at the latest.
            let at = self.lines.iter().map(|line| line.at).find(|at| *at > 0).unwrap_or_default();
            for line in self.lines.iter_mut().take_while(|line| line.at == 0) {
                line.at = at;
            }
            self.lines.insert(0, TraceLine { at, run: String::new(), event });
        }
        Imported { session: self.session, lines: self.lines, report: self.report }
    }

    fn open_run(&mut self) -> Option<&mut OpenRun> {
        self.open.get_mut(self.current.as_ref()?)
    }

    /// Belongs to the present run, or to the session as a whole.
    fn push_anywhere(&mut self, event: TraceEvent) {
        if self.current.is_some() {
            self.push(event);
        } else {
            self.lines.push(TraceLine { at: self.at, run: String::new(), event });
        }
    }

    fn end(&mut self, run: &str) {
        let Some(open) = self.open.remove(run) else {
            return;
        };
        let mut usage = Usage::default();
        for request in open.usage.into_values() {
            usage += request;
        }
        let ms = open.last.checked_sub(open.started);
        let event = TraceEvent::RunEnded { outcome: open.outcome, usage, ms, stopped: open.stopped };
        self.lines.push(TraceLine { at: open.last, run: run.to_owned(), event });
    }
}

fn count(counts: &mut BTreeMap<String, usize>, kind: &str) {
    let kind: String = kind.chars().take(60).collect();
    let kind = if counts.len() < MAX_KINDS || counts.contains_key(&kind) { kind } else { "other".to_owned() };
    *counts.entry(kind).or_default() += 1;
}

/// The beginning and the end of a text, and how many bytes between them were left out.
fn cut_middle(text: &str, max: usize) -> (String, u64) {
    if text.len() <= max {
        return (text.to_owned(), 0);
    }
    let Some((head, tail, omitted)) = omit_middle(text, max / 2, max / 2) else {
        return (text.to_owned(), 0);
    };
    (format!("{head}\n… {omitted} bytes left out …\n{tail}"), omitted as u64)
}

fn cut_members(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > MAX_MEMBER => *text = ellipsize(text, MAX_MEMBER, byte_prefix),
        Value::Array(elements) => elements.iter_mut().for_each(cut_members),
        Value::Object(members) => members.values_mut().for_each(cut_members),
        _ => {}
    }
}

#[cfg(test)]
#[path = "builder_tests.rs"]
mod tests;
