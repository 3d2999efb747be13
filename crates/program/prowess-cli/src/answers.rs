//! Every answer in JSON that the engine itself has no type for. Each is described by `prowess schema`.

mod acquire;
mod learned;
mod registry;
mod serving;
mod settings;
mod skills;

pub(crate) use acquire::{
    FrozenAnswer, InstallAnswer, InstallResult, NamedAnswer, OutdatedAnswer, PinAnswer, PinResult,
    RemovalAnswer, RemovalResult, RemovalRow, TrashAnswer, TrashRow, TrashScope, UnpinAnswer, UnpinDone,
    VerifyAnswer,
};
pub(crate) use learned::{
    BlacklistAnswer, ChangedAnswer, DraftsAnswer, ForgottenAnswer, HistoryAnswer, ImportAnswer, ImportedFile,
    LessonsAnswer, PerceivedAnswer, ReplayedAnswer, RunAnswer, SessionAnswer, SessionsAnswer,
    SimulationAnswer, StoredDraftAnswer, TestAnswer, TextDiffAnswer,
};
pub(crate) use registry::{
    DoneFlag, FileAnswer, FoundSkill, InspectAnswer, LoginAnswer, LogoutAnswer, NewTokenAnswer,
    PublishResult, SearchAnswer, TokenRow, TokensAnswer, WhoamiAnswer,
};
pub(crate) use serving::{
    DemoAnswer, GatewayLine, NodeLine, Played, RegistryLine, RevokedAnswer, UrlAnswer, WatchLine,
};
pub(crate) use settings::{
    CodeRow, CodesAnswer, ConfigChangeAnswer, ConfigPathAnswer, ConfigValueAnswer, HarnessRow,
    HarnessesAnswer, HookAnswer, HooksAnswer, NewSkillAnswer, SchemaRow, SchemasAnswer, TrustAnswer,
    TrustForgottenAnswer, TrustListAnswer, TrustRow, UndecidedAnswer,
};
pub(crate) use skills::{
    CasesAnswer, DependenciesAnswer, DoctorAnswer, DoctorChecksAnswer, InfoAnswer, LintAnswer, ListAnswer,
    NotMended, OpenpocketAnswer, OpenpocketFile, OverlapAnswer, PromptAnswer, ScanAnswer, ScanSummary,
    SkillsRefAnswer, SkillsRefFile, TriggersAnswer, ValidateAnswer, ValidateFile, ValidateSummary,
};
