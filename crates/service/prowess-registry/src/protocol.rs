//! What a registry and its clients say to each other: the ClawHub v1 interface as plain data.
//!
//! Reading is strict on what the interface requires and deaf to everything else, as the original client is: a
//! missing required field is an error, an unknown one is skipped. Writing leaves out what is absent, except for
//! the few fields that must be there even when they are `null`.

mod change;
mod install;
mod publish;
mod read;
mod search;
mod security;
mod wire;

pub use change::{
    DeviceToken, MergeAnswer, RenameAnswer, ReportAnswer, ScanAnswer, TagAnswer, Transfer, TransferAnswer,
    TransferList, TransferParty, TransferredSkill,
};
pub use install::{InstallAnswer, InstallResolution};
pub use publish::{
    DeleteRequest, DeviceCode, DeviceCodeRequest, DeviceTokenRequest, DoneAnswer, ForkOf, InstallTelemetry,
    MergeRequest, PublicationStatus, PublishAnswer, PublishFile, PublishRequest, RenameRequest,
    ReportRequest, StarAnswer, TagRequest, TransferRequest, UnstarAnswer, UploadAnswer, UploadTicket,
    UploadTicketRequest,
};
pub use read::{
    AmbiguousSlug, DECLARED_LICENSE, Discovery, Owner, PLATFORM_LICENSE, ResolveAnswer, SetupKey,
    SkillDetail, SkillList, SkillListItem, SkillMatch, SkillMetadata, SkillName, SkillSummary, User,
    VersionAnswer, VersionDetail, VersionFile, VersionList, VersionListItem, VersionName, VersionSummary,
    WhoamiAnswer,
};
pub use search::{NATIVE_SOURCE, SearchAnswer, SearchHit, TrendingAnswer, TrendingMetrics, TrendingSkill};
pub use security::{
    Evidence, Moderation, ModerationAnswer, ModerationDetail, SecurityVerdict, SecurityVerdicts,
    SecurityVerdictsRequest, VERDICTS_SCHEMA, VERIFY_SCHEMA, VerdictQuestion, VerifyAnswer,
};
pub use wire::Millis;

/// The code of the answer that lists several owners of one slug.
pub const AMBIGUOUS_CODE: &str = "AMBIGUOUS_SKILL_SLUG";

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
