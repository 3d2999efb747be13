//! A conversation within the room that a model has.

use prowess_model::{Message, ModelError};

/// What endpoints say when a conversation is too long for them.
const OVERFLOW: [&str; 9] = [
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "reduce the length",
];
/// Of the conversation before the turn, this part stays when the model has no room.
const KEPT_PART: usize = 4;
/// Results of tools stay whole if they are among so many last ones, else only their beginning does.
const WHOLE_RESULTS: usize = 2;
const RESULT_BEGINNING: usize = 1024;
const LEFT_OUT: &str = "\n[… left out to save room …]";

/// The newest whole exchanges of a conversation that are together no longer than `max_chars`.
///
/// An exchange is a user's message and all that follows up to the next one; half of one would be refused.
pub fn trim(mut history: Vec<Message>, max_chars: usize) -> Vec<Message> {
    let mut room = max_chars;
    let mut start = history.len();
    let mut exchange = 0;
    for (index, message) in history.iter().enumerate().rev() {
        exchange += chars(message);
        if matches!(message, Message::User(_)) {
            let Some(left) = room.checked_sub(exchange) else { break };
            (room, start, exchange) = (left, index, 0);
        }
    }
    history.drain(..start);
    history
}

/// Returns true if an endpoint says that the conversation is too long.
pub(super) fn is_overflow(error: &ModelError) -> bool {
    let ModelError::Status { status: 400 | 413 | 422, message } = error else { return false };
    let message = message.to_lowercase();
    OVERFLOW.iter().any(|sign| message.contains(sign))
}

/// Drops three quarters of what was before this turn and shortens the older results of it. Gives how many messages
/// from before the turn are left; none if there was nothing to leave out.
pub(super) fn make_room(messages: &mut Vec<Message>, past: usize) -> Option<usize> {
    let before = messages.iter().map(chars).sum::<usize>();
    let this_turn = messages.split_off(past.min(messages.len()));
    let past_chars = messages.iter().map(chars).sum::<usize>();
    *messages = trim(std::mem::take(messages), past_chars / KEPT_PART);
    let past = messages.len();
    messages.extend(this_turn);
    let results = messages[past..].iter_mut().rev().filter_map(|message| match message {
        Message::Tool { content, .. } => Some(content),
        _ => None,
    });
    for content in
        results.skip(WHOLE_RESULTS).filter(|content| content.len() > RESULT_BEGINNING + LEFT_OUT.len())
    {
        content.truncate(content.floor_char_boundary(RESULT_BEGINNING));
        content.push_str(LEFT_OUT);
    }
    let after = messages.iter().map(chars).sum::<usize>();
    (after < before).then_some(past)
}

/// How long a message is, counted so that an empty one counts too.
fn chars(message: &Message) -> usize {
    1 + match message {
        Message::User(text) => text.chars().count(),
        Message::Assistant { text, calls } => {
            let call_chars = calls.iter().map(|call| {
                let input = call.input.as_ref().map_or_else(Clone::clone, ToString::to_string);
                call.name.chars().count() + input.chars().count()
            });
            text.chars().count() + call_chars.sum::<usize>()
        }
        Message::Tool { content, .. } => content.chars().count(),
    }
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
