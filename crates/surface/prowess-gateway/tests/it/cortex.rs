//! The cortex over HTTP.

use serde_json::{Value, json};

use crate::support::{GatewayHome as _, Home, Running};

/// A gateway that learned from three outcomes of one skill.
async fn taught() -> (Home, Running) {
    let home = Home::new();
    let gateway = home.start().await;
    for result in ["success", "success", "task_mismatch"] {
        let outcome = json!({ "skill": "todoist-cli", "version": "1.0.0", "result": result, "region": "todo", "task": "add a todo item" });
        gateway.good("cortex.record", outcome).await;
    }
    (home, gateway)
}

/// The answer to one call, for a snapshot.
async fn answered(method: &str, params: Value) -> String {
    let (home, gateway) = taught().await;
    home.shown_json(&gateway.good(method, params).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_state_says_why_a_candidate_is_hidden() {
    let answer = answered("cortex.state", json!({ "region": "todo" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "file": "[ROOT]/.prowess/cortex.json",
      "rules": "prowess",
      "events": 3,
      "regions": [
        {
          "region": "todo",
          "signals": [
            "todo",
            "item"
          ],
          "lastUsed": "[DATE]",
          "candidates": [],
          "hidden": [
            {
              "candidate": {
                "slug": "todoist-cli",
                "source": "",
                "version": "1.0.0",
                "weight": 0.24275,
                "runs": {
                  "success": 2,
                  "fail": 1,
                  "recent_successes_7d": 2,
                  "consecutive_success": 0,
                  "success_dates": [
                    "[DATE]",
                    "[DATE]"
                  ]
                },
                "last_fail": {
                  "type": "task_mismatch",
                  "detail": "",
                  "date": "[DATE]"
                },
                "side_effects": [
                  "shell:unknown"
                ],
                "skill_md_chars": 0,
                "reflex": false,
                "last_used": "[DATE]"
              },
              "effective": 0.24275,
              "why": "weak"
            }
          ]
        }
      ],
      "longTerm": [],
      "lessons": [],
      "blacklist": [],
      "stats": {
        "searches": 0,
        "installs": 0,
        "cache_hits": 0,
        "reflexes_fired": 0
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_regions_lists_what_was_learned() {
    let answer = answered("cortex.regions", json!({})).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "regions": [
        {
          "region": "todo",
          "signals": [
            "todo",
            "item"
          ],
          "lastUsed": "[DATE]",
          "candidates": [],
          "hidden": [
            {
              "candidate": {
                "slug": "todoist-cli",
                "source": "",
                "version": "1.0.0",
                "weight": 0.24275,
                "runs": {
                  "success": 2,
                  "fail": 1,
                  "recent_successes_7d": 2,
                  "consecutive_success": 0,
                  "success_dates": [
                    "[DATE]",
                    "[DATE]"
                  ]
                },
                "last_fail": {
                  "type": "task_mismatch",
                  "detail": "",
                  "date": "[DATE]"
                },
                "side_effects": [
                  "shell:unknown"
                ],
                "skill_md_chars": 0,
                "reflex": false,
                "last_used": "[DATE]"
              },
              "effective": 0.24275,
              "why": "weak"
            }
          ]
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_weights_has_a_point_for_each_outcome() {
    let answer = answered("cortex.weights", json!({ "region": "todo" })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "rules": "prowess",
      "series": [
        {
          "region": "todo",
          "slug": "todoist-cli",
          "points": [
            {
              "seq": 1,
              "at": "[TIME]",
              "event": "outcome",
              "weight": 0.575,
              "reflex": false
            },
            {
              "seq": 2,
              "at": "[TIME]",
              "event": "outcome",
              "weight": 0.6068749999999999,
              "reflex": false
            },
            {
              "seq": 3,
              "at": "[TIME]",
              "event": "outcome",
              "weight": 0.24275,
              "reflex": false
            }
          ]
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_weights_takes_a_limit() {
    let answer = answered("cortex.weights", json!({ "skill": "todoist-cli", "limit": 1 })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "rules": "prowess",
      "series": [
        {
          "region": "todo",
          "slug": "todoist-cli",
          "points": [
            {
              "seq": 3,
              "at": "[TIME]",
              "event": "outcome",
              "weight": 0.24275,
              "reflex": false
            }
          ]
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_history_takes_a_limit() {
    let answer = answered("cortex.history", json!({ "skill": "todoist-cli", "limit": 2 })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "events": [
        {
          "seq": 2,
          "event": {
            "v": 1,
            "id": "[ULID]",
            "clock": "[TIME]",
            "kind": "outcome",
            "region": "todo",
            "slug": "todoist-cli",
            "version": "1.0.0",
            "result": "success"
          }
        },
        {
          "seq": 3,
          "event": {
            "v": 1,
            "id": "[ULID]",
            "clock": "[TIME]",
            "kind": "outcome",
            "region": "todo",
            "slug": "todoist-cli",
            "version": "1.0.0",
            "result": "task_mismatch"
          }
        }
      ]
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_replay_comes_to_the_same() {
    let answer = answered("cortex.replay", json!({})).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "same": true,
      "view": {
        "file": "[ROOT]/.prowess/cortex.json",
        "rules": "prowess",
        "events": 3,
        "regions": [
          {
            "region": "todo",
            "signals": [
              "todo",
              "item"
            ],
            "lastUsed": "[DATE]",
            "candidates": [],
            "hidden": [
              {
                "candidate": {
                  "slug": "todoist-cli",
                  "source": "",
                  "version": "1.0.0",
                  "weight": 0.24275,
                  "runs": {
                    "success": 2,
                    "fail": 1,
                    "recent_successes_7d": 2,
                    "consecutive_success": 0,
                    "success_dates": [
                      "[DATE]",
                      "[DATE]"
                    ]
                  },
                  "last_fail": {
                    "type": "task_mismatch",
                    "detail": "",
                    "date": "[DATE]"
                  },
                  "side_effects": [
                    "shell:unknown"
                  ],
                  "skill_md_chars": 0,
                  "reflex": false,
                  "last_used": "[DATE]"
                },
                "effective": 0.24275,
                "why": "weak"
              }
            ]
          }
        ],
        "longTerm": [],
        "lessons": [],
        "blacklist": [],
        "stats": {
          "searches": 0,
          "installs": 0,
          "cache_hits": 0,
          "reflexes_fired": 0
        }
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn cortex_forget_leaves_nothing_of_a_region() {
    let answer = answered("cortex.forget", json!({ "forget": { "what": "region", "region": "todo" } })).await;
    insta::assert_snapshot!(answer, @r#"
    {
      "ok": true,
      "events": 4,
      "regions": 0
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_forgotten_has_no_weight_and_no_state() {
    let (_home, gateway) = taught().await;
    gateway.good("cortex.forget", json!({ "forget": { "what": "region", "region": "todo" } })).await;
    let gone = gateway.good("cortex.weights", json!({})).await["series"][0]["points"].clone();
    assert!(gone.as_array().unwrap().last().unwrap()["weight"].is_null(), "{gone}");
    let message = gateway.refused("cortex.state", json!({ "region": "todo" })).await;
    insta::assert_snapshot!(message, @"nothing was learned about tasks of the kind `todo`");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_do_not_exist_and_forgetting_without_consent_are_refused() {
    let (_home, gateway) = taught().await;
    let message = gateway.refused("cortex.replay", json!({ "rules": "mine" })).await;
    insta::assert_snapshot!(message, @"`rules` is `prowess` or `as-written`");
    let message = gateway.refused("cortex.forget", json!({ "forget": { "what": "everything" } })).await;
    insta::assert_snapshot!(message, @"everything that was learned would be forgotten; send `consent: true` if that is meant");
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
    // Without an encoder the same words are known again, others are not, and no registry is asked.
    let task = json!({ "task": "add an item to my todo list", "offline": true });
    let seen = gateway.good("cortex.perceive", task).await;
    assert_eq!((&seen["region"]["region"], &seen["notices"]), (&learned["region"], &json!([])), "{seen}");
    let other = json!({ "task": "dim the lights in the kitchen", "offline": true });
    let seen = gateway.good("cortex.perceive", other).await;
    assert_eq!(seen["region"], Value::Null, "{seen}");
    assert_eq!(seen["notices"], json!(["nothing is remembered for such tasks, and no registry was asked"]));
    assert_eq!(
        gateway.refused("cortex.perceive", json!({ "task": " ", "offline": true })).await,
        "the task is empty"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_are_recorded_by_name_and_never_by_value() {
    let gateway = Home::new().start().await;
    let outcome =
        |names: Value| json!({ "skill": "mail", "result": "success", "region": "mail", "envReady": names });
    for _ in 0..2 {
        gateway.good("cortex.record", outcome(json!(["MAIL_TOKEN"]))).await;
    }
    let lessons = gateway.good("cortex.lessons.list", json!({})).await["lessons"].clone();
    assert_eq!(
        (&lessons[0]["type"], &lessons[0]["key"]),
        (&json!("env_ready"), &json!("MAIL_TOKEN")),
        "{lessons}"
    );
    let message = gateway.refused("cortex.record", outcome(json!(["MAIL_TOKEN=hunter2"]))).await;
    assert!(message.contains("never its value") && !message.contains("hunter2"), "{message}");
}
