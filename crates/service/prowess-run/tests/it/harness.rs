//! Other agent programs, with a program that only writes down what it was given.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use prowess_config::{BlankVariable, Env};
use prowess_run::environment::{OverlayRequest, SkillVariables, overlay};
use prowess_run::harness::{self, HarnessCommand, HarnessReport, HarnessRun, PromptBy, SkillsBy};
use prowess_run::{
    Approval, Approver, Question, RunContext, RunLimits, RunSkill, SkillSearch, SkillSearchHit,
};
use prowess_secret::Redactor;
use prowess_testkit::{Tree, reached};
use prowess_types::{ActivatedBy, Secret, TraceEvent};
use tokio_util::sync::CancellationToken;

const PROMPT: &str = "--is it raining, \"here\"?\n$HOME";
const KEY: &str = "hunter2-weather";

/// Writes down its arguments, input, variables, and the skills it can see; then says what a test wants.
const FAKE: &str = r#"#!/bin/sh
out="$PROWESS_TEST_OUT"
printf '%s\n' "$@" > "$out/args"
cat > "$out/stdin"
env | sort > "$out/env"
find -L . -name SKILL.md > "$out/seen"
find . -type l > "$out/links"
for arg in "$@"; do
  if [ -d "$arg" ]; then find "$arg" -type f; elif [ -f "$arg" ]; then cat "$arg"; fi
done > "$out/handed"
. "$out/script"
"#;

struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async { Approval::Denied })
    }
}

impl SkillSearch for Nobody {
    fn search(&self, _need: &str, _limit: usize) -> Result<Vec<SkillSearchHit>, String> {
        Ok(Vec::new())
    }
}

struct World {
    tree: Tree,
    env: Env,
    events: Arc<Mutex<Vec<TraceEvent>>>,
    shown: Arc<Mutex<String>>,
    cancel: CancellationToken,
}

