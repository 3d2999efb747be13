//! The selector: an index of one agent's skills that answers for messages.
//!
//! Vectors come from the cache; what is missing is encoded on request, in front of the caller or in the
//! background. The index answers at any time: a skill whose vector is still missing is judged by its words.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};

use prowess_config::PromptSettings;
use prowess_context::{ChooseError, Context, Encoders, PriorQuery, SelectorPrior, Vectors as NamedVectors};
use prowess_embed::Encoder;
use prowess_inventory::{Inventory, MatchRequest, MessageMatch, Relevance};
use prowess_select::overlap::{self, Probe};
use prowess_select::{
    Clause, Index, Query, Route, SelectDocument, SelectOptions, Selection, Voice, clauses, detect,
};
use prowess_types::{ContentHash, IgnorePoison as _};

use super::corpus;
use super::kept::KeptVectors;
use super::rows::{self, OverlappingPair, Row};

/// Texts that are encoded between two looks at the progress.
const PART: usize = 32;

/// The progress of the encoding of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Skills that have their vector.
    pub done: usize,
    /// All skills.
    pub total: usize,
}

/// An index of one agent's skills. Cheap to share; lives as long as its inventory is current.
pub struct Selector {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    encoders: Arc<Encoders>,
    cache: Option<PathBuf>,
    rows: Vec<Row>,
    documents: Vec<SelectDocument>,
    /// The texts that the documents were made of, in the order of the rows; empty if there are none.
    versions: Vec<ContentHash>,
    index: RwLock<Index>,
    /// Held by the thread that encodes the rows, so that all others wait for the same vectors.
    preparing: Mutex<()>,
    stop: AtomicBool,
    load: Option<f32>,
    suggest: Option<f32>,
    prompt: PromptSettings,
    /// The learned prior of the scores.
    prior: Option<Box<dyn SelectorPrior>>,
}

impl Selector {
    /// The selector over an inventory. What an earlier one knows about the same texts is used again.
    pub fn of_inventory(
        context: &Context,
        inventory: &Inventory,
        earlier: Option<&Self>,
    ) -> Result<Self, ChooseError> {
        let entries = &inventory.entries;
        let known = earlier.map(|earlier| earlier.shared.known_rows()).unwrap_or_default();
        let same: Vec<Option<usize>> = entries
            .iter()
            .map(|entry| known.get(&(&entry.skill.content_hash, entry.skill.name.as_str())).copied())
            .collect();
        let earlier = earlier.map(|earlier| &*earlier.shared);
        let known = |row: usize| earlier.zip(same[row]).map(|(shared, row)| &shared.documents[row]);
        let (documents, read) = corpus::documents(entries, known, inventory.settings.dialect);
        context.counts().count_selector();
        context.counts().count_texts(read);
        let versions = entries.iter().map(|entry| entry.skill.content_hash).collect();
        let rows = entries.iter().map(Row::new).collect();
        let selector = Self::new(context, documents, rows, versions, context.prior())?;
        if let Some(earlier) = earlier.filter(|it| Arc::ptr_eq(&it.encoders, &selector.shared.encoders)) {
            let pairs: Vec<(usize, usize)> =
                same.iter().enumerate().filter_map(|(row, same)| Some((row, (*same)?))).collect();
            selector.shared.write().inherit(&earlier.read(), &pairs);
        }
        Ok(selector)
    }

    fn new(
        context: &Context,
        documents: Vec<SelectDocument>,
        rows: Vec<Row>,
        versions: Vec<ContentHash>,
        prior: Option<Box<dyn SelectorPrior>>,
    ) -> Result<Self, ChooseError> {
        let settings = context.config().matching();
        let shared = Shared {
            encoders: context.encoders()?,
            cache: context.cache_folder().map(ToOwned::to_owned),
            rows,
            index: RwLock::new(Index::new(&documents)),
            documents,
            versions,
            preparing: Mutex::default(),
            stop: AtomicBool::new(false),
            load: settings.load,
            suggest: settings.suggest,
            prompt: context.config().prompt(),
            prior,
        };
        Ok(Self { shared: Arc::new(shared), worker: Mutex::default() })
    }

