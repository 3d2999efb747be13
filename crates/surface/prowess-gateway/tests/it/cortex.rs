//! The cortex over HTTP.

use serde_json::json;

use crate::support::Home;

#[tokio::test(flavor = "multi_thread")]
async fn outcomes_move_weights_and_can_be_forgotten() {
    let gateway = Home::new().start().await;
    for result in ["success", "success", "task_mismatch"] {
        let outcome = json!({ "skill": "todoist-cli", "version": "1.0.0", "result": result, "region": "todo", "task": "add a todo item" });
        gateway.good("cortex.record", outcome).await;
    }
    let state = gateway.good("cortex.state", json!({ "region": "todo" })).await;
    let hidden = &state["regions"][0]["hidden"][0];
    assert_eq!(hidden["why"], "weak", "{state}");
    let candidate = &hidden["candidate"];
    assert_eq!(
        (&candidate["slug"], &candidate["runs"]["success"]),
        (&json!("todoist-cli"), &json!(2)),
        "{state}"
    );
    assert_eq!(gateway.good("cortex.regions", json!({})).await["regions"][0]["region"], "todo");

    let weights = gateway.good("cortex.weights", json!({ "region": "todo" })).await;
    let series = &weights["series"][0];
    assert_eq!((&series["region"], &series["slug"]), (&json!("todo"), &json!("todoist-cli")));
    let points: Vec<f64> =
        series["points"].as_array().unwrap().iter().filter_map(|it| it["weight"].as_f64()).collect();
    assert!(points.len() == 3 && points[0] < points[1] && points[2] < points[1], "{points:?}");
    assert_eq!(series["points"][2]["weight"], candidate["weight"]);
    let latest = gateway.good("cortex.weights", json!({ "skill": "todoist-cli", "limit": 1 })).await;
    assert_eq!(latest["series"][0]["points"].as_array().unwrap().len(), 1);

    let history = gateway.good("cortex.history", json!({ "skill": "todoist-cli", "limit": 2 })).await;
    assert_eq!(history["events"].as_array().unwrap().len(), 2);
    let replayed = gateway.good("cortex.replay", json!({})).await;
    assert_eq!((&replayed["same"], &replayed["view"]["events"]), (&json!(true), &json!(3)));
    assert_eq!(
        gateway.refused("cortex.replay", json!({ "rules": "mine" })).await,
        "`rules` is `prowess` or `as-written`"
    );

    let message = gateway.refused("cortex.forget", json!({ "forget": { "what": "everything" } })).await;
    assert!(message.contains("consent: true"), "{message}");
    let left =
        gateway.good("cortex.forget", json!({ "forget": { "what": "region", "region": "todo" } })).await;
    assert_eq!((&left["events"], &left["regions"]), (&json!(4), &json!(0)));
    let gone = gateway.good("cortex.weights", json!({})).await["series"][0]["points"].clone();
    assert!(gone.as_array().unwrap().last().unwrap()["weight"].is_null(), "{gone}");
    let message = gateway.refused("cortex.state", json!({ "region": "todo" })).await;
    assert_eq!(message, "nothing was learned about tasks of the kind `todo`");
}

#[tokio::test(flavor = "multi_thread")]
async fn bans_lessons_and_exports() {
    let gateway = Home::new().start().await;
    assert_eq!(
        gateway.good("cortex.ban", json!({ "skill": "bad" })).await,
        json!({ "changed": true, "blacklist": ["bad"] })
    );
    assert_eq!(gateway.good("cortex.ban", json!({ "skill": "bad" })).await["changed"], false);
    for _ in 0..3 {
        let outcome = json!({ "skill": "pdf", "result": "dependency_missing", "key": "pdftotext", "region": "pdf", "task": "read a pdf" });
        gateway.good("cortex.record", outcome).await;
    }
    let lessons = gateway.good("cortex.lessons.list", json!({})).await["lessons"].clone();
    assert_eq!(
        (&lessons[0]["type"], &lessons[0]["key"]),
        (&json!("dependency_warning"), &json!("pdftotext")),
        "{lessons}"
    );
    let lesson = json!({ "type": "dependency_warning", "region": "pdf", "key": "pdftotext" });
    let judged = gateway.good("cortex.lessons.judge", json!({ "lesson": lesson, "right": true })).await;
    assert!(judged["lessons"][0]["confidence"].as_f64() > lessons[0]["confidence"].as_f64(), "{judged}");
    let other = json!({ "type": "env_ready", "region": "pdf", "key": "X" });
    let message = gateway.refused("cortex.lessons.judge", json!({ "lesson": other, "right": true })).await;
    assert!(message.starts_with("there is no such lesson"), "{message}");

    let exported = gateway.good("cortex.export", json!({})).await["text"].clone();
    let elsewhere = Home::new().start().await;
    assert_eq!(elsewhere.good("cortex.import", json!({ "text": exported })).await["changed"], true);
    assert_eq!(elsewhere.good("cortex.state", json!({})).await["blacklist"], json!(["bad"]));
    let message = elsewhere.refused("cortex.import", json!({ "text": "[]" })).await;
    assert!(message.starts_with("`the text` is not a cortex file"), "{message}");
    assert_eq!(gateway.good("cortex.unban", json!({ "skill": "bad" })).await["blacklist"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_perceived_without_asking_anybody() {
    let home = Home::new();
    let gateway = home.start().await;
    let outcome =
        json!({ "skill": "todoist-cli", "result": "success", "task": "add an item to my todo list" });
    let learned = gateway.good("cortex.record", outcome).await;
    // Without an encoder nothing is known to be alike, and nobody is asked.
    let task = json!({ "task": "add an item to my todo list", "offline": true });
    let seen = gateway.good("cortex.perceive", task).await;
    assert_eq!(seen["nearest"]["region"], learned["region"], "{seen}");
    assert_eq!(seen["notices"], json!(["nothing is remembered for such tasks, and no registry was asked"]));
    assert_eq!(
        gateway.refused("cortex.perceive", json!({ "task": " ", "offline": true })).await,
        "the task is empty"
    );
}
