//! Which answer every command gives with `--json`.

use prowess_acquire::{Comparison, InstallListing, Restored};
use prowess_agent::{RunReport, SecretChange, SecretStatus};
use prowess_catalog::{CommandSpec, Snapshot};
use prowess_connect::harness::ViewSyncReport as HarnessReport;
use prowess_cortex::CortexFile;
use prowess_inventory::{
    CheckReport, MessageMatch, PromptExplanation, SandboxSyncReport as SandboxReport, StatusReport, Why,
};
use prowess_learn::corrections::Corrected;
use prowess_learn::cortex::{CortexView, Learned, TaskReport};
use prowess_learn::forge::{DraftRecord, Improved, Promoted};
use prowess_match::PoolReport;
use prowess_registry::protocol::{DoneAnswer, ModerationAnswer, SkillList, StarAnswer, UnstarAnswer};
use prowess_sessions::replay::ReplayReport;
use prowess_sessions::resume::ResumeDigest;
use prowess_sessions::usage::UsageReport;
use prowess_sessions::{PromptDifference, Rated, StoredPrompt};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::answers::{
    BlacklistAnswer, CasesAnswer, ChangedAnswer, CodesAnswer, ConfigChangeAnswer, ConfigPathAnswer,
    ConfigValueAnswer, DemoAnswer, DependenciesAnswer, DoctorAnswer, DoctorChecksAnswer, DoneFlag,
    DraftsAnswer, FileAnswer, ForgottenAnswer, FrozenAnswer, GatewayLine, HarnessesAnswer, HistoryAnswer,
    HookAnswer, HooksAnswer, ImportAnswer, InfoAnswer, InspectAnswer, InstallAnswer, LessonsAnswer,
    LintAnswer, ListAnswer, LoginAnswer, LogoutAnswer, NewSkillAnswer, NewTokenAnswer, NodeLine,
    OpenpocketAnswer, OutdatedAnswer, OverlapAnswer, PerceivedAnswer, PinAnswer, PromptAnswer, PublishResult,
    RegistryLine, RemovalAnswer, ReplayedAnswer, RevokedAnswer, RunAnswer, ScanAnswer, SchemasAnswer,
    SearchAnswer, SessionAnswer, SessionsAnswer, SimulationAnswer, SkillsRefAnswer, StoredDraftAnswer,
    TestAnswer, TextDiffAnswer, TokensAnswer, TrashAnswer, TriggersAnswer, TrustAnswer, TrustForgottenAnswer,
    TrustListAnswer, UndecidedAnswer, UnpinAnswer, UrlAnswer, ValidateAnswer, VerifyAnswer, WatchLine,
    WhoamiAnswer,
};
use crate::failure::ErrorAnswer;

/// Writes the schema of a type into a generator.
pub(crate) type Shape = fn(&mut SchemaGenerator) -> Schema;

/// How a command answers with `--json`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// One value.
    Whole,
    /// One value a line, for as long as it goes on.
    Lines,
    /// Something else, as it does without.
    Other(&'static str),
}

/// What a command answers with `--json`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The command, without `prowess`.
    pub(crate) command: &'static str,
    /// How it answers.
    pub(crate) form: Form,
    /// The schema of what it answers; any of them where there are several.
    pub(crate) shapes: &'static [Shape],
}

/// The schema of a type.
pub(crate) fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What the gateway answers about devices.
fn devices(generator: &mut SchemaGenerator) -> Schema {
    prowess_gateway::answer_schema("device.pair.list", generator)
}

/// What the gateway answers about a device that waited.
fn device_let_in(generator: &mut SchemaGenerator) -> Schema {
    prowess_gateway::answer_schema("device.pair.approve", generator)
}

/// The changes of protected settings that wait.
fn held_changes(generator: &mut SchemaGenerator) -> Schema {
    prowess_gateway::answer_schema("confirmation.list", generator)
}

/// What the gateway answers about a change that waited.
fn held_change_answer(generator: &mut SchemaGenerator) -> Schema {
    prowess_gateway::answer_schema("confirmation.resolve", generator)
}

