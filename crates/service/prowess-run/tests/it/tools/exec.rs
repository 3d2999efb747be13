//! `exec` and `job`.

use std::os::unix::fs::symlink;
use std::time::Duration;

use prowess_run::ProtectedPlaces;
use prowess_run::Tools;
use prowess_run::process::{Sandbox, SandboxMode};
use prowess_run::tools::ToolPolicy;
use prowess_testkit::eventually;
use serde_json::json;

use super::Run;
use crate::process::{assert_gone, environment, number_in};

#[tokio::test]
async fn a_command_runs_in_the_workspace_with_the_runs_environment_only() {
    let run = Run::with(environment(&[("PATH", "/usr/bin:/bin"), ("KEY", "value")]));
    let output = run.call("exec", json!({ "command": "pwd; echo $KEY; env | grep -c CARGO" })).await;
    let workspace = run.path("workspace").canonicalize().unwrap();
    assert_eq!(output.text, format!("{}\nvalue\n0\n[exit code 1]", workspace.display()));
    assert_eq!((output.ok, output.exit_code), (false, Some(1)));
    let output = run.call("exec", json!({ "command": "true" })).await;
    assert_eq!((output.ok, output.text.as_str(), output.exit_code), (true, "[no output]", Some(0)));
}

#[tokio::test]
async fn the_working_folder_is_the_workspace_or_a_skill() {
    let run = Run::new();
    symlink(run.path("outside"), run.path("workspace/away")).unwrap();
    let skill = run.path("skills/tea");
    let output = run.call("exec", json!({ "command": "cat SKILL.md", "workdir": skill })).await;
    assert_eq!(output.text, "how to make tea\n");
    for workdir in ["..", "away", "/", "missing", "~", "../skills"] {
        let output = run.call("exec", json!({ "command": "cat secret", "workdir": workdir })).await;
        assert!(!output.ok && output.text.starts_with("cannot work there: "), "{workdir}: {output:?}");
    }
    let output = run.call("exec", json!({ "command": "pwd", "workdir": skill.join("SKILL.md") })).await;
    assert!(!output.ok, "{output:?}");
}

#[tokio::test]
async fn input_that_does_not_fit_is_explained() {
    let run = Run::new();
    for input in
        [json!({}), json!({ "command": ["ls"] }), json!({ "command": "ls", "timeout": -1 }), json!([])]
    {
        let output = run.call("exec", input).await;
        assert!(output.text.starts_with("the input does not fit: "), "{output:?}");
    }
    let output = run.call("exec", json!({ "command": "  " })).await;
    assert_eq!(output.text, "the command is empty");
}

#[tokio::test]
async fn the_time_limit_of_the_run_is_the_longest() {
    let mut run = Run::new();
    run.context.limits.tool_timeout = Duration::from_millis(300);
    let output = run.call("exec", json!({ "command": "echo before; sleep 600", "timeout": 500 })).await;
    assert_eq!(output.text, "before\n[stopped: it took longer than 0.3 s]");
    assert_eq!((output.ok, output.exit_code), (false, None));
}

#[tokio::test]
async fn cancelling_stops_a_command_in_the_middle() {
    let run = Run::new();
    let cancel = run.context.cancel.clone();
    let pid = run.path("workspace/pid");
    let call = run.call("exec", json!({ "command": "sleep 600 & echo $! > pid; wait" }));
    let stop = async {
        let child = number_in(pid).await;
        cancel.cancel();
        child
    };
    let (output, child) = tokio::join!(call, stop);
    assert_eq!(output.text, "[stopped: the run was cancelled]");
    assert_gone(child).await;
}

#[tokio::test]
async fn output_is_cut_in_the_middle() {
    let mut run = Run::new();
    run.context.limits.max_output_bytes = 20;
    let output = run.call("exec", json!({ "command": "seq 100000" })).await;
    assert!(output.text.starts_with("1\n2\n3\n4\n5\n\n[… "), "{output:?}");
    assert!(output.text.ends_with("\n99\n100000\n"), "{output:?}");
    assert_eq!(output.omitted_bytes, 588_895 - 20);
}

