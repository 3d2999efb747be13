//! Names of built-in chat commands, which the slash commands of skills may not take.

/// Names and aliases in OpenClaw 2026.9.6. Commands that a channel or a plugin adds at run time (such as `dock_telegram`)
/// are not listed.
#[rustfmt::skip]
pub(crate) const OPENCLAW_COMMANDS: &[&str] = &[
    "acp", "activation", "agents", "allowlist", "approve", "bash", "btw", "commands", "compact", "config",
    "context", "dashboard", "debug", "diagnostics", "elev", "elevated", "exec", "export", "export-session",
    "export-trajectory", "fast", "goal", "help", "id", "learn", "login", "loop", "mcp", "model", "models", "name", "new",
    "openclaw", "plugin", "plugins", "queue", "reason", "reasoning", "reset", "restart", "send", "session", "side",
    "skill", "status", "steer", "stop", "subagents", "t", "tasks", "tell", "think", "thinking", "tools", "trace",
    "trajectory", "tts", "update", "usage", "v", "verbose", "whoami",
];

/// Names that chat clients of any age give a meaning of their own.
#[rustfmt::skip]
pub(crate) const OWN_COMMANDS: &[&str] = &[
    "acp", "activation", "agents", "allowlist", "approve", "bash", "btw", "commands", "compact", "config",
    "context", "crestodian", "debug", "diagnostics", "elev", "elevated", "exec", "export",
    "export-session", "export-trajectory", "fast", "focus", "goal", "help", "id", "kill", "mcp", "model",
    "models", "new", "plugin", "plugins", "queue", "reason", "reasoning", "reset", "restart", "send",
    "session", "side", "skill", "status", "steer", "stop", "subagents", "t", "tasks", "tell", "think",
    "thinking", "tools", "trace", "trajectory", "tts", "unfocus", "usage", "v", "verbose", "whoami",
];
