//! Acquiring skills: sources, plans, installs, updates, removal, dependencies, policy and scans.
//!
//! Nothing is installed, run or removed without a consent that names it.

mod acquire;
mod deps;
mod policy;
mod removal;
mod scan;
mod supply;

pub use acquire::{
    Acquire, AcquireError, AcquireOptions, Action, Comparison, ConflictKind, DiffKind, DiffSides, Done,
    Drift, Edits, FORGE, FileDiff, FrozenPlan, InstallConsent, InstallError, InstallListing, InstallOptions,
    InstallScope, InstallState, InstalledSkill, MergeConflict, MergeReport, OutdatedSkill, PinNote, Plan,
    PlannedFile, Previous, Readiness, RemovalPlan, Removed, Restored, Review, TrashError, Trashed,
    UpdateOptions, UpdateStatus, home_of,
};
pub use deps::{
    Dependencies, DependencyConsent, DependencyOption, DependencyPlan, DependencyReadiness, DepsError,
    FoundElsewhere, InstallChoices, Installation,
};
pub use policy::{PolicyAnswer, PolicyDecision, PolicyFinding, PolicyRequest};
pub use removal::{RemovalError, RemovalOffer, RemovedSkill, plan_removal, remove_skill, restore_skill};
pub use scan::{
    Admission, BaselineFileError, Scanned, accept_findings, admit, apply_baseline, read_baseline,
    scan_bundle, scan_folder, scan_path, told,
};
pub use supply::{
    Login, LoginError, NotPublished, PublicationFile, PublishError, PublishOptions, PublishPlan,
    PublishState, RegistrySkill, Supply, SupplyOptions, declared_license, forget_login,
    installed_from_registries, login, login_file, names_registry, save_login,
};