impl World {
    fn new(harness: &HarnessCommand, script: &str) -> Self {
        let tree = Tree::new();
        let program = tree.write(&format!("bin/{}", harness.programs[0]), FAKE);
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        tree.write("out/script", script);
        tree.write("skills/weather/SKILL.md", "---\nname: weather\ndescription: Tells.\n---\nLook out.\n");
        tree.write("skills/weather/scripts/look.sh", "echo\n");
        tree.write("skills/lone.md", "---\nname: lone\ndescription: Alone.\n---\nBody.\n");
        fs::create_dir(tree.path("ws")).unwrap();
        let vars: BTreeMap<String, String> = [
            ("PATH", format!("{}:/usr/bin:/bin", tree.path("bin").display())),
            ("HOME", tree.path("home").display().to_string()),
            ("PROWESS_TEST_OUT", tree.path("out").display().to_string()),
            ("OTHER_SECRET", "hunter2-other".to_owned()),
            ("ANTHROPIC_API_KEY", "hunter2-login".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let env = Env::new(vars, tree.path("ws"));
        Self { tree, env, events: Arc::default(), shown: Arc::default(), cancel: CancellationToken::new() }
    }

    fn skills(&self) -> Vec<RunSkill> {
        let skill = |name: &str, file: PathBuf| RunSkill {
            name: name.into(),
            folder: file.parent().unwrap().to_owned(),
            file,
            content_hash: "00".into(),
            text: None,
        };
        vec![
            skill("weather", self.tree.path("skills/weather/SKILL.md")),
            skill("lone", self.tree.path("skills/lone.md")),
        ]
    }

    fn context(&self, harness: &HarnessCommand) -> RunContext {
        let keys = [SkillVariables {
            key: "weather".into(),
            env: vec![("WEATHER_KEY".into(), Ok(Secret::new(KEY)))],
            ..SkillVariables::default()
        }];
        let mut inherit = harness.inherit.clone();
        inherit.push("PROWESS_TEST_OUT".into());
        let overlay = overlay(OverlayRequest {
            outer: &self.env,
            skills: &keys,
            inherit: &inherit,
            blank: BlankVariable::Absent,
        });
        let events = Arc::clone(&self.events);
        RunContext {
            state: prowess_run::turn::RunState::default(),
            session: "session".into(),
            run: "run-1".into(),
            agent: "main".into(),
            workspace: self.tree.path("ws"),
            skills: self.skills(),
            protected: prowess_run::ProtectedPlaces::default(),
            environment: overlay.environment.into(),
            redactor: Redactor::new(&overlay.secrets),
            cancel: self.cancel.clone(),
            approver: Arc::new(Nobody),
            search: Arc::new(Nobody),
            record: Arc::new(move |event| events.lock().unwrap().push(event)),
            limits: RunLimits::default(),
        }
    }

    async fn run(&self, harness: &HarnessCommand, session: Option<&str>) -> HarnessReport {
        let shown = Arc::clone(&self.shown);
        harness::run(HarnessRun {
            harness,
            prompt: PROMPT.into(),
            session: session.map(Into::into),
            model: Some("some-model".into()),
            args: vec!["--extra".into()],
            env: &self.env,
            context: self.context(harness),
            state: self.tree.path("state"),
            show: Arc::new(move |text| shown.lock().unwrap().push_str(text)),
        })
        .await
        .expect("the harness runs")
    }

    fn out(&self, name: &str) -> String {
        fs::read_to_string(self.tree.path(&format!("out/{name}"))).unwrap_or_default()
    }

    fn left_over(&self) -> Vec<PathBuf> {
        let folders = [self.tree.path("state"), self.tree.path("ws")];
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| !path.ends_with("workspaces.lock")).collect()
    }
}

#[tokio::test]
async fn every_harness_gets_its_prompt_skills_and_keys() {
    for harness in harness::harnesses() {
        let name = &harness.id;
        let world = World::new(harness, "exit 0");
        let report = world.run(harness, None).await;
        assert_eq!((report.exit_code, report.stopped), (Some(0), false), "{name}");
        let args = world.out("args");
        assert!(args.starts_with(&harness.start.join("\n")), "{name}: {args}");
        assert!(args.contains("--model\nsome-model\n") && args.contains("--extra\n"), "{name}: {args}");
        match &harness.prompt {
            PromptBy::Stdin { .. } => {
                assert_eq!(world.out("stdin"), PROMPT, "{name}");
                assert!(!args.contains("raining"), "{name}: {args}");
            }
            PromptBy::Argument { .. } => {
                assert!(args.ends_with(&format!("--\n{PROMPT}\n")), "{name}: {args}");
            }
            PromptBy::File { .. } => {
                assert!(world.out("handed").contains(PROMPT) && !args.contains("raining"), "{name}: {args}");
            }
        }
        let (seen, handed) = (world.out("seen"), world.out("handed"));
        match &harness.skills {
            SkillsBy::Plugin { .. } => {
                for file in
                    [".claude-plugin/plugin.json", "skills/weather/scripts/look.sh", "skills/lone/SKILL.md"]
                {
                    assert!(handed.contains(file), "{name}: {handed}");
                }
            }
            SkillsBy::Argument { each, .. } if each.iter().any(|arg| arg == "{folder}") => {
                assert!(
                    handed.contains("weather/SKILL.md") && handed.contains("lone/SKILL.md"),
                    "{name}: {handed}"
                );
            }
            SkillsBy::Argument { .. } => {
                assert!(handed.contains("Look out.") && handed.contains("name: lone"), "{name}: {handed}");
            }
            SkillsBy::Variable { name: variable, .. } => {
                let environment = world.out("env");
                let line = environment.lines().find_map(|line| line.strip_prefix(&format!("{variable}=")));
                let value: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
                assert_eq!(value["skills"]["paths"].as_array().map(Vec::len), Some(2), "{name}: {value}");
            }
            SkillsBy::Workspace { folder, copies, args: needed } => {
                assert_eq!(world.out("links").is_empty(), *copies, "{name}");
                assert!(args.contains(&needed.join("\n")), "{name}: {args}");
                for skill in ["weather", "lone"] {
                    let file = format!("{}/{skill}/SKILL.md", folder.display());
                    assert!(seen.contains(&file), "{name}: {seen}");
                }
            }
            SkillsBy::None => {}
        }
        let environment = world.out("env");
        assert!(environment.contains(&format!("WEATHER_KEY={KEY}")), "{name}");
        assert!(environment.contains("HOME=") && !environment.contains("OTHER_SECRET"), "{name}");
        let may_log_in = harness.inherit.iter().any(|variable| variable == "ANTHROPIC_API_KEY");
        assert_eq!(environment.contains("hunter2-login"), may_log_in, "{name}");
        assert_eq!(world.left_over(), [] as [PathBuf; 0], "{name}");
    }
}

#[tokio::test]
async fn a_session_is_continued() {
    for harness in harness::harnesses() {
        let Some(resume) = &harness.resume else { continue };
        let world = World::new(harness, "exit 0");
        world.run(harness, Some("abc-123")).await;
        let wanted: Vec<String> = resume.iter().map(|arg| arg.replace("{session}", "abc-123")).collect();
        assert!(world.out("args").starts_with(&wanted.join("\n")), "{}", harness.id);
    }
    let claude = harness::find("claude").unwrap();
    let world = World::new(claude, "exit 0");
    let bad = HarnessRun {
        harness: claude,
        prompt: String::new(),
        session: Some("--dangerous".into()),
        model: None,
        args: Vec::new(),
        env: &world.env,
        context: world.context(claude),
        state: world.tree.path("state"),
        show: Arc::new(|_| {}),
    };
    assert!(harness::run(bad).await.unwrap_err().to_string().contains("not the id of a session"));
}

#[tokio::test]
async fn what_it_tells_is_recorded_without_secrets() {
    let claude = harness::find("claude").unwrap();
    let script = format!(
        r#"cat <<'END'
{{"type":"system","subtype":"init","session_id":"s-1"}}
not json {KEY}
{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"Skill","input":{{"skill":"prowess:weather","key":"{KEY}"}}}}]}}}}
{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":"key is {KEY}"}}]}}}}
{{"type":"assistant","message":{{"content":[{{"type":"text","text":"Rain, says {KEY}."}}]}}}}
{{"type":"result","subtype":"success","is_error":false,"result":"Rain, says {KEY}.","usage":{{"input_tokens":5,"output_tokens":2}}}}
END
echo "log {KEY}" >&2"#
    );
    let world = World::new(claude, &script);
    let report = world.run(claude, None).await;
    assert!(report.succeeded(), "{report:?}");
    assert_eq!((report.answer.as_str(), report.session.as_deref()), ("Rain, says [redacted].", Some("s-1")));
    assert_eq!((report.usage.input_tokens, report.usage.output_tokens), (5, 2));
    assert_eq!(*world.shown.lock().unwrap(), "Rain, says [redacted].\n");
    let events = world.events.lock().unwrap();
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| match event {
            TraceEvent::Activation { skill, by: ActivatedBy::Harness, .. } => skill.as_str(),
            TraceEvent::ToolCall { .. } => "call",
            TraceEvent::ToolResult { ok: true, .. } => "result",
            TraceEvent::Answer { .. } => "answer",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["weather", "call", "result", "answer"]);
    let all = serde_json::to_string(&*events).unwrap() + &format!("{report:?}");
    assert!(!all.contains("hunter2"), "{all}");
}

