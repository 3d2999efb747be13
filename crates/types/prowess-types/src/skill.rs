//! A skill as it was read.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Deferred, Diagnostic, InstallSpec, RefusedInstall, Requirements, SpecLevel};

/// Frontmatter in the order in which it was written.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// The SHA-256 of a skill's folder: of every path, execute bit and content in it, as lower-case hex. The hash of the
/// text of `SKILL.md` alone is a [`ContentHash`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeHash(String);

impl TreeHash {
    /// A hash that was computed from a folder.
    pub fn new(hex: String) -> Self {
        Self(hex)
    }

    /// The hash in lower-case hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TreeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The SHA-256 of the text of `SKILL.md`, without the other files of the skill (see [`TreeHash`]); lower-case hex wherever people or other programs read it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        data_encoding::HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl schemars::JsonSchema for ContentHash {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ContentHash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return <[u8; 32]>::deserialize(deserializer).map(Self);
        }
        let text = String::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        let digits = |place: usize| text.get(2 * place..2 * place + 2);
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = digits(place)
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .ok_or_else(|| D::Error::custom("a content hash is 64 hex digits"))?;
        }
        Ok(Self(bytes))
    }
}

/// How a skill lies on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Layout")]
pub enum SkillLayout {
    /// A folder with `SKILL.md`.
    #[default]
    Folder,
    /// A lone Markdown file.
    LoneFile,
}

/// What a slash command does without a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "DispatchShape", into = "DispatchShape")]
pub enum Dispatch {
    /// Hands the arguments to a tool, as they are typed.
    Tool {
        /// The tool.
        tool_name: String,
    },
}

/// The shape of [`Dispatch`] in answers. A plain structure, so that compact formats can carry it too.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DispatchShape {
    kind: String,
    tool_name: String,
    // `raw` is the only mode.
    arg_mode: String,
}

impl From<Dispatch> for DispatchShape {
    fn from(dispatch: Dispatch) -> Self {
        let Dispatch::Tool { tool_name } = dispatch;
        Self { kind: "tool".to_owned(), tool_name, arg_mode: "raw".to_owned() }
    }
}

impl From<DispatchShape> for Dispatch {
    fn from(shape: DispatchShape) -> Self {
        Self::Tool { tool_name: shape.tool_name }
    }
}

/// Who may call a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Invocation")]
pub struct InvocationPolicy {
    /// It appears as a slash command.
    pub user_invocable: bool,
    /// It is kept out of the model's list.
    pub disable_model_invocation: bool,
    /// The slash command goes straight to a tool.
    pub dispatch: Option<Dispatch>,
}

impl Default for InvocationPolicy {
    fn default() -> Self {
        Self { user_invocable: true, disable_model_invocation: false, dispatch: None }
    }
}

/// Phrases that call for a skill (or rule it out).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Triggers {
    /// One of them is enough.
    pub any: Vec<String>,
    /// All of them together.
    pub all: Vec<String>,
    /// None of them may appear.
    pub none: Vec<String>,
}

/// The engine's own block under `metadata`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// The key it was read from (`openclaw`, `clawdbot` …); none means there was no block.
    pub namespace: Option<String>,
    /// Include whatever the requirements say (but never on the wrong platform).
    pub always: bool,
    /// For display.
    pub emoji: Option<String>,
    /// For display; already trimmed and not blank.
    pub homepage: Option<String>,
    /// The variable that holds the skill's API key.
    pub primary_env: Option<String>,
    /// The key of the skill's config entry, where it is not the name.
    pub skill_key: Option<String>,
    /// Trigger phrases, from the block and from `metadata.triggers`.
    pub triggers: Deferred<Triggers>,
    /// True if `requires` was given as an object at all, even an empty one.
    pub requires_declared: bool,
    /// Declared ways to install what it needs.
    pub install: Deferred<Vec<InstallSpec>>,
    /// Declared ways that cannot be used.
    pub refused_installs: Deferred<Vec<RefusedInstall>>,
}

/// A variable that Hermes asks for before a skill is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct EnvVarRequirement {
    /// Its name.
    pub name: String,
    /// What to ask the user.
    pub prompt: Option<String>,
    /// Where to get it.
    pub help: Option<String>,
    /// What needs it.
    pub required_for: Option<String>,
}

