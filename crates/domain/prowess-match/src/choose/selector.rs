//! The selector: an index of one agent's skills that answers for messages.
//!
//! Vectors come from the cache; what is missing is encoded on request, in front of the caller or in the
//! background. The index answers at any time: a skill whose vector is still missing is judged by its words.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::JoinHandle;

use prowess_config::PromptSettings;
use prowess_context::{ChooseError, Context, Encoders, PriorQuery, SelectorPrior, Vectors as NamedVectors};
use prowess_inventory::{Conversation, Inventory, MatchRequest, MessageMatch, Progress, Relevance};
use prowess_select::overlap::{self, Probe};
use prowess_select::{
    Clause, Index, Query, Route, SecondReader, SelectDocument, SelectOptions, Selection, Voice, action,
    clauses, detect,
};
use prowess_types::{ContentHash, FollowUpEffect, IgnorePoison as _};

use super::corpus;
use super::kept::KeptVectors;
use super::reading::{Pages, Reading};
use super::rows::{self, OverlappingPair, Row, TurnBefore};

/// Earlier messages that are looked at to find the skills in use.
const MAX_TURNS: usize = 6;

/// An index of one agent's skills. Cheap to share; lives as long as its inventory is current.
pub struct Selector {
    pub(super) shared: Arc<Shared>,
    pub(super) worker: Mutex<Option<JoinHandle<()>>>,
}

pub(super) struct Shared {
    pub(super) encoders: Arc<Encoders>,
    pub(super) cache: Option<PathBuf>,
    pub(super) rows: Vec<Row>,
    pub(super) documents: Vec<SelectDocument>,
    /// The texts that the documents were made of, in the order of the rows; empty if there are none.
    versions: Vec<ContentHash>,
    index: RwLock<Index>,
    /// Held by the thread that encodes the rows, so that all others wait for the same vectors.
    pub(super) preparing: Mutex<()>,
    pub(super) stop: AtomicBool,
    load: Option<f32>,
    suggest: Option<f32>,
    prompt: PromptSettings,
    /// The learned prior of the scores.
    prior: Option<Box<dyn SelectorPrior>>,
    /// The skills as the second reader reads them.
    pub(super) pages: Pages,
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
        let rows = entries.iter().map(|entry| Row::new(entry, context.profile())).collect();
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
            pages: Pages::new(rows.len()),
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
        let reader = shared.encoders.second(&understood.route)?;
        let reading = reader.map(|reader| Reading::new(reader, &shared.documents, &shared.pages));
        let ask = |eligible: &[bool], top: usize| {
            shared.select(request, &understood, eligible, prior.as_deref(), reading.as_ref(), top)
        };
        let mut eligible: Vec<bool> = shared.rows.iter().map(|row| row.is_offered).collect();
        let mut selection = ask(&eligible, request.top);
        // A skill that is kept from the model can still be called by its name.
        let called: Vec<usize> =
            rows::named(&selection).filter(|row| shared.rows[*row].is_callable).collect();
        if called.iter().any(|row| !eligible[*row]) {
            for row in called {
                eligible[row] = true;
            }
            selection = ask(&eligible, request.top);
        }
        let loaded = self.in_use_before(request)?;
        let loaded: Vec<&str> = loaded.iter().map(String::as_str).collect();
        let before = TurnBefore::of(request.text, &loaded, &selection, &shared.rows);
        let kept = before.as_ref().map(TurnBefore::kept).unwrap_or_default();
        let is_shown = |row: &usize| {
            eligible[*row] && selection.ranked.iter().take(request.top).any(|ranked| ranked.row == *row)
        };
        if !kept.iter().all(is_shown) {
            for row in kept {
                eligible[*row] = true;
            }
            selection = ask(&eligible, shared.rows.len());
        }
        let progress = shared.progress(language.is_english);
        let mut answer = rows::build(request, language.language, selection, before.as_ref(), &shared.rows);
        answer.preparing = Some(progress).filter(|progress| !progress.is_done());
        Ok(answer)
    }

    /// The names of the skills in use before a message: those that the caller names, else those that the last of the
    /// earlier messages asks for.
    fn in_use_before(&self, request: &MatchRequest<'_>) -> Result<Vec<String>, ChooseError> {
        let after = &request.after;
        if !after.loaded.is_empty() {
            return Ok(after.loaded.iter().map(|name| (*name).to_owned()).collect());
        }
        let mut in_use: Vec<String> = Vec::new();
        for message in &after.previous[after.previous.len().saturating_sub(MAX_TURNS)..] {
            let loaded: Vec<&str> = in_use.iter().map(String::as_str).collect();
            let after = Conversation { previous: &[], loaded: &loaded };
            let earlier = MatchRequest { after, now: request.now, ..MatchRequest::new(message) };
            let answer = self.find(&earlier)?;
            // Thanks end nothing: what follows may still be about the turn before.
            let is_closing = answer.follow_up.as_ref().is_some_and(|it| it.effect == FollowUpEffect::Dropped);
            if !is_closing {
                in_use = answer.loaded().into_iter().map(str::to_owned).collect();
            }
        }
        Ok(in_use)
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
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().ignore_poison()
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().ignore_poison()
    }

    /// The names of the encoders that a route listens to.
    pub(super) fn voices<'a>(&'a self, route: &'a Route, is_english: bool) -> impl Iterator<Item = &'a str> {
        let own = self.encoders.own(is_english);
        let calibrated = route.voices.iter().map(|voice| voice.encoder.as_str());
        own.into_iter().chain(calibrated.filter(move |_| own.is_none()))
    }

    /// The rows by what they were made of.
    fn known_rows(&self) -> HashMap<(&ContentHash, &str), usize> {
        let rows = self.versions.iter().zip(&self.rows).enumerate();
        rows.map(|(row, (version, known))| ((version, known.name.as_str()), row)).collect()
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
        // Its words are English.
        let action = action(request.text).filter(|_| is_english).map(|text| clause(text.to_owned()));
        Ok(Understood { vectors, clauses: clauses?, action: action.transpose()?, route })
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
        reading: Option<&Reading<'_>>,
        top: usize,
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
        let action = understood.action.as_ref().map(|(text, vectors)| (text, borrowed(vectors)));
        let query = Query {
            text: request.text,
            vectors: &vectors,
            clauses: &clauses,
            action: action.as_ref().map(|(text, vectors)| Clause { text, vectors }),
            files: request.files,
            eligible: Some(eligible),
            prior,
            reader: reading.map(|reading| reading as &dyn SecondReader),
        };
        let options = SelectOptions {
            load: request.load.or(self.load),
            suggest: request.suggest.or(self.suggest),
            top,
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
    /// Its action, where it has a topic beside it.
    action: Option<(String, NamedVectors)>,
}

fn borrowed(vectors: &NamedVectors) -> Vec<(&str, &[f32])> {
    vectors.iter().map(|(name, vector)| (name.as_str(), vector.as_slice())).collect()
}
