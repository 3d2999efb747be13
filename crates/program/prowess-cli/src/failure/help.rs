//! The next step that the command line proposes for an error, where it knows a better one than the kind's.
//!
//! One row for each error type, tried from the outermost error to the innermost; the first that applies decides.

mod acquire;
mod learn;
mod registry;
mod settings;

use std::error::Error;

use prowess_types::{Classify, wrapped_errors};

/// A next step for an error; none if the row does not apply.
type Help = fn(&(dyn Error + 'static)) -> Option<String>;

const HELP: [Help; 25] = [
    |error| error.downcast_ref().and_then(acquire::acquire),
    |error| error.downcast_ref().and_then(acquire::dependencies),
    |error| error.downcast_ref().and_then(acquire::harness),
    |error| error.downcast_ref().and_then(acquire::scaffold),
    |error| error.downcast_ref().and_then(learn::baseline),
    |error| error.downcast_ref().and_then(learn::cortex),
    |error| error.downcast_ref().and_then(learn::encoder),
    |error| error.downcast_ref().and_then(learn::forge),
    |error| error.downcast_ref().and_then(learn::pool),
    |error| error.downcast_ref().and_then(learn::replay),
    |error| error.downcast_ref().and_then(learn::session),
    |error| error.downcast_ref().and_then(registry::hub),
    |error| error.downcast_ref().and_then(registry::login),
    |error| error.downcast_ref().and_then(registry::publish),
    |error| error.downcast_ref().and_then(registry::registry),
    |error| error.downcast_ref().and_then(settings::config),
    |error| error.downcast_ref().and_then(settings::gateway_call),
    |error| error.downcast_ref().and_then(settings::gateway_home),
    |error| error.downcast_ref().and_then(settings::hook),
    |error| error.downcast_ref().and_then(settings::mcp),
    |error| error.downcast_ref().and_then(settings::node),
    |error| error.downcast_ref().and_then(settings::run),
    |error| error.downcast_ref().and_then(settings::secret),
    |error| error.downcast_ref().and_then(settings::trust),
    |error| error.downcast_ref().and_then(settings::workspace),
];

/// Returns the next step for an error.
pub(super) fn of(error: &dyn Classify) -> Option<String> {
    wrapped_errors(error).find_map(|error| HELP.iter().find_map(|help| help(error)))
}
