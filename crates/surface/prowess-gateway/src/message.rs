//! Params and results of methods as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::refusal::Refusal;

/// An answer, written as JSON. The same one can go to many clients without being copied.
pub(crate) type Written = Utf8Bytes;

/// Writes the answer of a method down.
pub(crate) fn write(name: &str, answer: &impl Serialize) -> Result<Written, Refusal> {
    let written = serde_json::to_string(answer);
    written
        .map(Written::from)
        .map_err(|error| Refusal::unavailable(format!("the answer of {name} cannot be written: {error}")))
}

/// Params, or what is wrong with them in the words that clients know.
pub(crate) fn read_params<P: DeserializeOwned>(name: &str, params: Value) -> Result<P, Refusal> {
    let params = if params.is_null() { Value::Object(serde_json::Map::new()) } else { params };
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path: String = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                serde_path_to_error::Segment::Map { key } => Some(format!("/{key}")),
                serde_path_to_error::Segment::Seq { index } => Some(format!("/{index}")),
                _ => None,
            })
            .collect();
        let (place, what) = complaint(&path, &error.inner().to_string());
        Refusal::invalid(format!("invalid {name} params: at {place}: {what}"))
    })
}

/// Where and what, from what serde says. An unknown field is a fault of the object around it.
fn complaint(path: &str, message: &str) -> (String, String) {
    let place = |path: &str| if path.is_empty() { "root".to_owned() } else { path.to_owned() };
    let quoted = |message: &str| message.split('`').nth(1).unwrap_or_default().to_owned();
    if message.starts_with("unknown field") {
        let field = quoted(message);
        let parent = path.strip_suffix(&format!("/{field}")).unwrap_or(path);
        return (place(parent), format!("unexpected property '{field}'"));
    }
    if message.starts_with("missing field") {
        return (place(path), format!("must have required property '{}'", quoted(message)));
    }
    (place(path), message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[serde(rename = "n")]
        _n: u32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Params {
        #[serde(rename = "name")]
        _name: String,
        #[serde(default, rename = "inner")]
        _inner: Option<Inner>,
    }

    #[test]
    fn params_are_closed_and_complaints_name_the_place() {
        let complaint = |params| read_params::<Params>("x.y", params).unwrap_err().message;
        assert_eq!(
            complaint(json!({ "name": "a", "extra": 1 })),
            "invalid x.y params: at root: unexpected property 'extra'"
        );
        assert_eq!(complaint(Value::Null), "invalid x.y params: at root: must have required property 'name'");
        assert_eq!(
            complaint(json!({ "name": "a", "inner": { "n": 1, "more": 2 } })),
            "invalid x.y params: at /inner: unexpected property 'more'"
        );
        assert!(complaint(json!({ "name": 5 })).starts_with("invalid x.y params: at /name: invalid type"));
    }
}
