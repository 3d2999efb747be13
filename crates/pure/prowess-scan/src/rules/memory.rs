//! The files that steer an agent.

use super::words::{
    AGENT_ADDRESS, CONCEAL, EVERY_TIME, FETCH, FOLLOW, NO_CONFIRM, REMOTE_URL, TOLD_TO_FETCH, TOLD_TO_SEND,
};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::overrides::END;
    /// A file that an agent reads as instructions.
    STEERING_FILE ["soul.md", "memory.md", "agents.md", "heartbeat.md", "claude.md", "user.md", "tools.md", "identity.md", "boot.md", "bootstrap.md", "gemini.md", ".cursorrules", "copilot-instructions", ".windsurfrules", ".clinerules", ".goosehints", "codex.md", "agent.md", ".cursor/rules", ".claude/settings", "system.md", "openclaw.json", "clawdbot.json", "long-term memory", "your memory", "memory file", "persistent memory", "other skill", "skill.md", "mcp.json", "claude_desktop_config", "exec-approvals"]
        r"\b(soul|memory|agents?|heartbeat|claude|user|tools|identity|boot|bootstrap|gemini|codex|system)\.md\b|\.cursorrules|copilot-instructions|\.windsurfrules|\.clinerules|\.goosehints|\.cursor/rules|\.claude/settings|\b(openclaw|clawdbot)\.json\b|\b(long-term|your|persistent|agent('s)?) memory\b|\bmemory file|\bother skills?('s)? (skill\.md|files?|folders?)|skill\.md (of|in|for) (all |any |every |each |the )*other|exec-approvals|\bmcp\.json|claude_desktop_config";
    /// Written by a program.
    WRITES_FILE []
        r">>?\s*[\x22']?[~$./\w]|\btee\b|open\s*\([^)\n]*,\s*[\x22'][aw]|\.write(_text|file|filesync)?\s*\(|append(file|filesync)?\s*\(|(write|append)file(sync)?|sed\s+-i|add-content|out-file|set-content|\b(cp|mv|ln -s)\b\s";
    /// Written because prose says so.
    TOLD_TO_WRITE []
        r"\b(add|append|write|insert|put|save|store|record|update|edit|modify|prepend|place|inject|copy|replace|note|set|commit|remember|change|switch|turn|make)\b|schreib|füge|ajoute|añade|agrega|写入|添加";
    /// Trust that nobody gave.
    BLIND_TRUST []
        r"\btrusts? (every|any|all|each|the|messages?|whoever|anyone|https?|\S+\.\w+)|\bobeys?\b|always (approve|allow|accept|run|send|install|forward|cc|add the dependency)\b|never (ask|question|refuse|confirm|warn|check)|\b(is|are) (pre-?approved|(always )?authori[sz]ed|trusted|allowed without)|\b(is|are) (the|your) (real |true |new )?(owner|operator|admin(istrator)?|boss)|\bhas (full|admin|root|unlimited) |\bhighest priority\b|\b(the )?user (has |had )?(already )?(agreed|approved|consented|authori[sz]ed|gave permission|given permission|wants no|prefers no|does not want to be asked)|bypasspermissions|[\x22']?(ask|approvals?|confirm)[\x22']?\s*[:=]\s*[\x22']?(off|never|none|false)|\b(ask|approvals?|confirm\w*|security|sandbox)[`\x22']? (to|=|:) [`\x22']?(off|full|never|none|false|disabled)\b|\b(not|never) (be )?bothered|[\x22']?security[\x22']?\s*[:=]\s*[\x22']?full\b|[\x22']allow[\x22']\s*:\s*\[\s*[\x22'](\*|bash(\(\*\))?|shell)[\x22']|never explain why";
    /// Every copy of such a file is looked for.
    WALKS_HOME []
        r"os\.walk\s*\(|\.rglob\s*\(|glob\.?\w*\s*\([^)\n]*\*\*|\bfind\s+[\x22']?(~|/|\$home)|path\.home\(\)|os\.homedir\(\)|walkdir|-recurse\b";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "memory/poisoned",
        category: Category::MemoryPoisoning,
        severity: ScanSeverity::Critical,
        title: "an agent's standing instructions are changed to its user's harm",
        why: "what is written into these files steers every later session, long after the skill is gone",
        fix: "keep instructions in the skill; let the user change these files",
        triggers: &[
            Trigger::critical(&[&[STEERING_FILE], &[TOLD_TO_WRITE], &[BLIND_TRUST, CONCEAL, NO_CONFIRM]])
                .only(Kinds::READ)
                .unless_asked(),
            Trigger::critical(&[&[STEERING_FILE], &[WRITES_FILE], &[BLIND_TRUST, CONCEAL, NO_CONFIRM]])
                .only(Kinds::RUN)
                .unless_asked(),
            Trigger::critical(&[&[STEERING_FILE], &[WRITES_FILE], &[WALKS_HOME]])
                .within(Scope::File)
                .only(Kinds::SCRIPT),
            Trigger::critical(&[
                &[STEERING_FILE],
                &[TOLD_TO_WRITE, WRITES_FILE],
                &[REMOTE_URL],
                &[TOLD_TO_FETCH, FETCH],
                &[FOLLOW],
            ])
            .unless_asked(),
            Trigger::critical(&[&[STEERING_FILE], &[TOLD_TO_WRITE], &[TOLD_TO_SEND], &[EVERY_TIME]])
                .only(Kinds::READ)
                .unless_asked(),
            Trigger::warn(&[&[STEERING_FILE], &[WRITES_FILE], &[REMOTE_URL, AGENT_ADDRESS]])
                .only(Kinds::SCRIPT)
                .unless_asked(),
        ],
    },
    ScanRule {
        id: "memory/remote-heartbeat",
        category: Category::MemoryPoisoning,
        severity: ScanSeverity::Warn,
        title: "a standing instruction points to an address",
        why: "a heartbeat or memory entry that fetches instructions hands the agent over for as long as it stays",
        fix: "describe the routine in the skill, without fetching orders",
        triggers: &[Trigger::warn(&[&[STEERING_FILE], &[TOLD_TO_WRITE], &[REMOTE_URL], &[FOLLOW]])
            .within(Scope::Section)
            .unless_asked()],
    },
];
