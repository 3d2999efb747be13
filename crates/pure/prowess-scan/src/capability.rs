//! Detection of the capabilities of a skill.

use prowess_effects::{CodeLanguage, EffectReader};

use crate::address::{addresses, is_local};
use crate::blocks::Kind;
use crate::capabilities::Capabilities;
use crate::file::TextKind;
use crate::observe::Observed;
use crate::rules::hints;

/// Documents about a skill, which no agent follows.
const ASIDES: &[&str] = &[
    "license",
    "licence",
    "copying",
    "notice",
    "changelog",
    "changes",
    "history",
    "readme",
    "authors",
    "contributors",
    "contributing",
    "security",
    "code_of_conduct",
];

/// Collects the effects of a text.
pub(crate) fn collect(
    file: &str,
    observed: &Observed<'_>,
    kind: TextKind,
    reader: &EffectReader,
    capabilities: &mut Capabilities,
) {
    let mut found: Vec<(&'static str, &str)> = Vec::new();
    let blocks = observed.candidates(hints::ADDRESSES).iter().copied();
    let mut hosts: Vec<&str> =
        blocks.flat_map(|block| addresses(observed.slice(block)).map(|address| address.host)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    found.extend(hosts.into_iter().filter(|host| is_public(host)).map(|host| ("network", host)));
    let language = CodeLanguage::of_file(file, &observed.text);
    for block in observed.candidates(hints::VARIABLES).iter().copied() {
        let slice = observed.slice(block);
        read_variables(slice, &mut found);
        let is_other_code = match observed.blocks[block].kind {
            Kind::Code => !is_parsed(fence_language(slice)),
            Kind::Script => language.is_none_or(|language| !is_parsed(language)),
            _ => false,
        };
        if is_other_code {
            shell_variables(slice, &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    for (verb, target) in found {
        capabilities.add(verb, target);
    }
    let effects = match language {
        Some(language) => reader.code(&observed.text, language),
        None if kind == TextKind::Markdown && is_aside(file) => reader.commands(&observed.text),
        None if kind == TextKind::Markdown => reader.document(&observed.text),
        None => return,
    };
    capabilities.extend(effects.iter());
}

/// Returns true for a document that is about the skill and not for the agent.
fn is_aside(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    ASIDES.contains(&stem)
}

fn fence_language(block: &str) -> CodeLanguage {
    let first = block.trim_start().lines().next().unwrap_or_default();
    match first.trim_start_matches(['`', '~']) {
        info if info.len() < first.len() => CodeLanguage::of_fence(info),
        _ => CodeLanguage::Unlabelled,
    }
}

/// Returns true for a language whose variables the parser finds.
fn is_parsed(language: CodeLanguage) -> bool {
    matches!(
        language,
        CodeLanguage::Shell | CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::PowerShell
    )
}

/// A name in the public web, not a placeholder and not this machine.
fn is_public(host: &str) -> bool {
    host.contains('.') && !host.contains(['$', '{', '<', '%', '(', '[']) && !is_local(host)
}

/// A name in capitals at a place, long enough to be a variable.
fn name_at(text: &str, from: usize) -> Option<&str> {
    let is_part = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let length = text.as_bytes().get(from..)?.iter().take_while(is_part).count();
    text.get(from..from + length)
        .filter(|name| length > 2 && !name.starts_with(|char: char| char.is_ascii_digit()))
}

/// Variables of a shell: `$NAME`, `${NAME}`.
fn shell_variables<'t>(text: &'t str, found: &mut Vec<(&'static str, &'t str)>) {
    for (at, _) in text.match_indices('$') {
        let is_braced = text[at + 1..].starts_with('{');
        if let Some(name) = name_at(text, at + 1 + usize::from(is_braced)) {
            found.push(("env", name));
        }
    }
}

/// Variables that code reads: `process.env.NAME`, `os.environ["NAME"]`, `getenv("NAME")`, `$env:NAME`.
fn read_variables<'t>(text: &'t str, found: &mut Vec<(&'static str, &'t str)>) {
    for (at, _) in text.match_indices("env") {
        let rest = &text.as_bytes()[at + 3..];
        let skipped = rest.iter().take(12).take_while(|byte| b".([\"':irongetEnv ".contains(byte)).count();
        if let Some(name) = name_at(text, at + 3 + skipped).filter(|_| skipped > 0) {
            found.push(("env", name));
        }
    }
}
