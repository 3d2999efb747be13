//! A document as a tree in which every item has a name instead of a place, so that two can be compared.

use serde_json::{Map, Value};

use crate::learn::merge_signals;
use crate::{CortexFile, LessonKind};

/// Lists of records and what names their items.
pub(super) fn from_document(document: &CortexFile) -> Value {
    let document = CortexFile { events: None, long_term: Vec::new(), ..document.clone() };
    let mut patterns: Vec<crate::Pattern> = Vec::new();
    for pattern in &document.cortex.sensory.patterns {
        let known = patterns.iter().position(|known| known.region == pattern.region);
        let position = known.unwrap_or_else(|| {
            patterns.push(crate::Pattern { signal: Vec::new(), ..pattern.clone() });
            patterns.len() - 1
        });
        merge_signals(&mut patterns[position].signal, &pattern.signal);
    }
    let names: Vec<String> =
        document.cortex.prefrontal.lessons.iter().map(|lesson| name(&lesson.kind)).collect();
    let Ok(mut tree) = serde_json::to_value(&document) else { return Value::Null };
    tree["cortex"]["sensory"]["patterns"] =
        by_name(&serde_json::to_value(&patterns).unwrap_or_default(), "region");
    for pattern in members(&mut tree["cortex"]["sensory"]["patterns"]) {
        pattern["signal"] = as_set(&pattern["signal"]);
    }
    for region in members(&mut tree["cortex"]["motor"]) {
        region["candidates"] = by_name(&region["candidates"], "slug");
        for candidate in members(&mut region["candidates"]) {
            candidate["side_effects"] = as_set(&candidate["side_effects"]);
        }
    }
    tree["cortex"]["prefrontal"]["lessons"] =
        keyed(names.into_iter().zip(items(&tree["cortex"]["prefrontal"]["lessons"])));
    tree["blacklist"] = as_set(&tree["blacklist"]);
    let ledger: Vec<_> = items(&tree["ledger"]).collect();
    let name_of = |entry: &Value| format!("{}\n{}\n{}", entry["region"], entry["type"], entry["key"]);
    tree["ledger"] = keyed(ledger.into_iter().map(|entry| (name_of(&entry), entry)));
    tree
}

/// Converts back; none if the tree is not of the shape.
pub(super) fn to_document(mut tree: Value) -> Option<CortexFile> {
    unname(tree.get_mut("ledger")?);
    unset(tree.get_mut("blacklist")?);
    let memory = tree.get_mut("cortex")?;
    unname(memory.get_mut("prefrontal")?.get_mut("lessons")?);
    for region in members(memory.get_mut("motor")?) {
        let candidates =
            region.as_object_mut()?.entry("candidates").or_insert_with(|| Value::Object(Map::new()));
        rename(candidates, "slug");
        for candidate in members(candidates) {
            unset(candidate.as_object_mut()?.entry("side_effects").or_insert(Value::Null));
        }
        unname(candidates);
    }
    let patterns = memory.get_mut("sensory")?.get_mut("patterns")?;
    rename(patterns, "region");
    for pattern in members(patterns) {
        unset(pattern.as_object_mut()?.entry("signal").or_insert(Value::Null));
    }
    unname(patterns);
    serde_json::from_value(tree).ok()
}

fn name(lesson: &LessonKind) -> String {
    match lesson {
        LessonKind::DependencyWarning { region, key, .. } => format!("dependency\n{region}\n{key}"),
        LessonKind::SkillQualityWarning { slug, detail } => format!("quality\n{slug}\n{detail}"),
        LessonKind::EnvReady { region, key } => format!("env\n{region}\n{key}"),
    }
}

fn items(list: &Value) -> impl Iterator<Item = Value> + use<> {
    list.as_array().cloned().unwrap_or_default().into_iter()
}

fn members(tree: &mut Value) -> impl Iterator<Item = &mut Value> {
    tree.as_object_mut().into_iter().flat_map(|members| members.values_mut())
}

/// The first of items of the same name stays.
fn keyed(items: impl Iterator<Item = (String, Value)>) -> Value {
    let mut named = Map::new();
    for (name, item) in items {
        named.entry(name).or_insert(item);
    }
    Value::Object(named)
}

fn by_name(list: &Value, field: &str) -> Value {
    keyed(items(list).map(|item| (item[field].as_str().unwrap_or_default().to_owned(), item)))
}

fn as_set(list: &Value) -> Value {
    keyed(items(list).filter_map(|item| Some((item.as_str()?.to_owned(), Value::Bool(true)))))
}

/// Items that were made out of single changes do not know their own name.
fn rename(named: &mut Value, field: &str) {
    for (name, item) in named.as_object_mut().into_iter().flatten() {
        if let Some(item) = item.as_object_mut() {
            item.insert(field.to_owned(), name.clone().into());
        }
    }
}

fn unname(named: &mut Value) {
    let items = named.as_object_mut().map(std::mem::take).unwrap_or_default();
    *named = items.into_iter().map(|(_, item)| item).collect();
}

fn unset(set: &mut Value) {
    let names = set.as_object_mut().map(std::mem::take).unwrap_or_default();
    *set = names.into_iter().map(|(name, _)| Value::String(name)).collect();
}
