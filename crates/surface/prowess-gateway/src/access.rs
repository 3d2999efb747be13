//! Who calls, and what they may do.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// A person or a program that works for one.
    Operator,
    /// A machine that reports what it has.
    Node,
}

/// What an operator may do. `operator.admin` includes everything, `operator.write` includes reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Scope {
    #[serde(rename = "operator.read")]
    Read,
    #[serde(rename = "operator.write")]
    Write,
    #[serde(rename = "operator.admin")]
    Admin,
    #[serde(rename = "operator.approvals")]
    Approvals,
    #[serde(rename = "operator.pairing")]
    Pairing,
}

impl Scope {
    pub(crate) const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Admin, Self::Approvals, Self::Pairing];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "operator.read",
            Self::Write => "operator.write",
            Self::Admin => "operator.admin",
            Self::Approvals => "operator.approvals",
            Self::Pairing => "operator.pairing",
        }
    }

    /// Returns true if having this one is enough where `wanted` is needed.
    fn covers(self, wanted: Self) -> bool {
        self == wanted || self == Self::Admin || (self == Self::Write && wanted == Self::Read)
    }
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Operators with a scope.
    Operator(Scope),
    /// Machines that report what they have.
    Node,
}

/// The programs that a call of a method can start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Starts {
    /// None.
    #[default]
    Nothing,
    /// Those that the user's own config or home names, such as the command of a secret. The caller chooses nothing.
    Configured,
    /// Those of an agent's turn: each waits for a client with `operator.approvals`, unless the user's config allows it.
    Asked {
        /// Params with which nothing is asked, so that the caller must be an approver.
        unless: fn(&Value) -> bool,
    },
    /// Programs at the caller's word: with these params the caller must be an approver.
    Directly {
        /// Returns true if the params ask for it.
        when: fn(&Value) -> bool,
    },
}

impl Starts {
    /// An agent's turn, whatever the params are.
    pub(crate) const ASKED: Self = Self::Asked { unless: |_| false };
    /// Programs at the caller's word, whatever the params are.
    pub(crate) const ALWAYS: Self = Self::Directly { when: |_| true };

    /// Returns true if a call with these params needs `operator.approvals` beside the method's own scope.
    pub(crate) fn needs_approver(self, params: &Value) -> bool {
        match self {
            Self::Nothing | Self::Configured => false,
            Self::Asked { unless } => unless(params),
            Self::Directly { when } => when(params),
        }
    }
}

/// Who calls.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The connection; requests over HTTP have one each.
    pub(crate) connection: String,
    pub(crate) role: Role,
    pub(crate) scopes: BTreeSet<Scope>,
    /// The id that the client gives itself, such as `cli`.
    pub(crate) client: String,
    /// The device that it is, if it is one.
    pub(crate) device: Option<String>,
    /// True if a person uses it: an approved Studio that proved the key of its device on this connection.
    pub(crate) is_person: bool,
}

impl Caller {
    pub(crate) fn has(&self, wanted: Scope) -> bool {
        self.scopes.iter().any(|scope| scope.covers(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admin_covers_all_and_write_covers_read() {
        let caller = |scopes: &[Scope]| Caller {
            connection: "c".to_owned(),
            role: Role::Operator,
            scopes: scopes.iter().copied().collect(),
            client: "cli".to_owned(),
            device: None,
            is_person: false,
        };
        assert!(Scope::ALL.iter().all(|&scope| caller(&[Scope::Admin]).has(scope)));
        assert!(caller(&[Scope::Write]).has(Scope::Read));
        assert!(!caller(&[Scope::Read]).has(Scope::Write));
        assert!(!caller(&[]).has(Scope::Read));
    }
}
