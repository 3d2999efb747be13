//! The models that messages are matched with: packs and their calibration.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_embed::{Encoder, Pack, PackError};
use prowess_select::Calibration;

use crate::choose_error::ChooseError;

/// The name of the calibration in a folder of packs.
const CALIBRATION: &str = "calibration.json";
/// A calibration larger than this is not read.
const MAX_CALIBRATION_BYTES: u64 = 8 * 1024 * 1024;

/// Packs and their calibration, in the program or in a folder. Without any, only words are compared.
#[derive(Clone, Default)]
pub struct Models {
    packs: Vec<Source>,
    calibration: Option<Cow<'static, str>>,
    host: Option<Arc<dyn Encoder>>,
}

#[derive(Clone)]
enum Source {
    Embedded(&'static [u8]),
    File(PathBuf),
}

impl Models {
    /// Packs inside the program.
    pub fn embedded(packs: &[&'static [u8]], calibration: &'static str) -> Self {
        Self {
            packs: packs.iter().map(|bytes| Source::Embedded(bytes)).collect(),
            calibration: Some(Cow::Borrowed(calibration)),
            host: None,
        }
    }

    /// The packs and the calibration in a folder.
    pub fn in_folder(folder: &Path) -> Result<Self, ChooseError> {
        let file = folder.join(CALIBRATION);
        let bytes =
            prowess_fs::read_file(&file, MAX_CALIBRATION_BYTES).map_err(ChooseError::ReadCalibration)?;
        Ok(Self {
            packs: prowess_fs::cache_files(folder, "pack").into_iter().map(Source::File).collect(),
            calibration: Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())),
            host: None,
        })
    }

    /// The same, with an encoder of the host's own. It is measured on the skills at hand unless the calibration knows
    /// its name. An encoder that the user's config names beats it.
    #[must_use]
    pub fn with_encoder(self, encoder: Arc<dyn Encoder>) -> Self {
        Self { host: Some(encoder), ..self }
    }

    /// The encoder that the host brings.
    pub(crate) fn host(&self) -> Option<&Arc<dyn Encoder>> {
        self.host.as_ref()
    }

    /// The packs with their names opened, the heavy parts untouched.
    pub(crate) fn open_packs(&self) -> Result<Vec<Pack>, ChooseError> {
        self.packs
            .iter()
            .map(|source| match source {
                Source::Embedded(bytes) => Pack::from_static(bytes).map_err(ChooseError::from),
                Source::File(path) => open_pack(path),
            })
            .collect()
    }

    /// Reads the calibration; without one, the default.
    pub fn calibration(&self) -> Result<Calibration, ChooseError> {
        match &self.calibration {
            Some(text) => Ok(Calibration::from_json(text)?),
            None => Ok(Calibration::default()),
        }
    }
}

/// Opens a pack file, and says which one it was if that fails.
pub(crate) fn open_pack(path: &Path) -> Result<Pack, ChooseError> {
    Pack::open(path).map_err(|error| match error {
        PackError::Io { .. } => ChooseError::from(error),
        error => ChooseError::PackFile { path: path.to_owned(), source: error },
    })
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |source: &Source| match source {
            Source::Embedded(bytes) => format!("{} bytes in the program", bytes.len()),
            Source::File(path) => path.display().to_string(),
        };
        let packs: Vec<String> = self.packs.iter().map(shown).collect();
        let host = self.host.as_ref().map(|encoder| encoder.name());
        f.debug_struct("Models").field("packs", &packs).field("host", &host).finish_non_exhaustive()
    }
}
