use serde_json::json;

use super::*;
use crate::test_support::few_words;

fn of(kind: &str, input: Value, is_phone: bool) -> (Action, Vec<(String, String)>) {
    let mut values = Values::default();
    let step = EpisodeStep { kind: kind.to_owned(), input, is_phone, ..EpisodeStep::default() };
    let action = if is_phone {
        crate::phone::action(&step, &few_words, &mut values)
    } else {
        action(&step, "/ws", &few_words, &mut values)
    };
    (action, values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

#[test]
fn every_kind_of_step_is_repeated_or_says_why_not() {
    for (kind, input, expected) in [
        ("exec", json!({"command": "wc -l /ws/a.txt"}), Ok("( wc -l \"$FILE_1\" )")),
        ("Bash", json!({"command": "cd x"}), Ok("( cd \"$TEXT_1\" )")),
        ("exec", json!({"command": "make", "workdir": "/ws/sub"}), Ok("( cd \"$TEXT_1\" && make )")),
        ("exec", json!({"command": "make", "workdir": "/ws"}), Ok("( make )")),
        ("shell", json!({"command": ["bash", "-lc", "git status"]}), Ok("( git status )")),
        ("shell", json!({"command": ["git", "log", "$(x)"]}), Ok("( git log \"$TEXT_1\" )")),
        ("exec", json!({"command": "echo $(date)"}), Err("its command line is not simple")),
        ("exec", json!({"command": "sleep 9", "background": true}), Err("it runs in the background")),
        ("exec", json!({"command": 7}), Err("it is not a command")),
        (
            "write",
            json!({"path": "/ws/o/a.md", "content": "hi"}),
            Ok("mkdir -p \"$(dirname \"$FILE_1\")\"\nprintf '%s' \"$TEXT_1\" > \"$FILE_1\""),
        ),
        ("write", json!({"path": "a"}), Err("what it wrote is not known")),
        ("write", json!({"path": "a", "content": "x".repeat(70_000)}), Err("its text is too long")),
        ("Edit", json!({"file_path": "a"}), Err("it is not a command")),
    ] {
        let (action, _) = of(kind, input.clone(), false);
        let replay = match &action.replay {
            Repeat::Lines(lines) => Ok(lines.as_str()),
            Repeat::Nothing => Ok(""),
            Repeat::Not(reason) => Err(*reason),
        };
        assert_eq!(replay, expected, "{kind} {input}");
    }
    assert_eq!(of("read", json!({"path": "/ws/a b.txt"}), false).0.replay, Repeat::Nothing);
}

#[test]
fn phone_steps_keep_their_bounds() {
    for (kind, input, expected) in [
        ("tap", json!({"x": 10.6, "y": 20.2}), "adb shell input tap 11 20"),
        ("swipe", json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}), "adb shell input swipe 1 2 3 4 300"),
        (
            "swipe",
            json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 5}),
            "adb shell input swipe 1 2 3 4 100",
        ),
        ("drag", json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}), "adb shell input swipe 1 2 3 4 360"),
        ("long_press_drag", json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}), "adb shell input swipe 1 2 3 4 750"),
        ("keyevent", json!({"keycode": "KEYCODE_HOME"}), "adb shell input keyevent KEYCODE_HOME"),
        ("wait", json!({"durationMs": 1}), "sleep 0.100"),
        ("wait", json!({}), "sleep 1.000"),
        (
            "launch_app",
            json!({"packageName": "com.app"}),
            "adb shell monkey -p com.app -c android.intent.category.LAUNCHER 1",
        ),
        ("type", json!({"text": "weather report"}), "adb shell 'input text '\\''weather%sreport'\\'''"),
        ("type", json!({"text": "Ada"}), "adb shell \"input text $(typed \"$TEXT_1\")\""),
        ("shell", json!({"command": "ls; reboot"}), "adb shell \"$TEXT_1\""),
    ] {
        assert_eq!(
            of(kind, input.clone(), true).0.replay,
            Repeat::Lines(expected.to_owned()),
            "{kind} {input}"
        );
    }
    for (kind, input) in [
        ("tap_element", json!({"elementId": "e1"})),
        ("tap", json!({"x": "1; reboot", "y": 1})),
        ("keyevent", json!({"keycode": "3; reboot"})),
        ("launch_app", json!({"packageName": "com.app; reboot"})),
        ("finish", json!({})),
    ] {
        assert!(matches!(of(kind, input, true).0.replay, Repeat::Not(_)), "{kind}");
    }
}

#[test]
fn programs_are_named_without_their_arguments() {
    let step = EpisodeStep {
        kind: "exec".into(),
        input: json!({"command": "cd a && git log | jq . > b"}),
        ..EpisodeStep::default()
    };
    assert_eq!(programs(&step), ["git", "jq"]);
}