const fn value(command: &'static str, shapes: &'static [Shape]) -> Answer {
    Answer { command, form: Form::Whole, shapes }
}

const fn lines(command: &'static str, shapes: &'static [Shape]) -> Answer {
    Answer { command, form: Form::Lines, shapes }
}

const fn other(command: &'static str, what: &'static str) -> Answer {
    Answer { command, form: Form::Other(what), shapes: &[] }
}

/// Every command, in the order of the help.
pub(crate) const ANSWERS: &[Answer] = &[
    value("list", &[of::<ListAnswer<'_>>]),
    value("info", &[of::<InfoAnswer<'_>>]),
    value("check", &[of::<CheckReport>]),
    value("status", &[of::<StatusReport>]),
    value("prompt", &[of::<PromptAnswer<'_>>, of::<PromptExplanation>]),
    value("run", &[of::<RunReport>]),
    lines("chat", &[of::<RunReport>, of::<ErrorAnswer>]),
    value("cortex perceive", &[of::<PerceivedAnswer<'_>>]),
    value("cortex run", &[of::<TaskReport>]),
    value("cortex record", &[of::<Learned>]),
    value("cortex show", &[of::<CortexView>]),
    value("cortex history", &[of::<HistoryAnswer<'_>>]),
    value("cortex forget", &[of::<ForgottenAnswer>]),
    value("cortex blacklist", &[of::<BlacklistAnswer>]),
    value("cortex lessons", &[of::<LessonsAnswer<'_>>]),
    value("cortex export", &[of::<CortexFile>]),
    value("cortex import", &[of::<ChangedAnswer>]),
    value("cortex replay", &[of::<ReplayedAnswer<'_>>]),
    value("cortex simulate", &[of::<SimulationAnswer<'_>>]),
    value("match", &[of::<MessageMatch>, of::<Corrected>]),
    value("eval", &[of::<TriggersAnswer<'_>>, of::<CasesAnswer<'_>>, of::<PoolReport>]),
    value("overlap", &[of::<OverlapAnswer<'_>>]),
    value("commands", &[of::<Vec<CommandSpec>>]),
    value("validate", &[of::<ValidateAnswer<'_>>, of::<SkillsRefAnswer>, of::<OpenpocketAnswer>]),
    value("lint", &[of::<LintAnswer<'_>>]),
    value("scan", &[of::<ScanAnswer<'_>>]),
    value("deps", &[of::<DependenciesAnswer<'_>>]),
    value("search", &[of::<SearchAnswer<'_>>]),
    value("publish", &[of::<PublishResult<'_>>]),
    lines("gateway", &[of::<GatewayLine<'_>>]),
    value("gateway url", &[of::<UrlAnswer<'_>>]),
    value("gateway confirm", &[held_changes, held_change_answer]),
    value("gateway devices", &[devices]),
    value("gateway devices list", &[devices]),
    value("gateway devices approve", &[device_let_in]),
    value("gateway devices reject", &[device_let_in]),
    value("gateway devices revoke", &[of::<RevokedAnswer>]),
    lines("up", &[of::<GatewayLine<'_>>]),
    lines("node", &[of::<NodeLine<'_>>]),
    other("mcp", "messages of the Model Context Protocol"),
    value("registry explore", &[of::<SkillList>]),
    value("registry inspect", &[of::<InspectAnswer<'_>>, of::<FileAnswer<'_>>]),
    value("registry moderation", &[of::<ModerationAnswer>]),
    value("registry login", &[of::<LoginAnswer<'_>>]),
    value("registry logout", &[of::<LogoutAnswer<'_>>]),
    value("registry whoami", &[of::<WhoamiAnswer<'_>>]),
    value("registry star", &[of::<StarAnswer>]),
    value("registry unstar", &[of::<UnstarAnswer>]),
    value("registry delete", &[of::<DoneAnswer>]),
    value("registry undelete", &[of::<DoneAnswer>]),
    value("registry rename", &[of::<DoneAnswer>]),
    value("registry tag", &[of::<DoneAnswer>]),
    lines("registry serve", &[of::<RegistryLine<'_>>]),
    value("registry token create", &[of::<NewTokenAnswer<'_>>]),
    value("registry token list", &[of::<TokensAnswer<'_>>]),
    value("registry token revoke", &[of::<DoneFlag>]),
    value("registry token approve", &[of::<DoneFlag>]),
    value("registry report", &[of::<DoneAnswer>]),
    value("trust", &[of::<UndecidedAnswer>]),
    value("trust list", &[of::<TrustListAnswer>]),
    value("trust add", &[of::<TrustAnswer>]),
    value("trust refuse", &[of::<TrustAnswer>]),
    value("trust forget", &[of::<TrustForgottenAnswer>]),
    value("sandbox sync", &[of::<SandboxReport>]),
    value("sync", &[of::<HarnessReport>, of::<HarnessesAnswer<'_>>]),
    value("import", &[of::<InstallAnswer<'_>>]),
    value("sessions list", &[of::<SessionsAnswer<'_>>]),
    value("sessions show", &[of::<SessionAnswer<'_>>, of::<RunAnswer<'_>>]),
    value("sessions prompt", &[of::<StoredPrompt>, of::<PromptDifference>]),
    other("sessions export", "the session in the format that is asked for"),
    value("sessions import", &[of::<ImportAnswer>]),
    value("sessions rate", &[of::<Rated>]),
    value("install", &[of::<FrozenAnswer<'_>>, of::<InstallAnswer<'_>>]),
    value("update", &[of::<InstallAnswer<'_>>]),
    value("outdated", &[of::<OutdatedAnswer<'_>>]),
    value("installed", &[of::<InstallListing>]),
    value("verify", &[of::<VerifyAnswer<'_>>]),
    value("pin", &[of::<PinAnswer<'_>>]),
    value("unpin", &[of::<UnpinAnswer<'_>>]),
    value("uninstall", &[of::<RemovalAnswer<'_>>]),
    value("restore", &[of::<TrashAnswer>, of::<Restored>]),
    value("diff", &[of::<Comparison>]),
    value("hook install", &[of::<HookAnswer<'_>>]),
    value("hook remove", &[of::<HookAnswer<'_>>]),
    value("hook status", &[of::<HooksAnswer>]),
    other("hook run", "what the agent program wants to read"),
    value("usage", &[of::<UsageReport>]),
    value("replay", &[of::<ReplayReport>]),
    value("resume", &[of::<ResumeDigest>]),
    value("forge list", &[of::<DraftsAnswer<'_>>]),
    value("forge show", &[of::<StoredDraftAnswer<'_>>]),
    value("forge draft", &[of::<DraftRecord>]),
    value("forge improve", &[of::<Improved>]),
    value("forge diff", &[of::<TextDiffAnswer>]),
    value("forge test", &[of::<TestAnswer<'_>>]),
    value("forge promote", &[of::<Promoted>]),
    value("forge reject", &[of::<DraftRecord>]),
    value("forge rollback", &[of::<Promoted>]),
    value("forge retire", &[of::<Promoted>]),
    value("forge restore", &[of::<Promoted>]),
    value("why", &[of::<Why>]),
    value("config get", &[of::<ConfigValueAnswer<'_>>, of::<Value>]),
    value("config set", &[of::<ConfigChangeAnswer>]),
    value("config unset", &[of::<ConfigChangeAnswer>]),
    value("config path", &[of::<ConfigPathAnswer>]),
    value("config keys", &[of::<Value>]),
    value("secret set", &[of::<SecretChange>]),
    value("secret unset", &[of::<SecretChange>]),
    value("secret list", &[of::<Vec<SecretStatus>>]),
    value("snapshot", &[of::<Snapshot>]),
    lines("watch", &[of::<WatchLine<'_>>]),
    value("demo", &[of::<DemoAnswer<'_>>]),
    value("doctor", &[of::<DoctorAnswer<'_>>, of::<DoctorChecksAnswer>]),
    value("new", &[of::<NewSkillAnswer>]),
    value("schema", &[of::<SchemasAnswer>, of::<CodesAnswer>, of::<Value>]),
    other("completions", "a script for a shell"),
    other("man", "a manual page"),
    other("skills", "OpenPocket's own words"),
];

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
