//! The encoders of an engine, each loaded when it is first needed.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use prowess_config::{ApiKey, EncoderChoice, Env, MatchSettings, Places};
use prowess_embed::{Encoder, F16, Pack, PackError, Reader};
use prowess_select::{Bridge, Calibration, Route, Voice};
use prowess_types::{IgnorePoison as _, Secret};

use crate::choose_error::ChooseError;
use crate::models::{Models, open_pack};

/// The encoders for messages.
pub struct Encoders {
    slots: Vec<Slot>,
    /// Takes a vector of one encoder to where another would have put it.
    bridge: Option<Bridge>,
    /// English words with their vectors.
    words: Option<Pack>,
    /// Reads a message and a skill together.
    second: Option<SecondSlot>,
    calibration: Calibration,
    /// An encoder of the user's without a calibration, by name.
    own: Option<String>,
    own_multilingual: bool,
}

impl fmt::Debug for Encoders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.slots.iter().map(|slot| slot.name.as_str()).collect();
        f.debug_struct("Encoders").field("names", &names).finish_non_exhaustive()
    }
}

struct Slot {
    name: String,
    pack: Option<Pack>,
    loaded: OnceLock<Arc<dyn Encoder>>,
    /// Held while the pack is loaded, so that a message does not load what is being loaded in the background.
    loading: Mutex<()>,
}

impl Slot {
    fn of(pack: Pack) -> Self {
        Self::new(pack.header().name.clone(), Some(pack), OnceLock::new())
    }

    fn ready(encoder: Arc<dyn Encoder>) -> Self {
        Self::new(encoder.name().to_owned(), None, OnceLock::from(encoder))
    }

    fn new(name: String, pack: Option<Pack>, loaded: OnceLock<Arc<dyn Encoder>>) -> Self {
        Self { name, pack, loaded, loading: Mutex::default() }
    }
}

/// A reader; it shares the words of an encoder.
struct SecondSlot {
    pack: Pack,
    loaded: OnceLock<Option<Reader>>,
    loading: Mutex<()>,
}

impl Encoders {
    pub(crate) fn open(
        models: &Models,
        settings: &MatchSettings,
        places: &Places,
        env: &Env,
    ) -> Result<Self, ChooseError> {
        let (bridges, packs): (Vec<Pack>, Vec<Pack>) =
            models.open_packs()?.into_iter().partition(|pack| pack.header().kind == BRIDGE);
        let (readers, packs): (Vec<Pack>, Vec<Pack>) =
            packs.into_iter().partition(|pack| pack.header().kind == READER);
        let second = readers.into_iter().next();
        let (words, packs): (Vec<Pack>, Vec<Pack>) =
            packs.into_iter().partition(|pack| pack.header().kind == WORDS);
        let mut encoders = Self {
            slots: packs.into_iter().map(Slot::of).collect(),
            bridge: bridges.first().map(bridge).transpose()?,
            words: words.into_iter().next(),
            second: second.map(|pack| SecondSlot {
                pack,
                loaded: OnceLock::new(),
                loading: Mutex::default(),
            }),
            calibration: models.calibration()?,
            own: None,
            own_multilingual: settings.own_multilingual,
        };
        match &settings.encoder {
            EncoderChoice::Builtin => {
                if let Some(encoder) = models.host() {
                    encoders.replace(Slot::ready(Arc::clone(encoder)));
                }
            }
            EncoderChoice::Pack(path) => encoders.replace(Slot::of(open_pack(&places.expand(path))?)),
            EncoderChoice::Endpoint { url, model, api_key } => {
                let key = api_key.as_ref().map(|key| resolve(key, env)).transpose()?;
                encoders.replace(Slot::ready(endpoint(url, model, key, env)?));
            }
        }
        Ok(encoders)
    }

    /// Replaces the encoder of the same name. One without a calibration is to be measured.
    fn replace(&mut self, slot: Slot) {
        if !self.calibration.knows(&slot.name) {
            self.own = Some(slot.name.clone());
        }
        self.slots.retain(|other| other.name != slot.name);
        self.slots.push(slot);
    }

    /// The calibration of the encoders.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// The encoder that takes the place of the calibrated ones, for messages in a language.
    pub fn own(&self, is_english: bool) -> Option<&str> {
        self.own.as_deref().filter(|_| is_english || self.own_multilingual)
    }

    /// Returns the route by which messages in a language are judged with the available encoders.
    pub fn route(&self, is_english: bool) -> &Route {
        let names: Vec<&str> = self.slots.iter().map(|slot| slot.name.as_str()).collect();
        self.calibration.route(is_english, &names)
    }

