//! Ids of tool calls as every API takes them.

use std::collections::BTreeSet;

use prowess_model::Message;

/// APIs refuse longer ones.
const LONGEST: usize = 40;

/// Gives every call of a conversation an id of its own: letters, digits, `_` and `-`, at most 40.
///
/// Small servers send none, the same one twice, or start again at `call_0` in every run.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    taken: BTreeSet<String>,
    last: usize,
}

impl CallIds {
    /// Continues a conversation.
    pub(super) fn after(messages: &[Message]) -> Self {
        let calls = messages.iter().flat_map(|message| match message {
            Message::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        Self { taken: calls.map(|call| call.id.clone()).collect(), last: 0 }
    }

    /// The id that was asked for if it can be had, else a new one.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let usable = !wanted.is_empty() && wanted.len() <= LONGEST && wanted.bytes().all(is_plain);
        if usable && self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        loop {
            self.last += 1;
            let id = format!("call_{}", self.last);
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CallIds;

    #[test]
    fn ids_are_kept_where_they_can_be_and_made_where_not() {
        let mut ids = CallIds::default();
        let long = "x".repeat(41);
        let given = ["toolu_01A", "", "call_1", "toolu_01A", "a b", &long].map(|wanted| ids.claim(wanted));
        assert_eq!(given, ["toolu_01A", "call_1", "call_2", "call_3", "call_4", "call_5"]);
    }
}
