//! The registry that the user chose: whether it answers, and knows who asks.

use prowess_registry::{ListQuery, RegistryError};

use super::{Examination, Finding, checks};
use crate::supply::SupplyOptions;

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<Finding>) {
    let engine = examination.engine;
    if let Err(error) = engine.login() {
        let message = crate::describe_error(&error);
        findings.push(Finding::new(&checks::REGISTRY_LOGIN, message).at(&engine.login_file()));
    }
    // Nobody is asked whom the user has not named.
    let (Some(patience), true) = (examination.options.registry_patience, engine.names_registry()) else {
        return;
    };
    let options = SupplyOptions { patience: Some(patience), ..SupplyOptions::default() };
    let supply = match engine.supply(&options) {
        Ok(supply) => supply,
        Err(error) => {
            let message = crate::describe_error(&error);
            findings.push(Finding::new(&checks::REGISTRY_UNREACHABLE, message));
            return;
        }
    };
    let registry = supply.registry();
    let base = registry.base().to_owned();
    let asked = if supply.is_logged_in() {
        registry.whoami().map(drop)
    } else {
        registry.list(&ListQuery { limit: Some(1), ..ListQuery::default() }).map(drop)
    };
    findings.push(match asked {
        Ok(()) => Finding::new(&checks::REGISTRY_REACHED, format!("{base} answers")).about(base),
        Err(error @ RegistryError::Unauthorized { .. }) => {
            Finding::new(&checks::REGISTRY_REFUSED, format!("{base}: {error}")).about(base)
        }
        Err(error) => {
            let message = format!("{base}: {}", crate::describe_error(&error));
            Finding::new(&checks::REGISTRY_UNREACHABLE, message).about(base)
        }
    });
}
