//! Every check: its id, how bad a finding is, what causes it, and what helps.

use prowess_types::Severity;
use serde::Serialize;

/// One kind of problem that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DoctorCheck {
    /// Stable id.
    pub id: &'static str,
    /// How bad a finding is.
    pub severity: Severity,
    /// What is wrong, or worth knowing.
    pub cause: &'static str,
    /// What helps; empty where nothing is to be done.
    pub remedy: &'static str,
    /// Whether it can be mended from here.
    pub fixable: bool,
}

macro_rules! checks {
    ($($name:ident = $id:literal, $severity:ident, $fixable:ident, $cause:literal, $remedy:literal;)*) => {
        $(pub(super) static $name: DoctorCheck = DoctorCheck {
            id: $id,
            severity: Severity::$severity,
            cause: $cause,
            remedy: $remedy,
            fixable: $fixable,
        };)*

        /// Every check, in the order of the table in the documentation.
        pub fn doctor_checks() -> &'static [&'static DoctorCheck] {
            static ALL: &[&DoctorCheck] = &[$(&$name),*];
            ALL
        }
    };
}

#[rustfmt::skip]
checks! {
    CONFIG_FILE = "config/file", Note, false, "Which config file is read.", "";
    CONFIG_UNREADABLE = "config/unreadable", Error, false, "A config file cannot be read, so nothing of it is used.", "correct the place that is named; `prowess config path` prints the path of the file";
    CONFIG_WRONG_TYPE = "config/wrong-type", Warning, false, "A setting has a value of the wrong type, so its default is used.", "`prowess config keys` lists every key with its type";
    CONFIG_UNKNOWN_KEY = "config/unknown-key", Warning, false, "An unknown key.", "`prowess config keys` lists every key";
    CONFIG_FOREIGN = "config/foreign-key", Warning, false, "A key that OpenClaw, which shares the file, would refuse.", "remove it, or use the profile `prowess`";
    CONFIG_IGNORED = "config/ignored-key", Warning, false, "A workspace's config sets what only the user may set; it is not used.", "set it in your own config if you want it";
    CONFIG_OVERRIDDEN = "config/overridden", Note, false, "A workspace's config sets something else than your own.", "`prowess config get KEY --origin` shows which one is used";
    CONFIG_UNKNOWN_SKILL = "config/unknown-skill", Warning, false, "A list of allowed skills names one that does not exist.", "correct the name, or install the skill";
    CONFIG_NO_SKILLS = "config/agent-without-skills", Warning, false, "The list of allowed skills leaves an agent without any.", "add skills to the list, or remove the list to allow all";
    GATEWAY_RUNNING = "gateway/running", Note, false, "A gateway serves this home.", "";
    GATEWAY_BIND = "gateway/bind", Error, false, "`gateway.bind` names no address, so the gateway does not start.", "use `loopback`, `lan` or an address";
    GATEWAY_OPEN = "gateway/open", Warning, false, "The gateway listens to other machines, and the config has no token.", "set `gateway.auth.token`, or `gateway.bind` to `loopback`";
    GATEWAY_SHORT_TOKEN = "gateway/short-token", Warning, false, "The token of the gateway is short enough to be guessed.", "remove `gateway.auth.token`; the next start makes a good one";
    GATEWAY_TOKEN = "gateway/token", Error, false, "The token of the gateway is stored elsewhere and failed to resolve.", "set the variable or the file that `gateway.auth.token` names";
    HOME_NOT_A_FOLDER = "home/not-a-folder", Error, false, "The path of the engine's own files is not a folder.", "move it away, or name another folder with `--home`";
    HOME_NOT_WRITABLE = "home/not-writable", Error, false, "The engine's own files cannot be written.", "correct the rights, or name another folder with `--home`";
    HOME_READ_ONLY = "home/read-only", Error, false, "The engine's own files are on a file system that is read-only.", "mount it for writing, or name another folder with `--home`";
    HOME_FULL = "home/full", Error, false, "The file system has almost no room left.", "free some space; writes will fail, existing files stay intact";
    PERMISSIONS_WRITABLE = "permissions/writable", Warning, true, "Other users may change a file or folder of the engine.", "";
    PERMISSIONS_OWNER = "permissions/owner", Warning, false, "Files of the engine belong to another user, perhaps since a command was run with `sudo`.", "";
    PATH_EMPTY = "path/empty", Error, false, "`PATH` is empty, so no program can be found.", "set `PATH` in the profile of your shell";
    PATH_RELATIVE = "path/relative", Warning, false, "`PATH` has a relative folder.", "what counts as installed then depends on the current folder";
    PATH_WRITABLE = "path/writable", Warning, false, "Other users may put programs into a folder of `PATH`.", "take the right from them, or the folder out of `PATH`";
    PATH_MISSING = "path/missing", Note, false, "`PATH` names folders that do not exist.", "harmless; they can be taken out";
    PATH_SELF = "path/self", Note, false, "`prowess` itself is not on `PATH`.", "add its folder to `PATH`, so that hooks and other programs find it";
    PATH_SHADOWED = "path/shadowed", Warning, false, "Another `prowess` comes first on `PATH`.", "remove one of them, or change the order of `PATH`";
    PATH_ELSEWHERE = "path/elsewhere", Warning, false, "A program that a skill needs is here, but not on `PATH`.", "add its folder to `PATH`";
    BUNDLED_FOUND = "bundled/found", Note, false, "Which bundled skills are used.", "";
    BUNDLED_NONE = "bundled/none", Warning, false, "There are no bundled skills.", "install the program as a whole";
    BUNDLED_MISSING = "bundled/missing", Warning, false, "The folder that was named for bundled skills does not exist.", "correct the variable or flag that names it";
    BUNDLED_UNPACK = "bundled/unpack", Error, false, "The bundled skills cannot be unpacked, so no skill can be looked at.", "make room, or correct the rights of the folder";
    SKILLS_READY = "skills/ready", Note, false, "How many skills are ready.", "";
    SKILLS_INVALID = "skills/invalid", Warning, false, "A skill was refused: its `SKILL.md` is broken.", "run `prowess validate` on it";
    SKILLS_NO_FILE = "skills/no-file", Warning, false, "A folder among the skills has no `SKILL.md`.", "add one with `name` and `description`, or move the folder away";
    SKILLS_UNREADABLE = "skills/unreadable", Warning, false, "A skill cannot be read.", "check its permissions";
    SKILLS_BROKEN_LINK = "skills/broken-link", Warning, false, "A link among the skills leads nowhere.", "correct or remove the link";
    SKILLS_OUTSIDE = "skills/outside", Warning, false, "A skill is refused because it leads out of its folder, or has a second name.", "copy the skill, or allow the target under `skills.load.allowSymlinkTargets`";
    SKILLS_LIMIT = "skills/limit", Warning, false, "A skill is refused by a limit.", "raise the limit under `skills.limits`";
    SKILLS_UNLISTED = "skills/unlisted", Warning, false, "The list of skills exceeds its limit, so some are hidden from the model.", "`prowess config set skills.prompt.select message` lets each message choose from all of them";
    SKILLS_CHOSEN = "skills/chosen", Note, false, "Each message chooses from all skills; only clients that show the list of all skills miss some.", "";
    SKILLS_PLUGIN = "skills/plugin", Warning, false, "The skills of a plugin cannot be used.", "correct the plugin's manifest";
    SKILLS_SHADOWED = "skills/shadowed", Warning, false, "A skill hides another one of the same name.", "rename one of them, or remove the copy you do not want";
    SKILLS_NAME = "skills/name", Warning, false, "A skill has another name than its folder.", "rename the folder or the skill; agents find skills by either";
    SKILLS_NEEDS = "skills/needs", Note, false, "A skill lacks a program, a key or a setting.", "";
    SKILLS_UNTRUSTED = "skills/untrusted", Note, false, "A skill came with a cloned repository and is neither trusted nor denied yet.", "`prowess trust` shows what it would do";
    SECRETS_READABLE = "secrets/readable", Warning, true, "Other users can read a file with keys.", "";
    SECRETS_PLAIN = "secrets/plain", Note, false, "The config contains a key as plain text.", "";
    SECRETS_WORKSPACE = "secrets/workspace", Warning, false, "The config of a workspace contains a key; it may be shared with others.", "take it out, make a new one, and keep it with `prowess secret set`";
    SECRETS_SKILL = "secrets/skill", Warning, false, "The folder of a skill contains a key; it may be shared with others.", "take it out, make a new one, and keep it with `prowess secret set`";
    SECRETS_ENV_FILE = "secrets/env-file", Note, false, "A `.env` file in the workspace holds keys as plain text.", "keep them with `prowess secret set SKILL --env NAME --keyring`";
    LOCKS_HELD = "locks/held", Note, false, "A process is changing something right now.", "";
    LOCKS_ABANDONED = "locks/abandoned", Warning, true, "A process ended in the middle of a change; its lock is no longer held.", "nothing is locked; look at what the process was doing";
    LEFTOVERS_TEMPORARY = "leftovers/temporary", Warning, true, "A file was left behind by a write that was interrupted.", "it can be removed; the file that was to be written is whole";
    INSTALL_INTERRUPTED = "install/interrupted", Warning, true, "An install, update or removal was interrupted.", "`prowess installed` settles it, and so does every other command about installed skills";
    INSTALL_LOCK = "install/lock", Error, false, "The list of installed skills cannot be read.", "bring it back from a backup or your repository; the next install would start a new list, and keep this one";
    TRASH_KEPT = "trash/kept", Note, false, "Removed skills are kept in the trash.", "`prowess restore` lists them";
    CACHE_DAMAGED = "cache/damaged", Warning, true, "A file of the cache is damaged; it is not used.", "it can be removed; what was in it is computed again";
    CORTEX_EXPORT = "cortex/export", Warning, true, "`cortex.json` cannot be read.", "it can be written anew; what was learned is in the log";
    CORTEX_LOG = "cortex/log", Error, true, "The log of what was learned is damaged.", "`prowess doctor --fix` moves it aside and makes it anew from `cortex.json`; so does the next `prowess cortex` command";
    CORTEX_TASK = "cortex/task", Warning, true, "A task was interrupted and has left a skill installed.", "`prowess doctor --fix` uninstalls it; so does the next `prowess cortex` command";
    SESSIONS_DAMAGED = "sessions/damaged", Warning, false, "A recorded session cannot be read, or not all of it.", "what can be read is shown by `prowess sessions show`";
    HOOKS_PROGRAM = "hooks/program", Warning, false, "A hook in another agent program runs a program that is gone.", "";
    HOOKS_FILE = "hooks/file", Warning, false, "The settings of another agent program cannot be read, so the state of the hook is unknown.", "correct the file";
    HOOKS_PROBLEMS = "hooks/problems", Note, false, "Something went wrong in a hook.", "`prowess hook status` shows the last problem";
    SYNC_DRIFT = "sync/drift", Warning, false, "A folder with copies for other agent programs is out of date.", "";
    HARNESS_FOUND = "harness/found", Note, false, "Another agent program has skills that could be imported.", "";
    REGISTRY_REACHED = "registry/reached", Note, false, "The configured registry answers.", "";
    REGISTRY_UNREACHABLE = "registry/unreachable", Warning, false, "The configured registry does not answer.", "check the address and the network; what is installed works without it";
    REGISTRY_REFUSED = "registry/refused", Warning, false, "The registry does not know the token.", "`prowess registry login` gets a new one";
    REGISTRY_LOGIN = "registry/login", Warning, false, "The file with the login cannot be used.", "`prowess registry login` writes it anew once it is out of the way";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_a_cause_and_an_id_of_two_parts() {
        let mut seen = std::collections::HashSet::new();
        for check in doctor_checks() {
            assert!(seen.insert(check.id), "{} twice", check.id);
            assert_eq!(check.id.split('/').count(), 2, "{}", check.id);
            assert!(check.cause.ends_with('.') && !check.remedy.ends_with('.'), "{}", check.id);
        }
    }
}
