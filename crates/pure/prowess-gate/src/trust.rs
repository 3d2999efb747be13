//! Whether the user agreed to a skill that came with somebody's repository.

/// What the user thinks of where a skill comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Nobody has to be asked: the user put it there.
    #[default]
    NotAsked,
    /// The user trusts exactly what is in its folder now.
    Given,
    /// The user has not been asked about what is in its folder now.
    Undecided,
    /// The user does not want it.
    Refused,
    /// It cannot be said whether the user trusts it, for this reason.
    Unknowable(String),
}

impl Trust {
    /// Returns true if the skill may be offered, as far as trust goes.
    pub fn allows(&self) -> bool {
        self.objection("").is_none()
    }

    /// Returns the reason not to offer a skill of this name; none if it may be offered.
    pub fn objection(&self, name: &str) -> Option<String> {
        match self {
            Self::NotAsked | Self::Given => None,
            Self::Undecided => Some("not trusted yet: run `prowess trust`".to_owned()),
            Self::Refused => Some(format!("refused; `prowess trust forget {name}` takes that back")),
            Self::Unknowable(reason) => Some(format!("cannot be trusted: {reason}")),
        }
    }
}