    /// Makes a selector over documents that are not skills of an agent, all of which may be used.
    pub fn over_documents(context: &Context, documents: Vec<SelectDocument>) -> Result<Self, ChooseError> {
        let rows = documents.iter().map(|document| Row::usable(&document.name)).collect();
        Self::new(context, documents, rows, Vec::new(), None)
    }

    /// Encodes what is missing to answer for messages in the language of this one, and tells how far it is. Of several
    /// callers at once, one does the work and the others wait for it.
    pub fn prepare_for(&self, message: &str, progress: impl FnMut(Progress)) -> Result<(), ChooseError> {
        self.shared.prepare(detect(message).is_english, progress, &|| false)
    }

    /// Like [`prepare_for`](Self::prepare_for), for a caller who cannot wait: no new part is begun once time is over.
    /// Rows that are still missing then are judged by their words.
    pub fn prepare_until(&self, message: &str, is_over: impl Fn() -> bool) -> Result<(), ChooseError> {
        self.shared.prepare(detect(message).is_english, |_| {}, &is_over)
    }

    /// Encodes the missing rows for messages in English, part by part, until it is cancelled.
    pub(crate) fn prepare_unless(&self, is_over: &dyn Fn() -> bool) -> Result<(), ChooseError> {
        self.shared.prepare(true, |_| {}, is_over)
    }

    /// Encodes what is missing for messages in English while the caller goes on. Ends early when the selector
    /// is dropped.
    pub fn prepare_in_background(&self) {
        let mut worker = self.worker.lock().ignore_poison();
        worker.get_or_insert_with(|| {
            let shared = Arc::clone(&self.shared);
            // A failure here happens again, visibly, for the first message.
            thread::spawn(move || drop(shared.prepare(true, |_| {}, &|| false)))
        });
    }

    /// Returns the progress of the encoding for messages in English.
    pub fn progress(&self) -> Progress {
        let total = self.shared.rows.len();
        let index = self.shared.read();
        let route = self.shared.encoders.route(true);
        let missing = self.shared.voices(route, true).map(|name| index.rows_without(name).len()).max();
        Progress { done: total - missing.unwrap_or(0), total }
    }

    /// The vectors of a message by encoder, for a host that wants to use them again.
    pub fn encode(&self, message: &str) -> Result<Vec<(String, Vec<f32>)>, ChooseError> {
        let request = MatchRequest::new(message);
        Ok(self.shared.understand(&request, detect(message).is_english)?.vectors)
    }

    /// The answer for one message, with what is encoded by now.
    pub fn find(&self, request: &MatchRequest<'_>) -> Result<MessageMatch, ChooseError> {
        let language = detect(request.text);
        let shared = &self.shared;
        let understood = shared.understand(request, language.is_english)?;
        let prior = shared.push(request, &understood)?;
        let ask = |eligible: &[bool]| shared.select(request, &understood, eligible, prior.as_deref());
        let mut eligible: Vec<bool> = shared.rows.iter().map(|row| row.is_offered).collect();
        let mut selection = ask(&eligible);
        // A skill that is kept from the model can still be called by its name.
        let called: Vec<usize> =
            rows::named(&selection).filter(|row| shared.rows[*row].is_callable).collect();
        if called.iter().any(|row| !eligible[*row]) {
            for row in called {
                eligible[row] = true;
            }
            selection = ask(&eligible);
        }
        Ok(rows::build(request, language.language, selection, &shared.rows))
    }
}

impl Selector {
    /// Returns the way the catalogue follows a message: as configured, or ranked where the config says nothing else.
    pub fn relevance(&self, answer: &MessageMatch) -> Relevance {
        Relevance::new(answer, self.shared.rows.len(), &self.shared.prompt)
    }
}

