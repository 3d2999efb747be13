//! The only place that opens files.
//!
//! Everything the engine knows about a disk passes through here, so each hazard is met once:
//! [`walk`] finds skills below a root within bounds and without leaving it, [`read_file`] never blocks on
//! a pipe and never reads more than it was allowed, [`write_atomic`] leaves the old or the new content and
//! nothing in between, [`append_line`] adds to a log that many write, [`Lock`] and [`update_file`] lose no
//! update, [`find_in_path`] says whether a program is there, [`resolve_inside`] keeps a named path inside
//! its folder, [`converse`] asks a program within bounds, [`Mirror`] fills a folder that others write to,
//! [`Watcher`] notices changes within bounds, [`archive`] unpacks what strangers packed, [`trash`] removes
//! skills so that they can be brought back. Single steps on single names ([`rename`], [`remove_entry`], [`children`])
//! are for callers that order and undo them themselves.
//!
//! What this crate refuses to do: look into a skill, know a config key, read the environment or the clock.

mod append;
pub mod archive;
mod condition;
mod contain;
mod converse;
mod entry;
mod folder;
mod follow;
mod hash;
mod lock;
mod mirror;
mod neighbours;
mod pipe;
mod platform;
mod program;
mod read;
mod replace;
mod stamp;
pub mod trash;
mod tree;
mod trusted;
mod update;
mod walk;
mod watch;
mod write;

pub use append::{AppendError, Appended, append_line, sync_file};
pub use condition::{
    Condition, ConditionKind, LockState, RepairError, Room, TakenRights, condition, lock_state, may_write_in,
    own_entries, release_abandoned, remove_own_file, room, take_rights,
};
pub use contain::{EscapeError, resolve_inside};
pub use converse::{ConverseError, Patience, converse};
pub use entry::{
    FolderEntry, children, create_new, link_target, make_folder, make_folders, make_link,
    make_private_folders, open_own_file, read_plain, remove_empty_folder, remove_entry, remove_file, rename,
    sync_entry, write_new, write_plain,
};
pub use folder::{
    Scratch, ScriptFile, absolute, copy_tree, is_folder, is_readable_by_others, is_taken, looks_like_skills,
    markdown_files, real, scripts, subfolders,
};
pub use follow::{FollowEnd, FollowLimits, Followed, follow};
pub use hash::{sha256_hex, tree_hash, tree_hash_of};
pub use lock::{Lock, LockError};
pub use mirror::{Mirror, Mirrored, is_executable};
pub use neighbours::Neighbours;
pub use pipe::Stream;
pub use platform::{FinalLink, Stamp};
pub use program::{find_all_in_path, find_in_path, holds_programs, is_program_file, link_program};
pub use read::{Contents, FileReadError, read_file, read_stamped, read_tail};
pub use replace::{cache_files, drop_cache_file, put_aside, write_replaceable};
pub use stamp::stamp;
pub use tree::{EntryKind, FolderListing, ListedEntry, is_gits, list_all};
pub use trusted::{UntrustedError, check_trusted_program, exposure, kill_group};
pub use update::{FileUpdate, UpdateError, update_file};
pub use walk::{Found, Skipped, Walk, WalkRules, walk};
pub use watch::{
    ChangeReason, Health, WatchBackend, WatchChange, WatchMode, WatchOptions, WatchReach, WatchTarget,
    Watcher,
};
pub use write::{WriteError, close_to_others, create_folder, write_atomic};
