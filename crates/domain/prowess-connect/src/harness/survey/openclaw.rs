//! The home of OpenClaw: `~/.openclaw`.

use std::path::Path;

use prowess_context::Context;
use prowess_types::ProfileName;

use super::{FoundKind, FoundThings, config, files};

pub(super) fn look(context: &Context, home: &Path) -> Vec<FoundThings> {
    // The place of the config follows from OpenClaw's own variables.
    let file = context.of_profile(ProfileName::Openclaw).map(|theirs| theirs.places().config_file.clone());
    let file = file.unwrap_or_else(|_| home.join("openclaw.json"));
    let settings = config(&file).map(|value| prowess_config::inspect(&value)).unwrap_or_default();
    let mut keys = settings.secrets;
    for (folder, ending) in [("credentials", ".json"), ("agents", "auth-profiles.json")] {
        keys.extend(files(&home.join(folder), ending).iter().map(|file| format!("{folder}/{file}")));
    }
    if prowess_fs::is_taken(&home.join(".env")) {
        keys.push(".env".to_owned());
    }
    let agents: Vec<String> = prowess_fs::subfolders(&home.join("agents"))
        .iter()
        .filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let is_log = |file: &&String| file.contains("/sessions/");
    let sessions = files(&home.join("agents"), ".jsonl").iter().filter(is_log).count();
    let hooks = prowess_fs::subfolders(&home.join("hooks"));
    let hooks = hooks.iter().filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    vec![
        FoundThings::left(
            FoundKind::SettingsUnderstood,
            settings.understood,
            "`prowess --profile openclaw` uses them where they are, so there is no second copy to update",
        ),
        FoundThings::left(
            FoundKind::SettingsOfTheirs,
            settings.others,
            "OpenClaw alone uses them; they are kept",
        ),
        FoundThings::left(
            FoundKind::Keys,
            keys,
            "never read out; `prowess secret set SKILL` asks for the key of a skill",
        ),
        FoundThings::left(
            FoundKind::Agents,
            agents,
            "`prowess --profile openclaw --agent ID` answers for one; skills of their workspaces are among the skills",
        ),
        FoundThings::left(FoundKind::Hooks, hooks.collect(), "OpenClaw runs them; nothing here would"),
        FoundThings::counted(
            FoundKind::Sessions,
            sessions,
            "`prowess sessions import --from openclaw FILE` takes one over",
        ),
    ]
}
