//! Sessions over HTTP.

use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::{Value, json};

use crate::learn_support::configure;
use crate::support::{GatewayHome as _, Home, skill};

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_their_traces_come_page_by_page() {
    let server = ChatServer::answering(|_| Turn::say("Yes."));
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    for name in ["one", "two", "three"] {
        gateway.run(&format!("is {name} a number?"), name).await;
    }
    let mut found = Vec::new();
    let mut offset = json!(0);
    while !offset.is_null() {
        let page = gateway.good("sessions.list", json!({ "limit": 2, "offset": offset })).await;
        assert_eq!(page["totalCount"], 3);
        found.extend(page["sessions"].as_array().unwrap().iter().map(|row| row["sessionId"].clone()));
        offset = page["nextOffset"].clone();
    }
    assert_eq!(found, ["three", "two", "one"]);
    let row =
        gateway.good("sessions.list", json!({ "search": "is TWO", "limit": 4 })).await["sessions"][0].clone();
    assert_eq!(
        (&row["key"], &row["model"], &row["modelProvider"]),
        (&json!("agent:main:two"), &json!("scripted"), &json!("test"))
    );
    assert_eq!((&row["agentId"], &row["totalTokens"]), (&json!("main"), &json!(120)));

    let mut lines: Vec<Value> = Vec::new();
    let mut offset = json!(0);
    while !offset.is_null() {
        let page = gateway
            .good("sessions.events", json!({ "session": "agent:main:one", "limit": 2, "offset": offset }))
            .await;
        assert!(page["events"].as_array().unwrap().len() <= 2);
        lines.extend(page["events"].as_array().unwrap().clone());
        offset = page["nextOffset"].clone();
    }
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"session"), Some(&"run_ended")));
    let message = gateway.refused("sessions.events", json!({ "session": "one", "run": "nothing" })).await;
    assert!(message.contains("has no run `nothing`"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_tells_which_skills_it_was_shown_and_used() {
    let server = ChatServer::start(vec![Turn::say("Tidied.")]);
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    configure(&home, &server, "");
    let gateway = home.start().await;
    gateway.run("/tidy my downloads", "s").await;
    let got = gateway.good("sessions.get", json!({ "session": "s" })).await;
    let used = &got["activations"][0]["used"][0];
    assert_eq!((&used["skill"], &used["by"]), (&json!("tidy"), &json!("command")), "{got}");
    assert!(got["activations"][0]["decision"].is_string(), "{got}");
    assert_eq!(got["summary"]["runs"][0]["loaded"], json!(["tidy"]), "{got}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_of_a_run_comes_with_its_difference() {
    let home = Home::new();
    let engine = home.engine();
    let sessions = engine.sessions();
    let id: prowess_sessions::SessionId = "talk".parse().unwrap();
    for (run, context) in [("r1", None), ("r2", Some("weather\n".to_owned()))] {
        let clock = prowess_context::Clock::new(|| 1_000);
        let writer = sessions.open(id.clone(), "main", "/w", clock).unwrap().run(run);
        let ranked = prowess_types::RankedSkill {
            name: "slack".to_owned(),
            score: 1.0,
            confidence: 0.9,
            loaded: true,
        };
        let decision = prowess_types::SelectionDecision::Load;
        writer
            .append(prowess_types::TraceEvent::Selection {
                decision,
                confidence: 0.9,
                ranked: vec![ranked],
                follow_up: None,
            })
            .unwrap();
        let sent =
            prowess_sessions::SentPrompt { system: "skills\n".to_owned(), context, message: "hi".to_owned() };
        let skill = prowess_types::PromptedSkill {
            name: "weather".to_owned(),
            path: "/weather/SKILL.md".to_owned(),
            content_hash: None,
            how: prowess_types::PromptedAs::Listed,
        };
        writer.append(sessions.keep_prompt(&id, &sent).unwrap().event(1, vec![skill], None)).unwrap();
    }
    sessions.open("old".parse().unwrap(), "main", "/w", prowess_context::Clock::new(|| 1)).unwrap();
    let gateway = home.start().await;
    let got = gateway.good("sessions.prompt", json!({ "session": "talk", "diff": true })).await;
    assert_eq!((&got["prompt"]["run"], &got["prompt"]["context"]), (&json!("r2"), &json!("weather\n")));
    assert_eq!(got["difference"]["parts"][1]["text"], "@@ -0,0 +1 @@\n+weather\n");
    let first =
        gateway.good("sessions.prompt", json!({ "session": "talk", "run": "r1", "diff": true })).await;
    assert_eq!(first["difference"], Value::Null);
    let message = gateway.refused("sessions.prompt", json!({ "session": "old" })).await;
    assert!(message.contains("has no run yet"), "{message}");
    // What was considered is not what was shown.
    let run = gateway.good("sessions.get", json!({ "session": "talk" })).await["activations"][0].clone();
    assert_eq!(
        (&run["considered"][0]["name"], &run["shown"][0]["name"]),
        (&json!("slack"), &json!("weather"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_set_for_a_session_counts_and_stays() {
    let server = ChatServer::answering(|request| Turn::say(request.body["model"].as_str().unwrap()));
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    let key = "agent:main:main";
    let set = json!({ "key": key, "model": "test/other", "thinkingLevel": "low", "execHost": "gateway" });
    let entry = gateway.good("sessions.patch", set).await["entry"].clone();
    assert_eq!(entry, json!({ "model": "test/other", "thinkingLevel": "low", "execHost": "gateway" }));
    let run = gateway.good("runs.start", json!({ "message": "who?", "sessionKey": key })).await;
    let ended = gateway.good("runs.wait", json!({ "runId": run["runId"], "timeoutMs": 60_000 })).await;
    assert_eq!(ended["report"]["answer"], "other");
    let row = gateway.good("sessions.list", json!({ "agentId": "main", "search": key })).await["sessions"][0]
        .clone();
    assert_eq!(
        (&row["key"], &row["model"], &row["thinkingLevel"], &row["execHost"]),
        (&json!(key), &json!("other"), &json!("low"), &json!("gateway"))
    );
    let entry = gateway.good("sessions.patch", json!({ "key": key, "model": null })).await["entry"].clone();
    assert_eq!(entry, json!({ "thinkingLevel": "low", "execHost": "gateway" }));
    let message = gateway.refused("sessions.patch", json!({ "key": key, "model": "other" })).await;
    assert!(message.starts_with("`model` is `provider/model`"), "{message}");

    let preview = json!({ "keys": [key, "agent:main:none"], "limit": 1, "maxChars": 3 });
    let previews = gateway.good("sessions.preview", preview).await["previews"].clone();
    assert_eq!(
        previews[0],
        json!({ "key": key, "status": "ok", "items": [{ "role": "assistant", "text": "oth" }] })
    );
    assert_eq!(previews[1]["status"], "missing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_begins_anew_is_rated_exported_and_deleted() {
    let server = ChatServer::answering(|_| Turn::say("Yes."));
    let home = Home::new();
    configure(&home, &server, "");
    let gateway = home.start().await;
    gateway.run("really?", "s").await;
    let rated =
        gateway.good("sessions.rate", json!({ "session": "s", "rating": "good", "note": "fine" })).await;
    assert_eq!(rated["outcome"], json!({ "result": "success", "by": "user" }));
    let exported = gateway.good("sessions.export", json!({ "session": "s" })).await;
    assert_eq!(exported["fileName"], "s.md");
    assert!(exported["text"].as_str().unwrap().contains("really?"));

    let kept = gateway.good("sessions.reset", json!({ "key": "s" })).await["keptAs"].clone();
    assert_eq!(gateway.good("chat.history", json!({ "sessionKey": "s" })).await["messages"], json!([]));
    let old = gateway.good("sessions.get", json!({ "session": kept })).await;
    assert_eq!(old["summary"]["runs"][0]["note"], "fine");
    gateway.run("once more?", "s").await;
    assert_eq!(
        gateway.good("chat.history", json!({ "sessionKey": "s" })).await["messages"]
            .as_array()
            .unwrap()
            .len(),
        2
    );

    assert_eq!(gateway.good("sessions.delete", json!({ "key": "s" })).await["deleted"], true);
    assert_eq!(gateway.good("sessions.delete", json!({ "key": "s" })).await["deleted"], false);
    assert_eq!(gateway.refused("sessions.get", json!({ "session": "s" })).await, "there is no session `s`");
    // A key that would lead out of the folder is a name like any other.
    assert_eq!(gateway.good("sessions.delete", json!({ "key": "../../work" })).await["deleted"], false);
    assert!(home.workspace().is_dir());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_of_another_agent_is_taken_over_as_text() {
    let gateway = Home::new().start().await;
    let line = json!({
        "type": "user", "sessionId": "abc", "uuid": "u1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/p",
        "message": { "role": "user", "content": "hello" },
    });
    let imported =
        gateway.good("sessions.import", json!({ "kind": "claude-code", "text": format!("{line}\n") })).await;
    assert_eq!((&imported["id"], &imported["runs"]), (&json!("claude-code-abc"), &json!(1)));
    let message = gateway.refused("sessions.import", json!({ "kind": "codex", "text": "nonsense" })).await;
    assert_eq!(message, "`the text` holds no session of codex");
}
