//! Programs that the user configured.

use prowess_testkit::reached;
use serde_json::{Value, json};

use super::Run;
use crate::process::{assert_gone, environment, number_in};

fn command(argv: &[&str], stdin: &str) -> Value {
    json!({ "type": "command", "command": argv, "description": "A test", "stdin": stdin })
}

const HOSTILE: [&str; 8] = [
    "'; touch made; '",
    "\"; touch made; \"",
    "$(touch made)",
    "`touch made`",
    "a\nb\ttouch made",
    "{text}",
    "| touch made &",
    "\u{202e}\u{200b}ü",
];

#[tokio::test]
async fn the_input_arrives_as_json() {
    let mut run = Run::new();
    run.configure("echo", command(&["cat"], "json")).await;
    for text in HOSTILE {
        let input = json!({ "text": text, "nul": "a\u{0}b", "deep": [1, { "x": null }] });
        let output = run.call("echo", input.clone()).await;
        assert!(output.ok, "{output:?}");
        assert_eq!(serde_json::from_str::<Value>(&output.text).unwrap(), input);
    }
    assert!(!run.path("workspace/made").exists());
}

#[tokio::test]
async fn a_placeholder_is_one_argument_and_never_a_command() {
    let mut run = Run::new();
    run.configure("say", command(&["printf", "<%s>", "--", "{text}", "x"], "none")).await;
    for text in HOSTILE {
        let output = run.call("say", json!({ "text": text })).await;
        assert!(output.ok && output.text.contains(&format!("<{text}>")), "{output:?}");
    }
    assert!(!run.path("workspace/made").exists());
    for input in [json!({}), json!({ "text": 1 }), json!({ "text": "a\u{0}b" }), json!("text")] {
        let output = run.call("say", input).await;
        assert!(!output.ok && output.text.starts_with("the input does not fit: "), "{output:?}");
    }
}

#[tokio::test]
async fn consent_names_the_program_by_its_path() {
    let mut run = Run::new();
    run.configure("say", command(&["echo", "--", "{text}"], "none")).await;
    let asked = run.consent("say", json!({ "text": "a \"b\"" })).unwrap();
    let echo = ["/usr/local/bin/echo", "/usr/bin/echo", "/bin/echo"]
        .iter()
        .find(|path| std::path::Path::new(path).exists());
    assert_eq!(asked, format!("run `{} \"--\" \"a \\\"b\\\"\"`", echo.unwrap()));
    run.configure("pipe", command(&["cat"], "json")).await;
    let asked = run.consent("pipe", json!({ "a": 1 })).unwrap();
    assert!(asked.ends_with("` with the input {\"a\":1}"), "{asked}");
}

#[tokio::test]
async fn errors_are_shown_when_it_fails() {
    let mut run = Run::new();
    run.configure("fail", command(&["sh", "-c", "echo said; echo why >&2; exit 2"], "none")).await;
    let output = run.call("fail", json!({})).await;
    assert_eq!((output.ok, output.text.as_str()), (false, "said\nwhy\n[exit code 2]"));
    run.configure("fine", command(&["sh", "-c", "echo said; echo noise >&2"], "none")).await;
    assert_eq!(run.call("fine", json!({})).await.text, "said\n");
    run.configure("absent", command(&["no-such-program-anywhere"], "none")).await;
    let output = run.call("absent", json!({})).await;
    assert_eq!(output.text, "there is no program `no-such-program-anywhere` on this machine");
}

#[tokio::test]
async fn a_program_that_reads_nothing_or_takes_too_long_is_no_trouble() {
    let mut run = Run::new();
    run.configure("deaf", command(&["true"], "json")).await;
    let output = run.call("deaf", json!({ "text": "x".repeat(1 << 20) })).await;
    assert!(output.ok, "{output:?}");
    let mut slow = command(&["sh", "-c", "sleep 600 & echo $! > pid; wait"], "json");
    slow["timeoutMs"] = json!(300);
    run.configure("slow", slow).await;
    let output = run.call("slow", json!({ "text": "x".repeat(1 << 20) })).await;
    assert_eq!(output.text, "[stopped: it took longer than 0.3 s]");
    assert_gone(number_in(run.path("workspace/pid")).await).await;
}

#[tokio::test]
async fn it_sees_the_environment_of_the_run_and_stops_with_it() {
    let mut run = Run::with(environment(&[("PATH", "/usr/bin:/bin"), ("KEY", "value")]));
    run.configure("env", command(&["env"], "none")).await;
    assert_eq!(run.call("env", json!({})).await.text, "KEY=value\nPATH=/usr/bin:/bin\n");
    run.configure("sleep", command(&["sh", "-c", "touch began; sleep 600"], "none")).await;
    let (cancel, began) = (run.context.cancel.clone(), run.path("workspace/began"));
    let stop = async {
        reached("the start of the command", || began.exists()).await;
        cancel.cancel();
    };
    let (output, ()) = tokio::join!(run.call("sleep", json!({})), stop);
    assert_eq!(output.text, "[stopped: the run was cancelled]");
}

#[tokio::test]
async fn a_configured_tool_never_replaces_one_that_is_there() {
    let mut run = Run::new();
    run.configure("exec", command(&["true"], "none")).await;
    assert_eq!(run.notices(), ["the tool `exec` is left out: there is another of that name"]);
    assert!(run.tools.get("exec").unwrap().spec().description.contains("shell"));
}