impl Selector {
    /// Skills whose descriptions compete for the same messages, the worst first. Their own words are the
    /// messages, as in English.
    pub fn overlaps(&self, mut progress: impl FnMut(Progress)) -> Result<Vec<OverlappingPair>, ChooseError> {
        let shared = &self.shared;
        shared.prepare(true, &mut progress, &|| false)?;
        let rows = shared.documents.iter().enumerate();
        let texts: Vec<(usize, String)> = rows
            .flat_map(|(row, document)| overlap::probes(document).into_iter().map(move |text| (row, text)))
            .collect();
        let route = shared.encoders.route(true);
        let mut vectors: Vec<NamedVectors> = vec![Vec::new(); texts.len()];
        for name in shared.voices(route, true) {
            let encoder = shared.encoders.get(name)?;
            let mut cache = KeptVectors::open(shared.cache.as_deref(), &*encoder);
            for (place, (_, text)) in texts.iter().enumerate() {
                progress(Progress { done: place, total: texts.len() });
                vectors[place].push((name.to_owned(), cache.of(text, &*encoder)?));
            }
            cache.flush();
        }
        let borrowed: Vec<Vec<(&str, &[f32])>> = vectors.iter().map(borrowed).collect();
        let probes: Vec<Probe<'_>> = texts
            .iter()
            .zip(&borrowed)
            .map(|((row, text), vectors)| Probe { row: *row, text, vectors })
            .collect();
        let found = overlap::overlaps(&shared.read(), &shared.documents, &probes, route);
        let name = |row: usize| shared.rows[row].name.clone();
        Ok(found
            .into_iter()
            .map(|pair| OverlappingPair::new(&pair, name(pair.meant), name(pair.rival)))
            .collect())
    }
}

