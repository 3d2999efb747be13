//! Secrets back into values that were shown without them.
//!
//! A client reads the config with its secrets masked, changes something, and sends everything back. Every mask gets
//! the secret that it was shown for: the one in the same place, or in the entry that was renamed or moved. A mask that
//! was never shown is an error, because it would be written over a secret or in the place of one.

use serde_json::{Map, Value};

use crate::keypath::display;
use crate::redact::{self, is_placeholder};

/// Puts the secrets of `stored` in the place of their masks. Fails with the key of a mask that stands for nothing.
pub(crate) fn restore(sent: &mut Value, stored: &Value) -> Result<(), String> {
    if !redact::contains_placeholder(sent) {
        return Ok(());
    }
    let mut shown = stored.clone();
    redact::redact(&mut shown, &[], redact::MASK);
    put_back(sent, Some(Pair { stored, shown: &shown }), &mut Vec::new())
}

/// A stored value and what a client saw of it.
#[derive(Clone, Copy)]
struct Pair<'a> {
    stored: &'a Value,
    shown: &'a Value,
}

impl<'a> Pair<'a> {
    fn member(self, name: &str) -> Option<Self> {
        Some(Self { stored: self.stored.get(name)?, shown: self.shown.get(name)? })
    }

    fn element(self, index: usize) -> Option<Self> {
        Some(Self { stored: self.stored.get(index)?, shown: self.shown.get(index)? })
    }

    fn elements(self) -> impl Iterator<Item = Self> {
        let stored = self.stored.as_array().map(Vec::as_slice).unwrap_or_default();
        let shown = self.shown.as_array().map(Vec::as_slice).unwrap_or_default();
        stored.iter().zip(shown).map(|(stored, shown)| Self { stored, shown })
    }

    fn members(self) -> impl Iterator<Item = (&'a String, Self)> {
        let stored = self.stored.as_object().into_iter().flatten();
        stored.filter_map(move |(name, stored)| Some((name, Self { stored, shown: self.shown.get(name)? })))
    }
}

fn put_back(sent: &mut Value, known: Option<Pair<'_>>, path: &mut Vec<String>) -> Result<(), String> {
    match sent {
        Value::String(text) if is_placeholder(text) => {
            let secret = known.filter(|known| known.shown.as_str().is_some_and(is_placeholder));
            *sent = secret.ok_or_else(|| display(path))?.stored.clone();
            Ok(())
        }
        Value::Object(members) => {
            let gone = |pair: Pair<'_>, members: &Map<String, Value>| -> Vec<String> {
                let gone = pair.members().filter(|(name, _)| !members.contains_key(*name));
                gone.map(|(name, _)| name.clone()).collect()
            };
            let gone = known.map(|known| gone(known, members)).unwrap_or_default();
            for (name, member) in members {
                let same = known.and_then(|known| known.member(name));
                let renamed = || {
                    let candidates = gone.iter().filter_map(|name| known?.member(name));
                    candidates.into_iter().find(|pair| pair.shown == member)
                };
                path.push(name.clone());
                put_back(member, same.or_else(renamed), path)?;
                path.pop();
            }
            Ok(())
        }
        Value::Array(elements) => {
            let is_as_long = known.is_some_and(|known| known.elements().count() == elements.len());
            for (index, element) in elements.iter_mut().enumerate() {
                let origin = known.and_then(|known| origin(element, known, index, is_as_long));
                path.push(index.to_string());
                put_back(element, origin, path)?;
                path.pop();
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The element of a list that was sent back: the one with its id, else the one that looked just so, else, in a list
/// that has not changed its length, the one in its place.
fn origin<'a>(element: &Value, list: Pair<'a>, index: usize, is_as_long: bool) -> Option<Pair<'a>> {
    if let Some(id) = element.get("id").filter(|id| id.is_string())
        && let Some(known) = list.elements().find(|known| known.shown.get("id") == Some(id))
    {
        return Some(known);
    }
    let in_place = list.element(index);
    let looks_so = |known: &Pair<'_>| known.shown == element;
    in_place
        .filter(looks_so)
        .or_else(|| list.elements().find(looks_so))
        .or_else(|| in_place.filter(|known| is_as_long && known.shown.get("id").is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a client sees of a config.
    fn shown(stored: &Value) -> Value {
        let mut shown = stored.clone();
        redact::redact(&mut shown, &[], redact::MASK);
        shown
    }

    #[test]
    fn what_was_shown_comes_back_whole() {
        let stored = json!({
            "gateway": { "auth": { "token": "t" } },
            "skills": { "entries": { "a": { "apiKey": "k", "env": { "X": "v" } } } },
            "models": { "list": [{ "apiKey": "1" }, { "apiKey": "2", "name": "two" }] },
        });
        let mut sent = shown(&stored);
        assert_ne!(sent, stored);
        restore(&mut sent, &stored).unwrap();
        assert_eq!(sent, stored);
    }

    #[test]
    fn secrets_follow_ids_moves_and_new_names() {
        let stored = json!({
            "bots": [{ "id": "a", "token": "A" }, { "id": "b", "token": "B" }],
            "keys": [{ "apiKey": "1", "n": 1 }, { "apiKey": "2", "n": 2 }],
            "skills": { "entries": { "old": { "apiKey": "k", "enabled": true } } },
        });
        let mut sent = shown(&stored);
        sent["bots"].as_array_mut().unwrap().reverse();
        sent["bots"].as_array_mut().unwrap().insert(0, json!({ "id": "c" }));
        sent["keys"].as_array_mut().unwrap().remove(0);
        let entry = sent["skills"]["entries"].as_object_mut().unwrap().remove("old").unwrap();
        sent["skills"]["entries"]["new"] = entry;
        restore(&mut sent, &stored).unwrap();
        assert_eq!(
            sent["bots"],
            json!([{ "id": "c" }, { "id": "b", "token": "B" }, { "id": "a", "token": "A" }])
        );
        assert_eq!(sent["keys"], json!([{ "apiKey": "2", "n": 2 }]));
        assert_eq!(sent["skills"]["entries"]["new"], json!({ "apiKey": "k", "enabled": true }));
    }

    #[test]
    fn a_mask_that_stands_for_nothing_is_refused() {
        let stored = json!({ "a": { "token": "t" }, "b": { "name": "n" } });
        for (sent, place) in [
            (json!({ "b": { "token": redact::MASK } }), "b.token"),
            (json!({ "b": { "name": redact::MASK } }), "b.name"),
            (json!({ "list": [{ "apiKey": "__PROWESS_REDACTED__" }] }), "list[0].apiKey"),
        ] {
            assert_eq!(restore(&mut sent.clone(), &stored), Err(place.to_owned()), "{sent}");
        }
    }

    #[test]
    fn an_element_never_gets_the_secret_of_another_id() {
        let stored = json!({ "bots": [{ "id": "a", "token": "A" }] });
        let mut sent = json!({ "bots": [{ "id": "b", "token": redact::MASK }] });
        assert_eq!(restore(&mut sent, &stored), Err("bots[0].token".to_owned()));
    }
}