#[tokio::test]
async fn a_background_job_is_polled_written_to_and_killed() {
    let run = Run::new();
    let started =
        run.call("exec", json!({ "command": "read a; echo got $a; sleep 600", "background": true })).await;
    assert_eq!(started.text, "started as job 1; look at it with the tool `job`");
    let output = run.call("job", json!({ "action": "list" })).await;
    assert_eq!(output.text, "job 1: running: read a; echo got $a; sleep 600");
    let output = run.call("job", json!({ "action": "write", "job": 1, "text": "it\n" })).await;
    assert!(output.ok, "{output:?}");
    let mut heard = String::new();
    eventually("what the job prints", async || {
        let output = run.call("job", json!({ "action": "poll", "job": 1 })).await;
        assert!(output.ok && output.text.ends_with("[job 1: running]"), "{output:?}");
        heard.push_str(&output.text);
        heard.contains("got it\n").then_some(())
    })
    .await;
    let output = run.call("job", json!({ "action": "kill", "job": 1 })).await;
    assert_eq!((output.ok, output.text.as_str()), (true, "[job 1: killed]"));
    let output = run.call("job", json!({ "action": "poll", "job": 9 })).await;
    assert_eq!((output.ok, output.text.as_str()), (false, "there is no job `9`"));
    let output = run.call("job", json!({ "action": "dance", "job": 1 })).await;
    assert!(output.text.starts_with("the input does not fit: "), "{output:?}");
}

#[tokio::test]
async fn an_interactive_program_runs_on_a_terminal() {
    let run = Run::new();
    let output = run.call("exec", json!({ "command": "test -t 0 && echo terminal", "pty": true })).await;
    assert_eq!(output.text.trim_end(), "terminal");
    let command = "printf 'name? '; read name; echo hello $name";
    run.call("exec", json!({ "command": command, "pty": true, "background": true })).await;
    run.call("job", json!({ "action": "write", "job": 1, "text": "Ada\n" })).await;
    let output = run.call("job", json!({ "action": "poll", "job": 1, "wait": 60 })).await;
    assert!(output.text.contains("name? ") && output.text.contains("hello Ada"), "{output:?}");
    assert_eq!(output.exit_code, Some(0));
}

#[tokio::test]
async fn jobs_end_with_the_tools_of_the_run() {
    let run = Run::new();
    run.call("exec", json!({ "command": "echo $$ > pid; exec sleep 600", "background": true })).await;
    let child = number_in(run.path("workspace/pid")).await;
    drop(run);
    assert_gone(child).await;
}

#[tokio::test]
async fn commands_are_confined_or_the_user_is_told() {
    let mut run = Run::new();
    let protected = ProtectedPlaces { hidden: vec![run.path("outside")], ..ProtectedPlaces::default() };
    let sandbox = Sandbox { mode: SandboxMode::Auto, protected, ..Sandbox::default() };
    run.tools = Tools::built_in(&ToolPolicy::default(), sandbox);
    run.context.environment =
        environment(&[("PATH", "/usr/bin:/bin"), ("TMPDIR", run.path("workspace").to_str().unwrap())]).into();
    let command = "cat ../outside/secret; echo in > inside; echo out > ../skills/tea/SKILL.md; cat ../skills/tea/SKILL.md";
    for _ in 0..2 {
        let output = run.call("exec", json!({ "command": command })).await;
        assert_eq!(run.text_of("workspace/inside"), "in\n");
        let told = run.notices();
        if Sandbox::is_supported() {
            assert!(
                output.text.ends_with("how to make tea\n") && !output.text.contains("planted"),
                "{output:?}"
            );
            assert!(told.is_empty(), "{told:?}");
        } else {
            assert_eq!(told.len(), 1, "told once: {told:?}");
            assert!(told[0].starts_with("commands run without a sandbox: "), "{told:?}");
        }
    }
}
