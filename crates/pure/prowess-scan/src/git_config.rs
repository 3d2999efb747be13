//! Settings of a repository that run a program without a command of the user naming it.
//!
//! The `.git` of a working copy is not part of the skill, but it need not be the user's: an archive that was unpacked by
//! hand leaves one, too. A repository that git made by itself has none of these settings.

/// The first setting of a `.git/config` that makes `git status`, `git diff` or `git log` run a program or read another
/// file of settings, as `section.name`.
///
/// ```
/// use prowess_scan::git_command_setting;
/// assert_eq!(git_command_setting("[core] fsmonitor = \"id; false\"").as_deref(), Some("core.fsmonitor"));
/// assert_eq!(git_command_setting("[core]\n\tfsmonitor = true\n\tbare = false\n"), None);
/// ```
pub fn git_command_setting(config: &str) -> Option<String> {
    let mut section = Section::default();
    // A backslash at the end of a line continues its value; a value in several lines names a program as well as one.
    let joined = config.replace("\\\r\n", "").replace("\\\n", "");
    for line in joined.lines() {
        let mut rest = line.trim();
        while rest.starts_with('[') {
            let Some((next, after)) = Section::parse(rest) else { break };
            section = next;
            rest = after.trim();
        }
        if rest.is_empty() || rest.starts_with(['#', ';', '[']) {
            continue;
        }
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        let name = name.trim().to_ascii_lowercase();
        if runs_program(&section, &name, value.trim()) {
            return Some(format!("{}.{name}", section.name));
        }
    }
    None
}

/// The head of a section: `[name]`, `[name "part"]` or the old `[name.part]`.
#[derive(Default)]
struct Section {
    name: String,
    has_part: bool,
}

impl Section {
    /// Reads a head; what follows it in the line is a setting.
    fn parse(line: &str) -> Option<(Self, &str)> {
        let inner = line.strip_prefix('[')?;
        let (mut is_quoted, mut is_escaped) = (false, false);
        for (at, letter) in inner.char_indices() {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                ']' if !is_quoted => {
                    let (head, after) = (&inner[..at], &inner[at + 1..]);
                    let name = head.split(['"', '.', ' ', '\t']).next().unwrap_or_default();
                    let has_part = head.contains(['"', '.']);
                    return Some((Self { name: name.trim().to_ascii_lowercase(), has_part }, after));
                }
                _ => {}
            }
        }
        None
    }
}

fn runs_program(section: &Section, name: &str, value: &str) -> bool {
    let value = value.trim_matches('"').trim();
    match (section.name.as_str(), section.has_part, name) {
        // The built-in monitor and a pager are on or off; everything else is a program.
        ("core", false, "fsmonitor") | ("pager", false, _) => !is_switch(value),
        ("core", false, "sshcommand" | "pager" | "worktree" | "gitproxy" | "alternaterefscommand")
        | ("diff", false, "external")
        | ("diff", true, "textconv" | "command")
        | ("gpg", _, "program")
        | ("interactive", false, "difffilter")
        | ("include", false, "path") => !value.is_empty(),
        ("filter", true, "clean" | "smudge" | "process") => {
            !value.starts_with("git-lfs ") && !value.starts_with("git lfs ")
        }
        _ => false,
    }
}

fn is_switch(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    matches!(value.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "0" | "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_run_a_program() {
        for (config, expected) in [
            ("[core]\n\tfsmonitor = \"id > /tmp/x; false\"\n", Some("core.fsmonitor")),
            ("[core] fsmonitor = ./x", Some("core.fsmonitor")),
            ("[CORE]\nFsMonitor=x", Some("core.fsmonitor")),
            ("[core]\nfsmonitor = \\\n  x", Some("core.fsmonitor")),
            ("[a][core] pager = less; id", Some("core.pager")),
            ("[filter \"x]\"]\n\tclean = ./x", Some("filter.clean")),
            ("[filter.x]\n\tprocess = ./x", Some("filter.process")),
            ("[diff \"md\"]\n\ttextconv = ./x", Some("diff.textconv")),
            ("[include]\n\tpath = ../x", Some("include.path")),
            ("[core]\n\tworktree = ../..", Some("core.worktree")),
            ("[core]\n\tsshCommand = ./x", Some("core.sshcommand")),
        ] {
            assert_eq!(git_command_setting(config).as_deref(), expected, "{config}");
        }
    }

    #[test]
    fn settings_that_git_and_common_tools_write() {
        let config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tfsmonitor = true\n\
                      \thooksPath = .husky/_\n[remote \"origin\"]\n\turl = https://hub.example/a.git\n\
                      \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\
                      [filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\
                      # fsmonitor = x\n; [core] pager = x\n[pager]\n\tdiff = false\n[unfinished\n";
        assert_eq!(git_command_setting(config), None);
        assert_eq!(git_command_setting(""), None);
    }
}