#[tokio::test]
async fn a_failure_says_why() {
    let aider = harness::find("aider").unwrap();
    let world = World::new(aider, &format!("echo 'no model for {KEY}' >&2\nexit 4"));
    let report = world.run(aider, None).await;
    assert_eq!((report.exit_code, report.succeeded()), (Some(4), false));
    assert_eq!(report.error.as_deref(), Some("no model for [redacted]"));
    let codex = harness::find("codex").unwrap();
    let world = World::new(codex, r#"echo '{"type":"turn.failed","error":{"message":"not logged in"}}'"#);
    let report = world.run(codex, None).await;
    assert_eq!((report.exit_code, report.succeeded()), (Some(0), false));
    assert_eq!(report.error.as_deref(), Some("not logged in"));
    let missing = Env::new([], "/");
    assert!(harness::program(codex, &missing).unwrap_err().to_string().contains("not on the `PATH`"));
}

#[tokio::test]
async fn cancelling_ends_it_and_everything_it_started() {
    let copilot = harness::find("copilot").unwrap();
    let world = World::new(copilot, "sleep 300 & echo $! > \"$out/child\"; echo started; wait");
    let cancel = world.cancel.clone();
    let child = world.tree.path("out/child");
    let stop = async {
        reached("the start of the child", || child.exists()).await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(world.run(copilot, None), stop);
    assert!(report.stopped && !report.succeeded(), "{report:?}");
    let child = fs::read_to_string(child).unwrap();
    let is_alive = || {
        let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    reached("the end of the child", || !is_alive()).await;
    assert_eq!(world.left_over(), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn a_workspace_keeps_what_it_had_and_loses_what_a_killed_run_left() {
    // One gets links, the other copies.
    for name in ["codex", "openclaw"] {
        let harness = harness::find(name).unwrap();
        let world = World::new(harness, "exit 0");
        let own = world.tree.write("ws/.agents/skills/weather/SKILL.md", "mine");
        // As a run that was killed leaves it.
        let link = world.tree.path("ws/.agents/skills/link");
        std::os::unix::fs::symlink(world.tree.path("skills/weather"), &link).unwrap();
        let mark = world.tree.write("ws/.agents/skills/copy/.prowess-copy", "");
        let copy = mark.parent().unwrap();
        let list = serde_json::json!({ "links": [link, copy, own.parent().unwrap()], "folders": [] });
        world.tree.write("state/old-run/placed.json", list.to_string());
        world.run(harness, None).await;
        assert_eq!(fs::read_to_string(&own).unwrap(), "mine", "{name}");
        assert!(world.out("seen").contains(".agents/skills/lone/SKILL.md"), "{name}");
        assert!(fs::symlink_metadata(&link).is_err() && !copy.exists(), "{name}");
        assert!(world.tree.path("skills/weather/SKILL.md").exists(), "{name}");
        assert!(!world.tree.path("ws/.agents/skills/lone").exists(), "{name}");
        assert!(!world.tree.path("state/old-run").exists(), "{name}");
    }
}
