//! Side effects of code: from a text and its language to tags `verb:target`.
//!
//! | tag | meaning | bars a reflex |
//! |---|---|---|
//! | `read:PROGRAM` | a program that only reports | no |
//! | `env:NAME` | a variable of the environment | no |
//! | `network:HOST` | a host that is contacted | no |
//! | `write:TARGET` | a file, a service or an address that is changed or sent to | yes |
//! | `delete:TARGET` | a file or a thing that is removed | yes |
//! | `shell:PROGRAM` | a program that may do anything | yes |
//! | `shell:unknown` | code that cannot be read | yes |
//!
//! The code is parsed and never run. A text that no parser reads to its end has the tag `shell:unknown`, and so has a
//! command whose program is only known when it runs: nothing is dropped in silence. Reading ends on any input: the
//! parsers keep their state on the heap, the walks have no recursion, and sizes and steps are bounded.

mod calls;
mod document;
mod javascript;
mod language;
mod powershell;
mod programs;
mod prose;
mod python;
mod reader;
mod shell;
mod tags;
mod tool;
mod tree;

pub use document::document_effects;
pub use language::CodeLanguage;
pub use reader::{EffectReader, code_effects};
pub use shell::{
    CallContext, CallInput, CallProgram, CallRedirection, CallWord, CommandCall, PipePlace, RedirectionKind,
    ShellScript, read_shell,
};
pub use tags::{EffectTags, UNREADABLE_EFFECT};
pub use tool::tool_effects;
