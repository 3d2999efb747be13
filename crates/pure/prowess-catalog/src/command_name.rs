//! The command that a written name means.
//!
//! Invariant: an exact name always wins, and a name that is only similar to several is reported, never guessed.

use prowess_types::CommandSpelling;

use crate::commands::CommandSpec;

/// The rules by which a written name is compared.
#[derive(Clone, Copy, Debug)]
pub struct CommandNaming<'a> {
    /// The spellings that count.
    pub spelling: CommandSpelling,
    /// Names of built-in commands, which no other spelling of a skill reaches.
    pub reserved: &'a [&'a str],
}

/// The result of looking a name up.
pub(crate) enum NameMatch<'a, T> {
    Found(&'a T),
    Missing,
    /// Several differ from it only in case and separators.
    Several(Vec<&'a T>),
}

impl<'a, T> NameMatch<'a, T> {
    /// The first of several tests that anything passes decides.
    fn first_of(items: &[&'a T], tests: &[&dyn Fn(&T) -> bool]) -> Self {
        for test in tests {
            let mut found = items.iter().copied().filter(|item| test(item));
            let Some(first) = found.next() else { continue };
            let others: Vec<&T> = found.collect();
            if others.is_empty() {
                return Self::Found(first);
            }
            return Self::Several([vec![first], others].concat());
        }
        Self::Missing
    }
}

impl CommandNaming<'_> {
    /// The command of `/name`.
    pub(crate) fn slash<'a>(&self, name: &str, commands: &'a [CommandSpec]) -> NameMatch<'a, CommandSpec> {
        let lower = name.to_lowercase();
        if let Some(spec) = commands.iter().find(|spec| spec.name == lower) {
            return NameMatch::Found(spec);
        }
        let key = key(name);
        let is_reserved = || self.reserved.iter().any(|reserved| self::key(reserved) == key);
        match self.spelling {
            CommandSpelling::Exact => NameMatch::Missing,
            CommandSpelling::Folded if is_reserved() => NameMatch::Missing,
            CommandSpelling::Folded => self.any(name, commands),
        }
    }

    /// The command of a command's or a skill's own name: as it is, or written a little differently.
    pub(crate) fn any<'a>(&self, name: &str, commands: &'a [CommandSpec]) -> NameMatch<'a, CommandSpec> {
        let key = key(name);
        let commands: Vec<&CommandSpec> = commands.iter().collect();
        let is_name = |spec: &CommandSpec| spec.name == name;
        let is_skill = |spec: &CommandSpec| spec.skill_name == name;
        let is_like = |spec: &CommandSpec| self::key(&spec.name) == key || self::key(&spec.skill_name) == key;
        self.decided(NameMatch::first_of(&commands, &[&is_name, &is_skill, &is_like]))
    }

    /// The item that a name means, by the names of the items.
    pub(crate) fn item<'a, T>(
        &self,
        name: &str,
        items: &[&'a T],
        name_of: impl Fn(&T) -> &str,
    ) -> NameMatch<'a, T> {
        let key = key(name);
        let is_name = |item: &T| name_of(item) == name;
        let is_like = |item: &T| self::key(name_of(item)) == key;
        self.decided(NameMatch::first_of(items, &[&is_name, &is_like]))
    }

    /// The first of several, where only exact spelling is asked about.
    fn decided<'a, T>(&self, found: NameMatch<'a, T>) -> NameMatch<'a, T> {
        match (self.spelling, found) {
            (CommandSpelling::Exact, NameMatch::Several(several)) => {
                several.first().map_or(NameMatch::Missing, |first| NameMatch::Found(first))
            }
            (_, found) => found,
        }
    }
}

/// The form in which names are compared where their spelling may differ.
pub(crate) fn key(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}
