//! Details that are read only when somebody asks.
//!
//! A cache holds thousands of skills, and most questions need only their names. So the bulky parts of a skill
//! travel through compact formats as JSON text, which is parsed on first use. To whoever holds one, a
//! [`Deferred`] is the value itself.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that may still be text.
pub struct Deferred<T> {
    /// Boxed, so that a skill whose details nobody asks for stays small.
    value: OnceLock<Box<T>>,
    text: Box<str>,
}

impl<T> Deferred<T> {
    /// A value that is there already.
    pub fn new(value: T) -> Self {
        Self { value: OnceLock::from(Box::new(value)), text: Box::default() }
    }
}

impl<T: DeserializeOwned + Default> Deferred<T> {
    /// The value, parsed now if it was text.
    ///
    /// A reader of a compact format calls [`Deferred::check`] first; text that fails it reads as the empty value here,
    /// and is an error where the value is written for a client.
    fn get(&self) -> &T {
        self.value.get_or_init(|| {
            let value = if self.text.is_empty() { None } else { serde_json::from_str(&self.text).ok() };
            Box::new(value.unwrap_or_default())
        })
    }

    /// Fails if the text is damaged: not JSON, or JSON of another shape. Nothing is kept.
    pub fn check(&self) -> Result<(), serde_json::Error> {
        self.check_as::<T>()
    }

    /// The same for a simpler shape, where reading the whole would cost too much.
    pub fn check_as<U: DeserializeOwned>(&self) -> Result<(), serde_json::Error> {
        if self.value.get().is_some() || self.text.is_empty() {
            return Ok(());
        }
        serde_json::from_str::<U>(&self.text).map(drop)
    }

    /// Changes the value.
    pub fn edit(&mut self, change: impl FnOnce(&mut T)) {
        self.get();
        let mut value = self.value.take().unwrap_or_default();
        change(&mut value);
        *self = Self { value: OnceLock::from(value), text: Box::default() };
    }
}

impl<T: DeserializeOwned + Default> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.get()
    }
}

impl<T: Default> Default for Deferred<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for Deferred<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Clone> Clone for Deferred<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), text: self.text.clone() }
    }
}

impl<T: DeserializeOwned + Default + PartialEq> PartialEq for Deferred<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: DeserializeOwned + Default + fmt::Debug> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// To a client it is the value itself.
impl<T: schemars::JsonSchema> schemars::JsonSchema for Deferred<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

impl<T: Serialize + DeserializeOwned + Default + PartialEq> Serialize for Deferred<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.check().map_err(S::Error::custom)?;
            return self.get().serialize(serializer);
        }
        match self.value.get() {
            None => serializer.serialize_str(&self.text),
            // Most details are empty; they cost nothing.
            Some(value) if **value == T::default() => serializer.serialize_str(""),
            Some(value) => {
                let text = serde_json::to_string(value).map_err(S::Error::custom)?;
                serializer.serialize_str(&text)
            }
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Deferred<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return T::deserialize(deserializer).map(Self::new);
        }
        let text = <&str>::deserialize(deserializer)?;
        Ok(Self { value: OnceLock::new(), text: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_parsed_on_first_use() {
        let mut deferred: Deferred<Vec<u32>> = Deferred { value: OnceLock::new(), text: "[1,2]".into() };
        assert!(deferred.value.get().is_none());
        assert_eq!(*deferred, [1, 2]);
        deferred.edit(|list| list.push(3));
        assert_eq!(serde_json::to_string(&deferred).ok().as_deref(), Some("[1,2,3]"));
        let damaged: Deferred<Vec<u32>> = Deferred { value: OnceLock::new(), text: "[1,".into() };
        assert!(damaged.is_empty());
    }

    #[test]
    fn damaged_text_is_reported() {
        for text in ["[1,", "{\"a\":1}", "[\"a\"]"] {
            let damaged: Deferred<Vec<u32>> = Deferred { value: OnceLock::new(), text: text.into() };
            assert!(damaged.check().is_err(), "{text}");
            assert!(serde_json::to_string(&damaged).is_err(), "{text}");
        }
        let whole: Deferred<Vec<u32>> = Deferred { value: OnceLock::new(), text: "[1]".into() };
        assert!(whole.check().is_ok() && whole.value.get().is_none());
        assert!(Deferred::<Vec<u32>>::default().check().is_ok());
    }
}
