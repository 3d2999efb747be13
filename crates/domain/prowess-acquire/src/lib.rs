//! acquire.

mod acquire;
mod deps;
mod policy;
mod removal;
mod scan;
mod supply;

pub use acquire::{Conflict, ConflictKind, PinNote, PlannedFile, Previous, Readiness, Review, Acquire, AcquireError, AcquireOptions, Action, Comparison, InstallConsent, DiffKind, DiffSides, Done, Drift, Edits, FORGE, FileDiff, Freshness, FrozenPlan, InstallError, InstallOptions, InstalledSkill, Listing, MergeReport, OutdatedSkill, Plan, RemovalPlan, Removed, Restored, Scope, SkillState, TrashError, Trashed, UpdateOptions, home_of};
pub use deps::{DependencyConsent, Dependencies, DependencyOption, DependencyPlan, DepsError, FoundElsewhere, InstallChoices, Installation, DependencyReadiness};
pub use policy::{PolicyAnswer, PolicyDecision, PolicyFinding, PolicyRequest};
pub use removal::{RemovalError, RemovalOffer, RemovedSkill, plan_removal, remove_skill, restore_skill};
pub use scan::{Admission, BaselineFileError, Scanned, accept_findings, admit, apply_baseline, read_baseline, scan_bundle, scan_folder, scan_path, told};
pub use supply::{RegistrySkill, Login, LoginError, NotPublished, PublicationFile, PublishError, PublishOptions, PublishPlan, PublishState, Supply, SupplyOptions, declared_license, forget_login, installed_from_registries, login, login_file, save_login, names_registry};
