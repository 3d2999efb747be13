//! What stays after the skill.

use super::download::PIPE_TO_SHELL;
use super::encoded::{DECODED_TO_SHELL, DECODES};
use super::memory::WRITES_FILE;
use super::words::{BACKGROUND, CONCEAL, FETCH, NO_CONFIRM, RAW_ADDRESS};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::memory::END;
    /// A shell's start file is extended.
    SHELL_START [".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", ".zshenv", "config.fish", "/etc/profile", ".bash_login", ".zlogin", ".xinitrc", "profile.ps1", "$profile", ".bash_logout"]
        r"(>>?|\btee\b(\s+-a)?)\s*[\x22']?\S*(\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv|config\.fish|/etc/profile\S*|\.bash_login|\.zlogin|\.xinitrc|profile\.ps1|\$profile)|(open|appendfile\w*|writefile\w*|write_text)\s*\([^\n]*(\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv)|add-content[^\n]*\$profile|sed\s+-i[^\n]*(\.bashrc|\.zshrc|\.profile)|(\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zshenv)[\x22']\s*\)?[^\n]{0,40}[\x22']a[\x22']";
    /// A schedule is installed.
    SCHEDULE ["crontab", "/etc/cron", "/var/spool/cron", "@reboot", "schtasks", "scheduledtask", "at now", "launchctl", "launchagents", "launchdaemons", "systemctl", "systemd/", "autostart", "currentversion\\run", "\\startup\\", "login item", "loginhook", "rc.local", "init.d", "startup folder", "start menu\\programs\\startup", "winlogon"]
        r"\|\s*crontab\b|\bcrontab\s+(-\s|-$|-u\s+\S+\s+-|/|\.|[\w$\x22])[^\n]*|/etc/cron\.?\w*|/var/spool/cron|@reboot|schtasks[^\n]*/create|(new|register)-scheduledtask|launchctl\s+(load|bootstrap|submit)|library/launch(agents|daemons)|systemctl\s+(--user\s+)?enable|systemd/(user|system)\b|\.config/autostart|currentversion\\+run|\\start ?(menu|up)\\|login item|loginhook|/etc/rc\.local|/etc/init\.d|winlogon";
    /// A schedule is written down by a program.
    SCHEDULE_WRITTEN ["crontab", "/etc/cron", "launchagents", "launchdaemons", "systemd/", "autostart", "reg add", "schtasks", "scheduledtask", "startup", "login item", "rc.local", "new-itemproperty"]
        r"\|\s*crontab\s+-|(>>?|\btee\b(\s+-a)?)\s*[\x22']?\S*(/etc/cron|/var/spool/cron|launch(agents|daemons)|systemd/(user|system)|\.config/autostart|/etc/rc\.local)|(cp|mv|ln -s|install)\s[^\n]*(launch(agents|daemons)|systemd/(user|system)|\.config/autostart|/etc/cron)|(open|writefile\w*|write_text)\s*\([^\n]*(launch(agents|daemons)|systemd|autostart|/etc/cron)|\breg add\b[^\n]*\\run|new-itemproperty[^\n]*\\run|schtasks[^\n]*/create|register-scheduledtask|(copy-item|move-item|\bcopy|xcopy|set-content|out-file|new-item)\b[^\n]*\\startup\b|shell:startup|make login item|(launch(agents|daemons)|systemd/user|\.config/autostart)/[\w.-]+\.(plist|service|desktop|timer)";
    /// A key is let in.
    LET_IN ["authorized_keys"]
        r"(ssh-(rsa|ed25519|dss)|ecdsa-\S+|sk-\S+)\s+aaaa[^\n]*authorized_keys|(>>?|\btee\b(\s+-a)?)\s*[\x22']?\S*authorized_keys|authorized_keys[\x22']?\s*\)?\s*,\s*[\x22'][aw]|(append|write|add|put)\w*[^\n]*authorized_keys";
    /// A key of a stranger, written out.
    LITERAL_KEY []
        r"(ssh-(rsa|ed25519|dss)|ecdsa-sha2\S*)\s+aaaa[a-z0-9+/=]{16,}";
    /// A hook of another program.
    FOREIGN_HOOK ["core.hookspath", ".git/hooks", "core.pager", "core.sshcommand", "core.fsmonitor", "init.templatedir", "alias.", "insteadof", "sitecustomize", "usercustomize", ".pth", "proxycommand", "localcommand", "core.editor", "credential.helper", ".npmrc", "pip.conf", "prompt_command", "core.attributesfile", "filter."]
        r"core\.hookspath|\.git/hooks/(post|pre)-[\w-]+|git config (--global |--system )[^\n]*(core\.(pager|editor|sshcommand|fsmonitor)|init\.templatedir|alias\.\w+\s+[\x22']?!|url\.\S+\.insteadof|credential\.helper\s+[\x22']?(!|store|/|\S*sh))|\b(site|user)customize\.py|site-packages/[\w-]+\.pth|\.pth[\x22']|\b(proxycommand|localcommand)\b|\bprompt_command\s*=|(>>?|tee)\s*\S*(\.npmrc|pip\.conf|pip/pip\.conf)";
    /// Something takes the place of a command.
    COMMAND_ALIAS ["alias sudo", "alias ssh", "alias git", "alias su", "alias gpg", "alias npm", "alias pip", "alias docker", "alias kubectl", "alias ls", "alias cd", "alias openclaw", "alias claude", "sudo()", "ssh()", "git()", "su()", "gpg()", "sudo ()", "ssh ()", "git ()"]
        r"\balias\s+(sudo|ssh|git|su|gpg|npm|pip|docker|kubectl|ls|cd|openclaw|claude)\s*=|^\s*(function\s+)?(sudo|ssh|git|su|gpg)\s*\(\)\s*\{";
    /// A program in a place nobody looks.
    TUCKED_AWAY []
        r"/tmp/\.\w|/dev/shm/|/var/tmp/\.?\w|(~|\$\{?home\}?)/\.(\w+/)*\.\w+|(~|\$\{?home\}?)/\.(cache|local/share|config)/\.?[\w-]+/?[\w.-]*\s*(&|$|[\x22'])";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "persistence/schedule",
        category: Category::Persistence,
        severity: ScanSeverity::Critical,
        title: "a recurring task is installed",
        why: "a schedule or service keeps running when the skill is gone",
        fix: "let the user install the schedule, show what it runs, and say how to remove it",
        triggers: &[
            Trigger::critical(&[
                &[SCHEDULE, SCHEDULE_WRITTEN],
                &[PIPE_TO_SHELL, DECODED_TO_SHELL, RAW_ADDRESS, TUCKED_AWAY],
            ]),
            Trigger::critical(&[&[SCHEDULE_WRITTEN], &[FETCH, DECODES, CONCEAL]]).only(Kinds::RUN),
            Trigger::critical(&[&[SCHEDULE, SCHEDULE_WRITTEN], &[CONCEAL, NO_CONFIRM]])
                .only(Kinds::READ)
                .unless_asked(),
            Trigger::critical(&[&[SCHEDULE_WRITTEN], &[PIPE_TO_SHELL]])
                .within(Scope::File)
                .only(Kinds::SCRIPT),
            Trigger::warn(&[&[SCHEDULE_WRITTEN]]).only(Kinds::RUN).unless_asked(),
        ],
    },
    ScanRule {
        id: "persistence/shell-start",
        category: Category::Persistence,
        severity: ScanSeverity::Critical,
        title: "a shell's start file is extended with more than a setting",
        why: "what stands there runs with every new shell",
        fix: "tell the user which line to add",
        triggers: &[
            Trigger::critical(&[
                &[SHELL_START],
                &[PIPE_TO_SHELL, DECODED_TO_SHELL, FETCH, COMMAND_ALIAS, BACKGROUND, DECODES, TUCKED_AWAY],
            ])
            .only(Kinds::RUN),
            Trigger::critical(&[&[SHELL_START], &[PIPE_TO_SHELL, DECODED_TO_SHELL, COMMAND_ALIAS, CONCEAL]]),
            Trigger::info(&[&[SHELL_START]]),
        ],
    },
    ScanRule {
        id: "persistence/authorized-key",
        category: Category::Persistence,
        severity: ScanSeverity::Critical,
        title: "an SSH key is authorized",
        why: "the holder of the key can log in from then on",
        fix: "let the user add keys",
        triggers: &[
            Trigger::critical(&[&[LET_IN], &[LITERAL_KEY, FETCH]]),
            Trigger::warn(&[&[LET_IN]]).unless_asked(),
        ],
    },
    ScanRule {
        id: "persistence/foreign-hook",
        category: Category::Persistence,
        severity: ScanSeverity::Critical,
        title: "another program is made to run something",
        why: "a hook, alias or start-up module runs whenever that program runs",
        fix: "keep hooks inside the project, and ask first",
        triggers: &[
            Trigger::critical(&[
                &[FOREIGN_HOOK, COMMAND_ALIAS],
                &[PIPE_TO_SHELL, FETCH, DECODED_TO_SHELL, DECODES, BACKGROUND, CONCEAL],
            ]),
            Trigger::critical(&[&[COMMAND_ALIAS], &[TUCKED_AWAY]]).only(Kinds::RUN),
            Trigger::warn(&[&[COMMAND_ALIAS], &[WRITES_FILE]]).only(Kinds::RUN).unless_asked(),
            Trigger::warn(&[&[FOREIGN_HOOK], &[WRITES_FILE]]).only(Kinds::SCRIPT).unless_asked(),
        ],
    },
];