/// Fields of other harnesses, typed where their documentation defines them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Extensions {
    /// Agent Skills: licence text.
    pub license: Option<String>,
    /// Agent Skills: environment the skill was made for.
    pub compatibility: Option<String>,
    /// Agent Skills, Claude Code: pre-approved tool patterns.
    pub allowed_tools: Vec<String>,
    /// Claude Code: more listing text.
    pub when_to_use: Option<String>,
    /// Claude Code: autocomplete hint.
    pub argument_hint: Option<String>,
    /// Claude Code: named positional arguments.
    pub arguments: Vec<String>,
    /// Claude Code: model for the turn.
    pub model: Option<String>,
    /// Claude Code: effort for the turn.
    pub effort: Option<String>,
    /// Claude Code: `fork` runs the skill in a sub-agent.
    pub context: Option<String>,
    /// Claude Code: type of that sub-agent.
    pub agent: Option<String>,
    /// Claude Code: globs that limit automatic activation.
    pub paths: Vec<String>,
    /// Claude Code: shell of injected commands.
    pub shell: Option<String>,
    /// Claude Code: whether lifecycle hooks are declared.
    pub has_hooks: bool,
    /// Codex: `metadata.short-description`.
    pub short_description: Option<String>,
    /// Hermes: platforms.
    pub platforms: Vec<String>,
    /// Hermes: variables asked for.
    pub required_environment_variables: Vec<EnvVarRequirement>,
    /// Hermes: `metadata.hermes.tags`.
    pub tags: Vec<String>,
    /// Hermes: `metadata.hermes.category`.
    pub category: Option<String>,
    /// Hermes: toolsets it needs.
    pub requires_toolsets: Vec<String>,
    /// Hermes: toolsets it stands in for when they are missing.
    pub fallback_for_toolsets: Vec<String>,
    /// Hermes: tools it needs.
    pub requires_tools: Vec<String>,
    /// Hermes: tools it stands in for when they are missing.
    pub fallback_for_tools: Vec<String>,
    /// IronClaw: words that call for it.
    pub activation_keywords: Vec<String>,
    /// IronClaw: patterns that call for it.
    pub activation_patterns: Vec<String>,
    /// IronClaw: tags that call for it.
    pub activation_tags: Vec<String>,
    /// Codewhale: descriptions by locale, from `description_<locale>`.
    pub localized_descriptions: BTreeMap<String, String>,
}

/// What a skill tells Codex in `agents/openai.yaml`. Every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodexSettings {
    /// Its display form.
    pub interface: CodexInterface,
    /// Tools it depends on.
    pub dependencies: CodexDependencies,
    /// When it may be used.
    pub policy: CodexPolicy,
}

/// How Codex shows a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodexInterface {
    /// Its name for people.
    pub display_name: Option<String>,
    /// What it does, in a few words.
    pub short_description: Option<String>,
    /// A small picture.
    pub icon_small: Option<String>,
    /// A large picture.
    pub icon_large: Option<String>,
    /// A colour.
    pub brand_color: Option<String>,
    /// What a click on it asks.
    pub default_prompt: Option<String>,
}

/// Tools a skill depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodexDependencies {
    /// The tools.
    pub tools: Vec<CodexTool>,
}

/// A tool that a skill depends on, usually an MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodexTool {
    /// `mcp`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its name.
    pub value: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
    /// `stdio` or `streamable_http`.
    pub transport: Option<String>,
    /// What starts it.
    pub command: Option<String>,
    /// Its location.
    pub url: Option<String>,
}

/// When Codex may use a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodexPolicy {
    /// True if it may be used without being named.
    pub allow_implicit_invocation: Option<bool>,
    /// Products it is for.
    pub products: Vec<String>,
}

/// A skill as it was read. Immutable; shared behind an `Arc`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// Folder name, or file name without `.md`.
    pub id: String,
    /// What it calls itself.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// First heading, or the name made readable.
    pub display_name: String,
    /// How it lies on disk.
    pub layout: SkillLayout,
    /// Everything under the frontmatter fence, unknown fields included.
    pub frontmatter: Deferred<Fields>,
    /// Who may call it.
    pub invocation: InvocationPolicy,
    /// Its requirements.
    pub requirements: Requirements,
    /// The engine's block.
    pub metadata: Metadata,
    /// Other harnesses' fields.
    pub extensions: Deferred<Extensions>,
    /// SHA-256 of the text.
    pub content_hash: ContentHash,
    /// Where the body starts, in bytes of the decoded text.
    pub body_start: usize,
    /// UTF-16 length of the body.
    pub body_chars: usize,
    /// How far it is from the specification.
    pub level: SpecLevel,
    /// The problem with it.
    pub diagnostics: Deferred<Vec<Diagnostic>>,
}

impl Skill {
    /// Fails if a detail that came from a compact format is damaged.
    pub fn check_details(&self) -> Result<(), serde_json::Error> {
        // The frontmatter is any object, so its shape needs no reading.
        self.frontmatter.check_as::<serde::de::IgnoredAny>()?;
        self.extensions.check()?;
        self.diagnostics.check()?;
        self.metadata.triggers.check()?;
        self.metadata.install.check()?;
        self.metadata.refused_installs.check()
    }

    /// The key of its config entry: `skillKey`, else the name.
    pub fn key(&self) -> &str {
        self.metadata.skill_key.as_deref().unwrap_or(&self.name)
    }

    /// Returns true if the parser let it through.
    pub fn is_loadable(&self) -> bool {
        self.level > SpecLevel::Rejected
    }
}
