//! A phone's steps: what they say, and the `adb` commands that repeat them.
//!
//! What is typed passes two shells, ours and the phone's. It is quoted for both, so that neither reads anything in it.

use prowess_text::posix_word;
use serde_json::Value;

use crate::action::{Action, Repeat, identifier};
use crate::episode::EpisodeStep;
use crate::parameter::Values;
use crate::words::{Filter, is_plain};

/// The key that pastes.
const PASTE: &str = "279";

/// Defines what quotes a parameter for the phone's shell: as it is, and for its keyboard, which wants `%s` for blanks.
pub(crate) const QUOTING: &str = r#"on_phone() {
  printf "'"; printf '%s' "$1" | tr '\n\r' '  ' | sed "s/'/'\\\\''/g" | tr -d '\n'; printf "'"
}
typed() { on_phone "$1" | sed 's/ /%s/g'; }"#;

pub(crate) fn action(step: &EpisodeStep, filter: Filter<'_>, values: &mut Values) -> Action {
    let kind = identifier(&step.kind);
    let input = &step.input;
    let tap = |command: String| format!("adb shell input {command}");
    let replay = match step.kind.as_str() {
        "tap" => point(input, "x", "y").map(|(x, y)| tap(format!("tap {x} {y}"))),
        "swipe" => {
            line(input).map(|line| tap(format!("swipe {line} {}", at_least(input, "durationMs", 300, 100))))
        }
        "drag" => {
            line(input).map(|line| tap(format!("swipe {line} {}", at_least(input, "durationMs", 360, 100))))
        }
        "long_press_drag" => line(input).map(|line| {
            let held = at_least(input, "holdMs", 450, 120) + at_least(input, "durationMs", 300, 100);
            tap(format!("swipe {line} {held}"))
        }),
        "keyevent" => key(input).map(|key| tap(format!("keyevent {key}"))),
        "type" => input.get("text").and_then(Value::as_str).map(|text| typed(text, filter, values)),
        "launch_app" => package(input)
            .map(|package| format!("adb shell monkey -p {package} -c android.intent.category.LAUNCHER 1")),
        "wait" => {
            let ms = at_least(input, "durationMs", 1_000, 100);
            Some(format!("sleep {}.{:03}", ms / 1_000, ms % 1_000))
        }
        "shell" => input
            .get("command")
            .and_then(Value::as_str)
            .map(|command| format!("adb shell {}", values.word(command))),
        "run_script" => {
            input.get("script").and_then(Value::as_str).map(|script| format!("sh -c {}", values.word(script)))
        }
        _ => None,
    };
    let summary = match (step.kind.as_str(), &replay) {
        ("launch_app", Some(_)) => format!("{kind} {}", package(input).unwrap_or_default()),
        ("keyevent", Some(_)) => format!("{kind} {}", key(input).unwrap_or_default()),
        ("type" | "shell" | "run_script", Some(_)) => told(step, &kind, filter, values),
        _ => kind,
    };
    let replay = replay.map_or(Repeat::Not("it depends on what the screen shows"), Repeat::Lines);
    Action { summary, replay, ..Action::default() }
}

/// A step with what it was given.
fn told(step: &EpisodeStep, kind: &str, filter: Filter<'_>, values: &mut Values) -> String {
    let given = ["text", "command", "script"].iter().find_map(|name| step.input.get(name)?.as_str());
    match given {
        Some(text) if step.kind == "type" && is_plain(filter, text) => format!("{kind} {}", posix_word(text)),
        Some(text) => format!("{kind} \"${}\"", values.name(text)),
        None => kind.to_owned(),
    }
}

/// Typed text. Blanks become `%s`, as the phone wants it; other than ASCII can only be pasted.
fn typed(text: &str, filter: Filter<'_>, values: &mut Values) -> String {
    let (command, quoting, after) = if text.is_ascii() {
        ("input text", "typed", String::new())
    } else {
        ("cmd clipboard set-text", "on_phone", format!("\nadb shell input keyevent {PASTE}"))
    };
    if !is_plain(filter, text) {
        return format!("adb shell \"{command} $({quoting} {})\"{after}", values.word(text));
    }
    let mut value = phone_quote(&text.replace(['\n', '\r'], " ").replace('\0', ""));
    if text.is_ascii() {
        value = value.replace(' ', "%s");
    }
    format!("adb shell {}{after}", posix_word(&format!("{command} {value}")))
}

/// A text as one word for the phone's shell.
fn phone_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn number(input: &Value, name: &str) -> Option<i64> {
    let value = input.get(name)?.as_f64().filter(|value| value.is_finite())?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a place on a screen; what is larger is cut to the largest"
    )]
    Some(value.round() as i64)
}

fn point(input: &Value, x: &str, y: &str) -> Option<(i64, i64)> {
    Some((number(input, x)?, number(input, y)?))
}

fn line(input: &Value) -> Option<String> {
    let (x1, y1) = point(input, "x1", "y1").or_else(|| point(input, "startX", "startY"))?;
    let (x2, y2) = point(input, "x2", "y2").or_else(|| point(input, "endX", "endY"))?;
    Some(format!("{x1} {y1} {x2} {y2}"))
}

/// A duration in milliseconds: what was asked for or the usual, but never less than the least.
fn at_least(input: &Value, name: &str, usual: i64, least: i64) -> i64 {
    number(input, name).unwrap_or(usual).clamp(least, 600_000)
}

fn key(input: &Value) -> Option<String> {
    let key = ["keycode", "keyCode", "key"].iter().find_map(|name| input.get(name))?;
    let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
    let is_one = (1..=40).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    is_one.then_some(key)
}

fn package(input: &Value) -> Option<&str> {
    let package = input.get("packageName")?.as_str()?;
    let is_one = (1..=200).contains(&package.len())
        && package.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
    is_one.then_some(package)
}
