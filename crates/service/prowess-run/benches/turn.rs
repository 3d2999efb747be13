//! What a turn costs beside the model: a run with 500 skills, a model that answers at once, a tool that does nothing.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot be set up should stop")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use futures_util::FutureExt as _;
use futures_util::future::{self, BoxFuture};
use prowess_model::{ChatDelta, ChatModel, ModelError, Reply, Request, ToolCall, ToolSpec};
use prowess_run::turn::{
    ReportOutcome, RunState, SkillSearchTool, SystemParts, Turn, run_turn, system_prompt,
};
use prowess_run::{
    Approval, Approver, Question, RunContext, RunLimits, RunSkill, SharedEnvironment, SkillSearch,
    SkillSearchHit, Tool, ToolInput, ToolOutput, Tools,
};
use prowess_secret::Redactor;
use prowess_types::Secret;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const SKILLS: usize = 500;
const KEYS: usize = 20;

fn main() {
    divan::main();
}

/// Reads a skill first, then answers.
#[derive(Default)]
struct Prompt {
    has_read: AtomicBool,
}

impl ChatModel for Prompt {
    fn name(&self) -> &'static str {
        "prompt"
    }

    fn reply<'a>(
        &'a self,
        _: Request<'a>,
        on: &'a mut (dyn FnMut(ChatDelta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let reply = if self.has_read.swap(true, Ordering::Relaxed) {
            on(ChatDelta::Text("It will rain in Lisbon.".to_owned()));
            Reply { text: "It will rain in Lisbon.".to_owned(), ..Reply::default() }
        } else {
            let input = Ok(json!({"path": "skills/skill-0250/SKILL.md"}));
            let call = ToolCall { id: "call_0".to_owned(), name: "read".to_owned(), input };
            Reply { calls: vec![call], ..Reply::default() }
        };
        future::ready(Ok(reply)).boxed()
    }
}

struct Read(ToolSpec);

impl Tool for Read {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn needs_consent(&self, _: &Value, _: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, _: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        future::ready(ToolOutput::done("# Weather\n\nAsk the weather service.\n".repeat(200))).boxed()
    }
}

struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Approval> {
        future::ready(Approval::Denied).boxed()
    }
}

impl SkillSearch for Nobody {
    fn search(&self, _: &str, _: usize) -> Result<Vec<SkillSearchHit>, String> {
        Ok(Vec::new())
    }
}

fn skills(workspace: &Path) -> Vec<RunSkill> {
    let skill = |number: usize| {
        let name = format!("skill-{number:04}");
        let folder = workspace.join("skills").join(&name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("SKILL.md"), "# Weather\n").unwrap();
        RunSkill { name, file: folder.join("SKILL.md"), folder, content_hash: "0".repeat(64), text: None }
    };
    (0..SKILLS).map(skill).collect()
}

fn redactor() -> Redactor {
    let secrets: Vec<Secret> =
        (0..KEYS).map(|number| Secret::new(format!("sk-{number:04}-{}", "k".repeat(40)))).collect();
    Redactor::new(&secrets)
}

fn context(workspace: PathBuf) -> RunContext {
    RunContext {
        session: "session".to_owned(),
        run: "run".to_owned(),
        agent: "main".to_owned(),
        skills: skills(&workspace),
        workspace,
        protected: prowess_run::ProtectedPlaces::default(),
        environment: SharedEnvironment::default(),
        redactor: redactor(),
        cancel: CancellationToken::new(),
        approver: Arc::new(Nobody),
        search: Arc::new(Nobody),
        record: Arc::new(|event| drop(black_box(event))),
        limits: RunLimits::default(),
        state: RunState::default(),
    }
}

fn tools() -> Tools {
    let mut tools = Tools::default();
    let input = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    tools.add(Arc::new(Read(ToolSpec { name: "read".to_owned(), description: "Reads.".to_owned(), input })));
    tools.add(Arc::new(SkillSearchTool::default()));
    tools.add(Arc::new(ReportOutcome::default()));
    tools
}

fn catalogue(skills: &[RunSkill]) -> String {
    let entry = |skill: &RunSkill| {
        format!(
            "  <skill>\n    <name>{}</name>\n    <description>Does the kind of work that its number stands for.\
             </description>\n    <location>{}</location>\n  </skill>\n",
            skill.name,
            skill.file.display()
        )
    };
    skills.iter().map(entry).collect()
}

/// The context of a new run and its prompt, without any request.
#[divan::bench]
fn baseline_of_turn_with_500_skills(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let shared = context(folder.path().to_owned());
    let catalogue = catalogue(&shared.skills);
    bencher.bench_local(|| {
        let context = RunContext { state: RunState::default(), ..shared.clone() };
        let parts = SystemParts { workspace: &context.workspace, skills: &catalogue };
        system_prompt(&parts)
    });
}

/// The context of a new run, the prompt, two requests, one read of a skill's file and its activation.
#[divan::bench]
fn turn_with_500_skills(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().unwrap();
    let shared = context(folder.path().to_owned());
    let (tools, catalogue) = (tools(), catalogue(&shared.skills));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    bencher.bench_local(|| {
        let context = RunContext { state: RunState::default(), ..shared.clone() };
        let parts = SystemParts { workspace: &context.workspace, skills: &catalogue };
        let turn = Turn {
            model: &Prompt::default(),
            tools: &tools,
            context: &context,
            system: &system_prompt(&parts),
            history: Vec::new(),
            message: "Will it rain in Lisbon?".to_owned(),
        };
        runtime.block_on(run_turn(turn, &mut |event| drop(black_box(event))))
    });
}

/// Output of a program with near misses and, every 4 KiB, a key.
fn output() -> String {
    let line = "drwxr-xr-x 2 ada ada 4096 Nov 16 04:37 task-notes sk-00 sk-0001-kk\n";
    let block = format!("{}sk-0007-{}\n", line.repeat(4040 / line.len()), "k".repeat(40));
    block.repeat(8)
}

/// Looking for one key after the other.
#[divan::bench]
fn baseline_of_redact_32_kib(bencher: Bencher<'_, '_>) {
    let keys: Vec<String> = (0..KEYS).map(|number| format!("sk-{number:04}-{}", "k".repeat(40))).collect();
    let text = output();
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        keys.iter().fold(black_box(&text).clone(), |text, key| text.replace(key.as_str(), "***")).len()
    });
}

#[divan::bench]
fn redact_32_kib(bencher: Bencher<'_, '_>) {
    let (redactor, text) = (redactor(), output());
    bencher.counter(BytesCount::of_str(&text)).bench(|| redactor.redact(black_box(&text)).len());
}
