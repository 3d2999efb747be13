//! The stages of a training, in their order.

use anyhow::{Context as _, Result};

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The sentence encoder.
    Encoder,
    /// The second reader, which begins with layers of the encoder.
    Reader,
    /// Packs of both.
    Packs,
    /// The constants of selection for these packs, and the bridge from the multilingual encoder.
    Calibration,
    /// The report on data, settings, times and figures.
    Report,
}

impl Stage {
    pub(super) const ALL: [Self; 5] =
        [Self::Encoder, Self::Reader, Self::Packs, Self::Calibration, Self::Report];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Reader => "reader",
            Self::Packs => "packs",
            Self::Calibration => "calibration",
            Self::Report => "report",
        }
    }

    /// Reads the name of a stage.
    pub(super) fn parse(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|stage| stage.name() == name);
        found.with_context(|| {
            format!("train: stage `{name}` is unknown; there are {}", Self::ALL.map(Self::name).join(", "))
        })
    }

    /// The stages that use the result of this one: all later ones.
    pub(super) fn built_on_it(self) -> Vec<Self> {
        Self::ALL.into_iter().filter(|stage| *stage > self).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for stage in Stage::ALL {
            assert_eq!(Stage::parse(stage.name()).unwrap(), stage);
        }
        assert!(Stage::parse("all").is_err());
    }

    #[test]
    fn all_later_stages_are_built_on_a_stage() {
        assert_eq!(Stage::Reader.built_on_it(), [Stage::Packs, Stage::Calibration, Stage::Report]);
        assert_eq!(Stage::Encoder.built_on_it().len(), 4);
        assert!(Stage::Report.built_on_it().is_empty());
    }
}