impl Drop for Selector {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let worker = self.worker.get_mut().ignore_poison();
        if let Some(worker) = worker.take() {
            drop(worker.join());
        }
    }
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().ignore_poison()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().ignore_poison()
    }

    /// The names of the encoders that a route listens to.
    fn voices<'a>(&'a self, route: &'a Route, is_english: bool) -> impl Iterator<Item = &'a str> {
        let own = self.encoders.own(is_english);
        let calibrated = route.voices.iter().map(|voice| voice.encoder.as_str());
        own.into_iter().chain(calibrated.filter(move |_| own.is_none()))
    }

    /// The rows by what they were made of.
    fn known_rows(&self) -> HashMap<(&ContentHash, &str), usize> {
        let rows = self.versions.iter().zip(&self.rows).enumerate();
        rows.map(|(row, (version, known))| ((version, known.name.as_str()), row)).collect()
    }

    fn prepare(
        &self,
        is_english: bool,
        mut progress: impl FnMut(Progress),
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ChooseError> {
        let route = self.encoders.route(is_english);
        for name in self.voices(route, is_english) {
            if !self.is_complete(name) {
                let _preparing = self.preparing.lock().ignore_poison();
                self.encode(&*self.encoders.get(name)?, &mut progress, is_over)?;
            }
        }
        Ok(())
    }

    /// Returns true if every row has its vector of an encoder.
    fn is_complete(&self, encoder: &str) -> bool {
        let index = self.read();
        let has_nulls = index.has_nulls(encoder) || self.encoders.calibration().null_sentences().is_empty();
        has_nulls && index.rows_without(encoder).is_empty()
    }

    /// Gives every row its vector of one encoder.
    fn encode(
        &self,
        encoder: &dyn Encoder,
        progress: &mut impl FnMut(Progress),
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ChooseError> {
        let name = encoder.name();
        let total = self.rows.len();
        // Another thread may have done it while this one waited.
        if self.is_complete(name) {
            return Ok(());
        }
        let missing = self.read().rows_without(name);
        let mut cache = KeptVectors::open(self.cache.as_deref(), encoder);
        let nulls = self.encoders.calibration().null_sentences();
        let nulls = cache.of_all(nulls.iter().map(String::as_str), encoder)?;
        self.write().set_nulls(name, &nulls)?;

        let mut unknown = Vec::new();
        {
            let mut index = self.write();
            for row in missing {
                let passage = self.documents[row].passage();
                match cache.get(&passage) {
                    Some(vector) => index.set_vector(name, row, &vector)?,
                    None => unknown.push((row, passage)),
                }
            }
        }
        let mut done = total - unknown.len();
        for part in unknown.chunks(PART) {
            progress(Progress { done, total });
            if self.stop.load(Ordering::Relaxed) || is_over() {
                break;
            }
            let texts: Vec<&str> = part.iter().map(|(_, passage)| passage.as_str()).collect();
            let vectors = encoder.encode_all(&texts)?;
            let mut index = self.write();
            for ((row, passage), vector) in part.iter().zip(vectors) {
                index.set_vector(name, *row, &vector)?;
                cache.keep(passage, vector);
            }
            done += part.len();
        }
        cache.flush();
        progress(Progress { done, total });
        Ok(())
    }

    /// Returns the route for a message and its vectors: those of the caller, else computed here.
    fn understand(&self, request: &MatchRequest<'_>, is_english: bool) -> Result<Understood, ChooseError> {
        let route = match self.encoders.own(is_english) {
            Some(own) => {
                let cosines = self.read().null_cosines(own);
                self.encoders.calibration().route_with(Voice::measured(own, &cosines))
            }
            None => self.encoders.route(is_english).clone(),
        };
        let vectors = self.encoders.vectors(request.text, &route.voices, request.vectors)?;
        let clause = |text: String| {
            let vectors = self.encoders.vectors(&text, &route.voices, &[])?;
            Ok((text, vectors))
        };
        let clauses: Result<Vec<_>, ChooseError> = clauses(request.text).into_iter().map(clause).collect();
        Ok(Understood { vectors, clauses: clauses?, route })
    }

    /// The learned push for each row; none for a message without a time.
    fn push(
        &self,
        request: &MatchRequest<'_>,
        understood: &Understood,
    ) -> Result<Option<Vec<f32>>, ChooseError> {
        let (Some(prior), Some(now)) = (&self.prior, request.now) else { return Ok(None) };
        let names: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        let vectors = borrowed(&understood.vectors);
        prior.push(&PriorQuery { text: request.text, now, vectors: &vectors }, &names)
    }

    fn select(
        &self,
        request: &MatchRequest<'_>,
        understood: &Understood,
        eligible: &[bool],
        prior: Option<&[f32]>,
    ) -> Selection {
        let vectors = borrowed(&understood.vectors);
        let of_clauses: Vec<Vec<(&str, &[f32])>> =
            understood.clauses.iter().map(|(_, vectors)| borrowed(vectors)).collect();
        let clauses: Vec<Clause<'_>> = understood
            .clauses
            .iter()
            .zip(&of_clauses)
            .map(|((text, _), vectors)| Clause { text, vectors })
            .collect();
        let query = Query {
            text: request.text,
            vectors: &vectors,
            clauses: &clauses,
            files: request.files,
            eligible: Some(eligible),
            prior,
        };
        let options = SelectOptions {
            load: request.load.or(self.load),
            suggest: request.suggest.or(self.suggest),
            top: request.top,
        };
        self.read().select(&query, &understood.route, &options)
    }
}

/// A message as selection takes it.
struct Understood {
    route: Route,
    vectors: NamedVectors,
    /// The requests it is made of, when there are several.
    clauses: Vec<(String, NamedVectors)>,
}

fn borrowed(vectors: &NamedVectors) -> Vec<(&str, &[f32])> {
    vectors.iter().map(|(name, vector)| (name.as_str(), vector.as_slice())).collect()
}
