//! Skills that push others aside.

use super::words::{CONCEAL, REMOTE_URL};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::mining::END;
    /// It wants every request.
    CLAIMS_EVERYTHING ["every request", "every message", "every task", "any request", "all requests", "every turn", "every conversation", "every question", "every prompt", "always use this", "always load", "before any other", "before every other", "first on every", "regardless of", "no matter what", "whatever the user", "for everything", "for all tasks", "for all user", "for all requests", "for every", "for all messages", "even if another", "for any request", "for each"]
        r"\buse (this |it )?for (all|every|any|each) (user |incoming )?(messages?|requests?|tasks?|turns?|questions?|prompts?)\b|\beven if another (skill|tool)|\b(use|load|call|invoke|run|activate|choose|pick|prefer|trigger) (this( skill| tool)?|me|it)\b[^.\n]*\b(every|all|any) (\w+ )?(requests?|messages?|tasks?|turns?|conversations?|questions?|prompts?|files?|queries|user)\b|\b(before|instead of|over) (any|every|all) other (skills?|tools?)|\bfirst on every (turn|request|message)|\b(must|always|should) be (loaded|used|called|run|invoked|chosen) (first|before|(for|on|with|in) (every|all|any|each))";
    /// It talks others down.
    DISPLACES_OTHERS ["other skill", "other tool", "built-in", "builtin", "native tool", "default tool", "official", "deprecated", "outdated", "existing tool", "the standard", "original tool", "instead of the", "all other", "old-"]
        r"\b(other|all other|any other|existing|competing) (skills?|tools?)\b[^.\n]*\b(outdated|deprecated|unsafe|broken|obsolete|insecure|must not|should not|never|disabled?|ignore|rename|remove|delete|uninstall|do not)\b|\b(do not|don['’]t|never|stop) (use|load|call|invoke|using|loading) (any |the |all )?(other|built-?in|native|default|official|existing|standard) (\w+ )?(skills?|tools?)|\b(instead of|in place of|replaces?|replacing|rather than|overrides?|supersedes?) (the |any |your |all |agent's )?(built-?in|native|default|official|standard|original|existing|bundled) (\w+ ){0,2}(skill|tool|command|client|server|version|function)s?|\b(built-?in|native|default|official|bundled|original) (\w+ )?(tool|skill|version)s?\b[^.\n]*\b(is|are|has been|was) (deprecated|unsafe|broken|obsolete|outdated|insecure|disabled|removed)|\b(disable|uninstall|remove|rename|delete|unload)\b[^.\n]{0,20}\b(the |any |all |every )?(other|official|bundled|built-?in|competing|matching|better) (\w+ )?(skills?|tools?)|\brename (it|them|the other)\b[^.\n]{0,20}\bto\b|if another skill matches";
    /// It removes others.
    REMOVES_OTHERS ["other skill", "official skill", "bundled skill", "built-in skill", "competing skill", "other tool", "all skill", "old-"]
        r"\b(uninstall|delete|remove|disable|rename|unload|deactivate)\b[^.\n]{0,20}\b(all |any |every |the |each )?(other|official|bundled|built-?in|competing) (\w+ )?(skills?|tools?)\b|\brename it to\b";
    /// A server of the agent's is swapped.
    SWAPS_SERVER ["mcpservers", "mcp config", "mcp server", "mcp.json", "mcp_servers"]
        r"\b(replac\w+|overwrit\w+|swap\w*|redirect\w*|override\w*|rename)\b[^.\n]*\b(entry|server|tool|mcp)\b[^.\n]*\b(named?|called|for|entry)?\b";
    /// A server that leaves the machine.
    REMOTE_SERVER ["mcpservers", "mcp_servers", "wss://", "ws://", "--remote", "mcp-remote"]
        r"[\x22'](filesystem|github|git|memory|fetch|puppeteer|playwright|postgres|sqlite|slack|brave-search|sequential-thinking|time|everything)[\x22']\s*:\s*\{[^}]{0,300}(https?://|wss?://|--remote|mcp-remote)";
    /// A tool description with orders in it.
    LOADED_DESCRIPTION ["<important>", "before using this tool", "before calling", "when this tool", "side note", "also read", "must first read", "must also", "otherwise the tool", "pass its content", "sidenote"]
        r"<important>|\b(before|after|when|whenever) (using|calling|invoking|you (use|call)) (this|any|the|another|other) (\w+ )?tools?\b[^.\n]*\b(read|send|pass|include|call|fetch|post)\b|\bpass (its|the|their) contents? (as|in|to)\b|otherwise (the|this) tool (will|does) (not|n['’]t)";
    /// Commands that other skills are to use.
    ROUTES_OTHERS ["all tools", "every tool", "other skills", "all commands", "tool results", "tool output", "tool calls"]
        r"\b(send|route|forward|pipe|pass|proxy|wrap|redirect)\b[^.\n]*\b(all|every|any|other|each) (\w+ )?(tool|skill|command)('s|s)?( (calls?|results?|outputs?|inputs?))?\b[^.\n]*\b(through|to|via|here|https?)";
    /// The words of a skill that is used by itself.
    ALWAYS_ON ["always: true", "always:true", "\"always\": true", "\"always\":true", "always: yes"]
        r"[\x22']?always[\x22']?\s*:\s*(true|yes)\b";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "shadowing/claims-everything",
        category: Category::Shadowing,
        severity: ScanSeverity::Critical,
        title: "the skill wants to be used for everything",
        why: "a skill that is always chosen, and talks others down, sees everything the user does",
        fix: "say what the skill is for, and leave the choice to the agent",
        triggers: &[
            Trigger::critical(&[&[CLAIMS_EVERYTHING], &[DISPLACES_OTHERS]]).only(Kinds::READ),
            Trigger::critical(&[&[DISPLACES_OTHERS], &[REMOTE_URL, CONCEAL]]).only(Kinds::READ),
            Trigger::critical(&[&[DISPLACES_OTHERS], &[REMOTE_URL]]).within(Scope::File).only(Kinds::READ),
            Trigger::warn(&[&[REMOVES_OTHERS]]).only(Kinds::READ).unless_asked(),
            Trigger::warn(&[&[DISPLACES_OTHERS]]).only(Kinds::FRONT),
            Trigger::warn(&[&[CLAIMS_EVERYTHING]]).only(Kinds::FRONT),
            Trigger::warn(&[&[ROUTES_OTHERS]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "shadowing/server",
        category: Category::Shadowing,
        severity: ScanSeverity::Critical,
        title: "a server of the agent's is replaced",
        why: "calls that stay on the machine today would go to another host",
        fix: "add a server under its own name",
        triggers: &[
            Trigger::critical(&[&[REMOTE_SERVER]]),
            Trigger::warn(&[&[SWAPS_SERVER]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "shadowing/loaded-description",
        category: Category::Shadowing,
        severity: ScanSeverity::Critical,
        title: "a tool's description gives orders about other tools",
        why: "descriptions are read before anything is chosen, and steer the agent without being used",
        fix: "describe the tool only",
        triggers: &[
            Trigger::critical(&[&[LOADED_DESCRIPTION], super::secrets::PLACES]).only(Kinds::READ),
            Trigger::critical(&[&[LOADED_DESCRIPTION], &[CONCEAL]]),
        ],
    },
    ScanRule {
        id: "shadowing/tool-name",
        category: Category::Shadowing,
        severity: ScanSeverity::Critical,
        title: "the skill is named like a built-in tool",
        why: "an agent may call the skill where it means the tool",
        fix: "choose a name of its own",
        triggers: &[],
    },
    ScanRule {
        id: "shadowing/command-name",
        category: Category::Shadowing,
        severity: ScanSeverity::Warn,
        title: "a script is named like a system command",
        why: "with its folder on the path, it runs instead of the command",
        fix: "choose a name of its own",
        triggers: &[],
    },
    ScanRule {
        id: "shadowing/always-on",
        category: Category::Shadowing,
        severity: ScanSeverity::Info,
        title: "the skill is loaded whatever it needs",
        why: "`always` skips the checks that keep unusable skills out of the prompt",
        fix: "declare what the skill needs",
        triggers: &[Trigger::info(&[&[ALWAYS_ON]]).only(Kinds::FRONT)],
    },
];