    /// The vectors of a text for every voice of a route.
    pub fn vectors(
        &self,
        text: &str,
        voices: &[Voice],
        given: &[(&str, &[f32])],
    ) -> Result<Vectors, ChooseError> {
        let mut vectors: Vectors = Vec::new();
        let (carried, spoken): (Vec<&Voice>, Vec<&Voice>) =
            voices.iter().partition(|voice| voice.bridge.is_some());
        for voice in spoken {
            let known = given.iter().find(|(name, _)| *name == voice.encoder);
            let vector = match known {
                Some((_, vector)) => vector.to_vec(),
                None => self.get(&voice.encoder)?.encode(text)?,
            };
            vectors.push((voice.encoder.clone(), vector));
        }
        for voice in carried {
            let from = vectors.iter().find(|(name, _)| Some(name) == voice.bridge.as_ref());
            let there = from.zip(self.bridge.as_ref()).and_then(|((_, vector), bridge)| bridge.carry(vector));
            vectors.extend(there.map(|vector| (voice.encoder.clone(), vector)));
        }
        Ok(vectors)
    }

    /// The reader that a route wants, if there is one: loaded when it is first needed. None beside an encoder that the
    /// user put in the place of the one whose words it shares.
    pub fn second(&self, route: &Route) -> Result<Option<Reader>, ChooseError> {
        let wanted = route.second.as_ref().map(|second| second.reader.as_str());
        let slot = self.second.as_ref().filter(|slot| Some(slot.pack.header().name.as_str()) == wanted);
        let base = route.voices.first().and_then(|voice| self.slot(&voice.encoder));
        let (Some(slot), Some(base)) = (slot, base.and_then(|base| base.pack.as_ref())) else {
            return Ok(None);
        };
        if let Some(reader) = slot.loaded.get() {
            return Ok(reader.clone());
        }
        let _loading = slot.loading.lock().ignore_poison();
        if let Some(reader) = slot.loaded.get() {
            return Ok(reader.clone());
        }
        let reader = match Reader::load(&slot.pack, base) {
            Ok(reader) => Some(reader),
            Err(PackError::Base { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(slot.loaded.get_or_init(|| reader).clone())
    }

    /// The vector that another encoder would have made of a text, from the vector that the multilingual one made.
    pub fn carry(&self, vector: &[f32]) -> Option<Vec<f32>> {
        self.bridge.as_ref()?.carry(vector)
    }

    /// The pack of English words with their vectors, if there is one.
    pub fn words(&self) -> Option<&Pack> {
        self.words.as_ref()
    }

    fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }

    /// An encoder by its name.
    pub fn get(&self, name: &str) -> Result<Arc<dyn Encoder>, ChooseError> {
        let slot = self.slot(name).ok_or_else(|| ChooseError::NoEncoder(name.to_owned()))?;
        if let Some(encoder) = slot.loaded.get() {
            return Ok(Arc::clone(encoder));
        }
        let _loading = slot.loading.lock().ignore_poison();
        if let Some(encoder) = slot.loaded.get() {
            return Ok(Arc::clone(encoder));
        }
        let pack = slot.pack.clone().ok_or_else(|| ChooseError::NoEncoder(name.to_owned()))?;
        let encoder = prowess_embed::load(pack)?;
        Ok(Arc::clone(slot.loaded.get_or_init(|| encoder)))
    }
}

/// The kind of a pack that holds no encoder but a matrix from one to another.
const BRIDGE: &str = "bridge";

/// The kind of a pack that holds a second reader.
const READER: &str = "reader";

/// The kind of a pack that holds words with the vectors that an encoder made of them.
const WORDS: &str = "words";

/// Vectors by the name of their encoder.
pub type Vectors = Vec<(String, Vec<f32>)>;

fn bridge(pack: &Pack) -> Result<Bridge, ChooseError> {
    let matrix = pack.tensor_of_any_shape::<F16>("matrix")?;
    let columns = pack.shape("matrix")?.last().copied().unwrap_or_default();
    let values = matrix.iter().map(|value| value.to_f32()).collect();
    Bridge::new(columns, values).ok_or_else(|| PackError::content("the matrix of a bridge is not one").into())
}

/// The key itself. A reference may name a variable; other places belong to runs.
fn resolve(key: &ApiKey, env: &Env) -> Result<Secret, ChooseError> {
    match key {
        ApiKey::Literal(secret) => Ok(secret.clone()),
        ApiKey::Reference(reference) => {
            let variable = reference.id.as_deref().filter(|_| reference.source == "env");
            let value = variable.and_then(|name| env.get(name));
            value.map(Secret::new).ok_or_else(|| ChooseError::EndpointKey {
                place: reference.id.clone().unwrap_or_else(|| reference.source.clone()),
            })
        }
    }
}

fn endpoint(url: &str, model: &str, key: Option<Secret>, env: &Env) -> Result<Arc<dyn Encoder>, ChooseError> {
    let mut options = prowess_embed::EndpointOptions::new(url, model);
    options.proxy = prowess_net::NetProxy::from_environment(|name| env.trimmed(name));
    options.key = key.map(|key| prowess_embed::EndpointKey::new(key.expose()));
    Ok(Arc::new(prowess_embed::EndpointEncoder::connect(options)?))
}
