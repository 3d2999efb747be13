//! The home of Claude Code: `~/.claude`.

use std::path::Path;

use serde_json::Value;

use super::{FoundKind, FoundThings, config, files, member_names};

/// The files with settings, the user's own last.
const SETTINGS: [&str; 2] = ["settings.json", "settings.local.json"];
/// The file with the login.
const LOGIN: &str = ".credentials.json";

pub(super) fn look(home: &Path) -> Vec<FoundThings> {
    let settings: Vec<(&str, Value)> =
        SETTINGS.into_iter().filter_map(|name| Some((name, config(&home.join(name))?))).collect();
    let mut names = Vec::new();
    let mut keys = Vec::new();
    let mut hooks = Vec::new();
    for (file, value) in &settings {
        let own = member_names(Some(value)).into_iter().filter(|name| name != "hooks");
        names.extend(own.map(|name| format!("{name} ({file})")));
        let secrets = prowess_config::inspect(value).secrets;
        keys.extend(secrets.into_iter().map(|name| format!("{name} ({file})")));
        hooks.extend(hooks_in(value));
    }
    if prowess_fs::is_taken(&home.join(LOGIN)) {
        keys.push(format!("login ({LOGIN})"));
    }
    let plugins = config(&home.join("plugins/installed_plugins.json"));
    let plugins = member_names(plugins.as_ref().and_then(|file| file.get("plugins")));
    let commands = files(&home.join("commands"), ".md");
    let commands = commands.iter().map(|file| file.trim_end_matches(".md").replace('/', ":")).collect();
    vec![
        FoundThings::left(
            FoundKind::Plugins,
            plugins,
            "Claude Code updates them; `prowess install OWNER/REPOSITORY` gets their skills from the source",
        ),
        FoundThings::left(
            FoundKind::Commands,
            commands,
            "prompts without a description; `prowess new NAME` starts a skill that can be one",
        ),
        FoundThings::left(
            FoundKind::SettingsOfTheirs,
            names,
            "they are about Claude Code itself; ours are in `prowess config keys`",
        ),
        FoundThings::left(
            FoundKind::Keys,
            keys,
            "never read out; `prowess secret set SKILL` asks for the key of a skill",
        ),
        FoundThings::left(
            FoundKind::Hooks,
            hooks,
            "they stay as they are; `prowess hook install claude-code` adds ours beside them",
        ),
        FoundThings::counted(
            FoundKind::Sessions,
            files(&home.join("projects"), ".jsonl").len(),
            "`prowess replay --from claude-code` reads them, `prowess sessions import` takes one over",
        ),
    ]
}

/// The events that programs are started at, once for each program.
fn hooks_in(settings: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (event, groups) in settings.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        let groups = groups.as_array().into_iter().flatten();
        let programs = groups.filter_map(|group| group.get("hooks")?.as_array()).map(Vec::len).sum();
        found.extend(std::iter::repeat_n(event.clone(), programs));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_is_counted_where_it_is_started() {
        let one = json!({"type": "command", "command": "x"});
        let settings = json!({"hooks": {"Stop": [{"hooks": [one, one]}, {"hooks": [one]}], "Odd": 1}});
        assert_eq!(hooks_in(&settings), ["Stop"; 3]);
        assert!(hooks_in(&json!({"hooks": []})).is_empty());
    }
}
