//! The one table of known keys.
//!
//! Validation, "did you mean", defaults, redaction and the reference in the documentation all read it,
//! so a key cannot be known to one of them only. A `*` in a pattern stands for any name.

use serde_json::Value;

use crate::SkillLimits;
use crate::kind::Kind;
use crate::protection::Protection;
use crate::schema::{Key, key};

/// A section that another engine owns; it is kept as it is.
const fn theirs(pattern: &'static str) -> Key {
    key(pattern, Kind::Opaque, "")
}

/// A limit has no default where a profile does not limit.
fn limit(limits: &SkillLimits, name: &str) -> Option<Value> {
    limits.get(name).filter(|&limit| limit != usize::MAX).map(Into::into)
}

/// Provisional: to be replaced by a calibrated value.
const PRELOAD_AT: f64 = 0.8;

const MODES: Kind = Kind::Choice(&["pinned", "auto", "name-only", "manual", "disabled"]);
const MANAGERS: Kind = Kind::Choice(&["npm", "pnpm", "yarn", "bun"]);
const WORDINGS: Kind = Kind::Choice(&["mandatory", "openclaw", "openpocket", "skills-ref"]);

/// Every known key.
pub(crate) static KEYS: &[Key] = &[
    key(
        "skills.allowBundled",
        Kind::Texts,
        "Bundled skills that may be used, by name or key; an empty list allows all",
    ),
    key(
        "skills.load.extraDirs",
        Kind::Texts,
        "More folders with skills; a later one beats an earlier one, and every other root beats them",
    ).protect(Protection::MoreLoosens),
    key("skills.load.watch", Kind::Bool, "Watch the skill folders for changes").or_bool(true),
    key(
        "skills.load.debounceMs",
        Kind::Count { min: 0 },
        "How long a change must have settled, in milliseconds",
    )
    .or_count(250)
    .alias(&["watchDebounceMs"])
    .not_in_openclaw(),
    key(
        "skills.load.allowSymlinkTargets",
        Kind::Texts,
        "Folders outside a root that links in workspace, project and extra roots may point to",
    ).protect(Protection::MoreLoosens),
    key("skills.install.preferBrew", Kind::Bool, "Prefer Homebrew where a skill offers several installers")
        .or_bool(true),
    key("skills.install.nodeManager", MANAGERS, "What installs packages of the npm registry").or_text("npm"),
    key(
        "skills.install.allowUploadedArchives",
        Kind::Bool,
        "Let clients of the gateway install archives they upload",
    )
    .or_bool(false).protect(Protection::TrueLoosens),
    key(
        "skills.limits.maxCandidatesPerRoot",
        Kind::Count { min: 1 },
        "Skills of one root that may be listed in the prompt (OpenClaw: sub-folders looked at in one folder)",
    )
    .or_else(|profile| limit(&profile.limits, "maxCandidatesPerRoot")),
    key(
        "skills.limits.maxSkillsLoadedPerSource",
        Kind::Count { min: 1 },
        "Skills of one root that may be listed in the prompt (OpenClaw: skills loaded from one root)",
    )
    .or_else(|profile| limit(&profile.limits, "maxSkillsLoadedPerSource")),
    key("skills.limits.maxSkillsInPrompt", Kind::Count { min: 0 }, "Skills listed in the prompt")
        .or_else(|profile| limit(&profile.limits, "maxSkillsInPrompt")),
    key(
        "skills.limits.maxSkillsPromptChars",
        Kind::Count { min: 0 },
        "Length of the list in the prompt, in UTF-16 units",
    )
    .or_else(|profile| limit(&profile.limits, "maxSkillsPromptChars")),
    key("skills.limits.maxSkillFileBytes", Kind::Count { min: 0 }, "Size of a `SKILL.md`, in bytes")
        .or_else(|profile| limit(&profile.limits, "maxSkillFileBytes")),
    key("skills.prompt.compact", Kind::Bool, "Shorten descriptions before skills are left out")
        .or_else(|profile| Some(profile.prompt.compact_fallback.into()))
        .not_in_openclaw(),
    key(
        "skills.prompt.select",
        Kind::Choice(&["all", "ranked", "top", "message"]),
        "Skills listed for the model: all by name, all by relevance, only the best, or the best in front of each message",
    )
    .or_else(|profile| Some(profile.prompt_select.into()))
    .not_in_openclaw(),
    key(
        "skills.prompt.preload",
        Kind::Bool,
        "Give the model the text of a clear match at once; yes where `skills.prompt.select` is `message`",
    )
    .not_in_openclaw(),
    key(
        "skills.prompt.preloadAt",
        Kind::Share,
        "Confidence from which a match is clear enough for its text; the default is provisional",
    )
    .or_else(|profile| (profile.prompt_select == "message").then(|| PRELOAD_AT.into()))
    .not_in_openclaw(),
    key("skills.prompt.top", Kind::Count { min: 1 }, "Skills in the list when only the best are shown")
        .or_count(8)
        .not_in_openclaw(),
    key("skills.prompt.wording", WORDINGS, "The words around the list")
        .or_else(|profile| serde_json::to_value(profile.prompt.wording).ok())
        .not_in_openclaw(),
    key(
        "skills.match.load",
        Kind::Share,
        "Confidence from which a skill is loaded for a message; the calibration's when it is not set",
    )
    .not_in_openclaw(),
    key(
        "skills.match.suggest",
        Kind::Share,
        "Confidence from which skills are suggested for a message; the calibration's when it is not set",
    )
    .not_in_openclaw(),
    key(
        "skills.match.encoder",
        Kind::Text,
        "What turns text into vectors: `builtin`, `endpoint`, or the path of a pack",
    )
    .or_text("builtin")
    .not_in_openclaw(),
    key(
        "skills.match.endpoint.url",
        Kind::Text,
        "Base address of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`",
    )
    .not_in_openclaw().protect(Protection::Always),
    key("skills.match.endpoint.model", Kind::Text, "The model to ask the endpoint for").not_in_openclaw(),
    key("skills.match.endpoint.apiKey", Kind::Secret, "The key of the endpoint, or where to get it")
        .not_in_openclaw().protect(Protection::Reference),
    key(
        "skills.match.multilingual",
        Kind::Choice(&["builtin", "encoder"]),
        "What reads messages that are not English, when `encoder` is your own",
    )
    .or_text("builtin")
    .not_in_openclaw(),
    key("cortex.enabled", Kind::Bool, "Learn from how runs end, and let selection know")
        .or_bool(true)
        .not_in_openclaw(),
    key(
        "cortex.rules",
        Kind::Choice(&["prowess", "as-written"]),
        "How weights are computed: repaired, or to the letter of the Skill Cortex document",
    )
    .or_text("prowess")
    .not_in_openclaw(),
    key(
        "cortex.githubApi",
        Kind::Text,
        "Base address of the search for repositories, when the registry knows too little",
    )
    .or_text("https://api.github.com")
    .not_in_openclaw(),
    key(
        "skills.commands.inject",
        Kind::Choice(&["never", "sandboxed"]),
        "Whether commands in the text of a called skill run before a model reads it; only confined",
    )
    .or_text("never")
    .not_in_openclaw().protect(Protection::Ladder(&["never", "sandboxed"])),
    key(
        "skills.registry",
        Kind::Text,
        "Address of the registry that skills are searched in and installed from",
    )
    .not_in_openclaw(),
    key("skills.modes.*", MODES, "How a skill, or every skill of a bundle, is offered").not_in_openclaw(),
    key("skills.bundles.*", Kind::Texts, "Skills that get a mode together").not_in_openclaw(),
    key("skills.entries.*.enabled", Kind::Bool, "`false` switches the skill off for every agent"),
    key(
        "skills.entries.*.apiKey",
        Kind::Secret,
        "The value of the skill's primary variable, or where to get it",
    ).protect(Protection::Reference),
    key(
        "skills.entries.*.env.*",
        Kind::Variable,
        "A variable for runs that use the skill, or where to get its value",
    ).protect(Protection::Reference),
    key("skills.entries.*.config", Kind::Opaque, "The skill's own settings"),
    key(
        "skills.workshop.autonomous.mode",
        Kind::Choice(&["off", "propose", "auto"]),
        "Whether agents draft skills by themselves",
    )
    .or_text("auto").protect(Protection::Ladder(&["off", "propose", "auto"])),
    key(
        "skills.workshop.approvalPolicy",
        Kind::Choice(&["pending", "auto"]),
        "Whether drafts wait for a person",
    )
    .or_text("auto").protect(Protection::Ladder(&["pending", "auto"])),
    key("skills.workshop.maxPending", Kind::Count { min: 1 }, "Drafts that may wait").or_count(50),
    key("skills.workshop.maxSkillBytes", Kind::Count { min: 1 }, "Size of a draft, in bytes")
        .or_count(40_000),
    key("agents", Kind::Open, ""),
    key("agents.defaults", Kind::Open, "").or_object(),
    key("agents.defaults.skills", Kind::Texts, "Skills that agents without a list of their own may use").protect(Protection::Everyday),
    key("agents.defaults.workspace", Kind::Text, "Where agents work").protect(Protection::Workspace),
    key("agents.defaults.systemAgent", Kind::Open, ""),
    key("agents.defaults.systemAgent.agentId", Kind::Text, "The agent that looks after the system").protect(Protection::Everyday),
    key(
        "agents.list",
        Kind::ListOf("agents.entries.*"),
        "Agents as a list, each with an `id`; read as `agents.entries`",
    ).protect(Protection::Everyday),
    key("agents.entries.*", Kind::Open, ""),
    key("agents.entries.*.id", Kind::Text, "Its id, in `agents.list`").protect(Protection::Everyday),
    key("agents.entries.*.name", Kind::Text, "What people call it").protect(Protection::Everyday),
    key("agents.entries.*.default", Kind::Bool, "Whether it is meant where no agent is named").protect(Protection::Everyday),
    key("agents.entries.*.workspace", Kind::Text, "Where it works").protect(Protection::Workspace),
    key("agents.entries.*.agentDir", Kind::Text, "Where its own files are").protect(Protection::Always),
    key("agents.entries.*.skills", Kind::Texts, "Skills that it may use, by name; an empty list allows none").protect(Protection::Everyday),
    key(
        "agents.entries.*.skillsLimits.maxCandidatesPerRoot",
        Kind::Count { min: 1 },
        "As in `skills.limits`, for this agent",
    )
    .not_in_openclaw().protect(Protection::Everyday),
    key(
        "agents.entries.*.skillsLimits.maxSkillsLoadedPerSource",
        Kind::Count { min: 1 },
        "As in `skills.limits`, for this agent",
    )
    .not_in_openclaw().protect(Protection::Everyday),
    key(
        "agents.entries.*.skillsLimits.maxSkillsInPrompt",
        Kind::Count { min: 0 },
        "As in `skills.limits`, for this agent",
    )
    .not_in_openclaw().protect(Protection::Everyday),
    key(
        "agents.entries.*.skillsLimits.maxSkillsPromptChars",
        Kind::Count { min: 0 },
        "As in `skills.limits`, for this agent",
    ).protect(Protection::Everyday),
    key(
        "agents.entries.*.skillsLimits.maxSkillFileBytes",
        Kind::Count { min: 0 },
        "As in `skills.limits`, for this agent",
    )
    .not_in_openclaw().protect(Protection::Everyday),
    key("agents.entries.*.skillModes.*", MODES, "How a skill or a bundle is offered to this agent")
        .not_in_openclaw().protect(Protection::Everyday),
    theirs("agents.defaults.sandbox").protect(Protection::Always),
    theirs("agents.defaults.tools").protect(Protection::Always),
    theirs("agents.defaults.elevatedDefault").protect(Protection::Always),
    theirs("agents.entries.*.sandbox").protect(Protection::Always),
    theirs("agents.entries.*.tools").protect(Protection::Always),
    key("plugins", Kind::Open, ""),
    key("plugins.enabled", Kind::Bool, "Whether plugins are used at all").or_bool(true).protect(Protection::TrueLoosens),
    key("plugins.allow", Kind::Texts, "Plugins that may be used, by id; an empty list allows all").protect(Protection::AllowList),
    key("plugins.deny", Kind::Texts, "Plugins that must not be used, by id").protect(Protection::FewerLoosens),
    key("plugins.load.paths", Kind::Texts, "Folders of plugins").protect(Protection::MoreLoosens),
    key("plugins.slots", Kind::Open, ""),
    key("plugins.slots.memory", Kind::Text, "The memory plugin that is used; `none` for none").protect(Protection::Always),
    key("plugins.entries.*", Kind::Open, ""),
    key("plugins.entries.*.enabled", Kind::Bool, "Whether the plugin is used").protect(Protection::TrueLoosens),
    key("plugins.entries.*.config", Kind::Opaque, "The plugin's own settings").protect(Protection::Always),
    key("agent", Kind::Open, ""),
    key("agent.skillsSpecMode", Kind::Choice(&["legacy", "mixed", "strict"]), "Which files are skills")
        .or_text("mixed")
        .alias(&["skills_spec_mode"])
        .not_in_openclaw(),
    key("agent.autoArtifactsEnabled", Kind::Bool, "Whether a successful session is drafted as a skill")
        .or_bool(true)
        .alias(&["auto_artifacts_enabled"])
        .not_in_openclaw(),
    key(
        "agent.systemPromptMode",
        Kind::Choice(&["full", "minimal", "none"]),
        "How much of the system prompt is written",
    )
    .or_text("full")
    .alias(&["system_prompt_mode"])
    .not_in_openclaw(),
    key("workspaceDir", Kind::Text, "OpenPocket's workspace").alias(&["workspace_dir"]).not_in_openclaw().protect(Protection::Workspace),
    key("browser", Kind::Open, ""),
    key("browser.enabled", Kind::Bool, "Whether a browser may be used; skills ask for it").or_bool(true).protect(Protection::TrueLoosens),
    key("browser.evaluateEnabled", Kind::Bool, "Whether scripts may run in the browser; skills ask for it")
        .or_bool(true).protect(Protection::TrueLoosens),
    key("models", Kind::Open, ""),
    key("models.providers.*", Kind::Open, ""),
    key(
        "models.providers.*.api",
        Kind::Text,
        "How it is spoken to: `openai-completions` (any OpenAI-compatible server), \
         `anthropic-messages`, or `script` (a file with the answers)",
    ).protect(Protection::Always),
    key("models.providers.*.baseUrl", Kind::Text, "Its address, such as `http://127.0.0.1:11434/v1`").protect(Protection::Always),
    key("models.providers.*.script", Kind::Text, "The file with the answers of a `script`").not_in_openclaw().protect(Protection::Always),
    key("models.providers.*.apiKey", Kind::Secret, "Its key, or where to get it").protect(Protection::Reference),
    theirs("models.providers.*.models").protect(Protection::Everyday),
    key(
        "agents.defaults.model",
        Kind::Opaque,
        "The model that answers, as `provider/model`, or `{primary}` with it",
    ).protect(Protection::Everyday),
    key("agents.entries.*.model", Kind::Opaque, "The model that answers for this agent").protect(Protection::Everyday),
    key("tools", Kind::Open, ""),
    key("tools.*", Kind::Opaque, "A tool: the settings of a built-in one, or one of your own").protect(Protection::Tool),
    key(
        "tools.*.policy",
        Kind::Choice(&["ask", "allow", "deny"]),
        "Whether a tool may be used: after asking, always, or never",
    )
    .not_in_openclaw().protect(Protection::Tool),
    key(
        "tools.*.type",
        Kind::Choice(&["command", "http", "mcp"]),
        "What a tool of your own is: a program, an HTTP endpoint, or a server of tools",
    )
    .not_in_openclaw().protect(Protection::Tool),
    key("tools.*.headers.*", Kind::Secret, "A header of an HTTP tool").not_in_openclaw().protect(Protection::Tool),
    key("run.maxRequests", Kind::Count { min: 1 }, "Maximum number of model requests in one run")
        .or_count(50)
        .not_in_openclaw().protect(Protection::Everyday),
    key("run.maxTokens", Kind::Count { min: 1 }, "Length of one answer, in tokens")
        .or_count(8192)
        .not_in_openclaw().protect(Protection::Everyday),
    key("run.maxOutputBytes", Kind::Count { min: 1024 }, "Bytes of a tool's output that are kept")
        .or_count(32_768)
        .not_in_openclaw().protect(Protection::Everyday),
    key("run.toolTimeoutMs", Kind::Count { min: 1 }, "How long a program may run in the foreground")
        .or_count(120_000)
        .not_in_openclaw().protect(Protection::Everyday),
    key(
        "run.landlock",
        Kind::Choice(&["off", "auto", "require"]),
        "Whether programs may write only in the workspace (Linux): never, where the kernel can, or always",
    )
    .or_text("auto")
    .not_in_openclaw().protect(Protection::Ladder(&["require", "auto", "off"])),
    key("run.sandbox.dir", Kind::Text, "Where skills are copied for an agent that cannot see their folders")
        .not_in_openclaw().protect(Protection::Always),
    key(
        "run.sandbox.access",
        Kind::Choice(&["rw", "ro", "none"]),
        "How the agent's sandbox sees the workspace; skills are copied unless it can write there",
    )
    .or_text("rw")
    .not_in_openclaw().protect(Protection::Ladder(&["none", "ro", "rw"])),
    key("run.sandbox.mountedAt", Kind::Text, "What the sandbox calls that folder").not_in_openclaw().protect(Protection::Always),
    key("secrets", Kind::Open, ""),
    key(
        "secrets.defaults.*",
        Kind::Text,
        "The provider that is meant where a reference names none, by source (`env`, `file`, `exec`, `keyring`)",
    ).protect(Protection::Always),
    key("secrets.providers.*", Kind::Open, ""),
    key(
        "secrets.providers.*.source",
        Kind::Choice(&["env", "file", "exec", "keyring", "store"]),
        "Providers of secrets; `store` is OpenClaw's own",
    ).protect(Protection::Always),
    key(
        "secrets.providers.*.allowlist",
        Kind::Texts,
        "`env`: variables that may be read; all without a list",
    ).protect(Protection::Always),
    key("secrets.providers.*.path", Kind::Text, "`file`: a file that only you can read").protect(Protection::Always),
    key(
        "secrets.providers.*.mode",
        Kind::Choice(&["json", "singleValue"]),
        "`file`: JSON with many secrets, or one secret (`singleValue`)",
    ).protect(Protection::Always),
    key("secrets.providers.*.maxBytes", Kind::Count { min: 1 }, "`file`: how large it may be, in bytes").protect(Protection::Always),
    key("secrets.providers.*.timeoutMs", Kind::Count { min: 1 }, "`file`, `exec`: how long it may take").protect(Protection::Always),
    key("secrets.providers.*.command", Kind::Text, "`exec`: the program, by its absolute path").protect(Protection::Always),
    key("secrets.providers.*.args", Kind::Texts, "`exec`: its arguments").protect(Protection::Always),
    key("secrets.providers.*.noOutputTimeoutMs", Kind::Count { min: 1 }, "`exec`: how long it may be silent").protect(Protection::Always),
    key("secrets.providers.*.maxOutputBytes", Kind::Count { min: 1 }, "`exec`: how much it may write").protect(Protection::Always),
    key(
        "secrets.providers.*.jsonOnly",
        Kind::Bool,
        "`exec`: whether it must answer in JSON, which is the default",
    ).protect(Protection::Always),
    key("secrets.providers.*.env.*", Kind::Text, "`exec`: a variable for it").protect(Protection::Always),
    key("secrets.providers.*.passEnv", Kind::Texts, "`exec`: variables that it inherits").protect(Protection::Always),
    key("secrets.providers.*.trustedDirs", Kind::Texts, "`exec`: folders that the program may lie in").protect(Protection::Always),
    key("secrets.providers.*.service", Kind::Text, "`keyring`: the name under which secrets are kept there")
        .not_in_openclaw().protect(Protection::Always),
    key("forge", Kind::Open, "").not_in_openclaw(),
    key("forge.offer", Kind::Bool, "Whether a run that worked is offered as a draft of a skill")
        .or_bool(true)
        .not_in_openclaw().protect(Protection::Everyday),
    key(
        "forge.policy",
        Kind::Choice(&["ask", "tested"]),
        "Confirm each promotion, or promote every draft that passed its test",
    )
    .or_text("ask")
    .not_in_openclaw().protect(Protection::Ladder(&["ask", "tested"])),
    key("security", Kind::Open, ""),
    key(
        "security.trust",
        Kind::Choice(&["ask", "always"]),
        "Whether skills of a cloned repository wait until you have decided about them",
    )
    .or_text("ask")
    .not_in_openclaw().protect(Protection::Ladder(&["ask", "always"])),
    key(
        "security.installPolicy.enabled",
        Kind::Bool,
        "Whether a command of the operator's decides about installs",
    )
    .or_bool(false).protect(Protection::FalseLoosens),
    key(
        "security.installPolicy.targets",
        Kind::Texts,
        "What it decides about (`skill`, `plugin`); everything when it is not set",
    ).protect(Protection::Always),
    key("security.installPolicy.exec.source", Kind::Choice(&["exec"]), "How it is asked").protect(Protection::Always),
    key("security.installPolicy.exec.command", Kind::Text, "The program, by its absolute path").protect(Protection::Always),
    key("security.installPolicy.exec.args", Kind::Texts, "Its arguments").protect(Protection::Always),
    key("security.installPolicy.exec.timeoutMs", Kind::Count { min: 1 }, "How long it may take")
        .or_count(10_000).protect(Protection::Always),
    key("security.installPolicy.exec.noOutputTimeoutMs", Kind::Count { min: 1 }, "How long it may be silent").protect(Protection::Always),
    key("security.installPolicy.exec.maxOutputBytes", Kind::Count { min: 1 }, "How much it may write")
        .or_count(1_048_576).protect(Protection::Always),
    key("security.installPolicy.exec.env.*", Kind::Text, "A variable for it").protect(Protection::Always),
    key("security.installPolicy.exec.passEnv", Kind::Texts, "Variables it inherits, by name").protect(Protection::Always),
    key("security.installPolicy.exec.trustedDirs", Kind::Texts, "Folders that the program may lie in").protect(Protection::Always),
    // OpenClaw's other sections.
    theirs("$schema"),
    theirs("accessGroups").protect(Protection::Always),
    theirs("acp").protect(Protection::Always),
    theirs("approvals").protect(Protection::Always),
    theirs("attachments"),
    theirs("audio"),
    theirs("auth").protect(Protection::Always),
    theirs("bindings"),
    theirs("broadcast"),
    theirs("canvasHost"),
    theirs("channels").protect(Protection::Always),
    theirs("cli"),
    theirs("cloudWorkers").protect(Protection::Always),
    // Some let chats run programs; those that OpenClaw's clients send back unasked do not.
    key("commands", Kind::Open, ""),
    theirs("commands.native").protect(Protection::Everyday),
    theirs("commands.nativeSkills").protect(Protection::Everyday),
    theirs("commands.ownerDisplay").protect(Protection::Everyday),
    theirs("commands.restart").protect(Protection::Everyday),
    theirs("commands.text").protect(Protection::Everyday),
    theirs("cron"),
    theirs("diagnostics"),
    theirs("discovery"),
    theirs("env").protect(Protection::Always),
    key("gateway", Kind::Open, ""),
    key("gateway.port", Kind::Count { min: 1 }, "The port of the gateway").or_count(18789).protect(Protection::Always),
    key("gateway.bind", Kind::Text, "Who reaches the gateway: `loopback` or an address").or_text("loopback").protect(Protection::Ladder(&["loopback"])),
    key("gateway.auth.token", Kind::Secret, "What lets a client of the gateway in; made on first start").protect(Protection::Always),
    key("gateway.controlUi.allowedOrigins", Kind::Texts, "Pages of other hosts that may connect, as origins").protect(Protection::MoreLoosens),
    key(
        "gateway.reload.mode",
        Kind::Choice(&["off", "hot", "hybrid"]),
        "How other engines take up a changed config; here it is taken up at once, whatever is set",
    )
    .or_text("hot").protect(Protection::Everyday),
    key("gateway.publicUrl", Kind::Text, "What people call the gateway, where a proxy stands before it")
        .not_in_openclaw().protect(Protection::Always),
    key("gateway.hosts", Kind::Texts, "More names that the gateway answers to, such as `box.lan:18789`")
        .not_in_openclaw().protect(Protection::MoreLoosens),
    key(
        "gateway.remote.sshTarget",
        Kind::Text,
        "A gateway on another host, as `ssh` is asked for it; its managed skills can be removed from here",
    ).protect(Protection::Always),
    key("gateway.remote.sshIdentity", Kind::Text, "The file with the key that `ssh` uses for it").protect(Protection::Always),
    key(
        "gateway.remote.managedSkillsDir",
        Kind::Text,
        "The folder of managed skills there, from the home there",
    )
    .or_text(".prowess/skills")
    .not_in_openclaw().protect(Protection::Always),
    theirs("hooks").protect(Protection::Always),
    key("logging", Kind::Open, ""),
    key(
        "logging.level",
        Kind::Choice(&["silent", "fatal", "error", "warn", "info", "debug", "trace"]),
        "How much the gateway writes to its log",
    )
    .or_text("info"),
    theirs("mcp").protect(Protection::Always),
    theirs("media"),
    theirs("memory"),
    theirs("messages"),
    theirs("meta"),
    theirs("nodeHost").protect(Protection::Always),
    theirs("proxy").protect(Protection::Always),
    theirs("security.audit").protect(Protection::Always),
    theirs("session"),
    theirs("talk"),
    theirs("transcripts"),
    theirs("tts"),
    theirs("ui"),
    theirs("update"),
    theirs("web"),
    theirs("wizard"),
    // OpenPocket's other sections.
    theirs("codingTools").protect(Protection::Always),
    theirs("dashboard"),
    theirs("defaultModel"),
    theirs("emulator"),
    theirs("heartbeat"),
    theirs("humanAuth").protect(Protection::Always),
    theirs("memoryTools"),
    theirs("projectName"),
    theirs("screenshots"),
    theirs("scriptExecutor").protect(Protection::Always),
    theirs("sessionStorage"),
    theirs("stateDir"),
    theirs("target"),
    theirs("telegram"),
];
