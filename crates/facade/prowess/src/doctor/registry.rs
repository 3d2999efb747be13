//! The registry that the user chose: whether it answers, and knows who asks.

use prowess_acquire::SupplyOptions;
use prowess_registry::{ListQuery, RegistryError};

use super::{Examination, Finding, checks};

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<Finding>) {
    let context = examination.context;
    if let Err(error) = prowess_acquire::login(context) {
        let message = prowess_text::describe_error(&error);
        findings
            .push(Finding::new(&checks::REGISTRY_LOGIN, message).at(&prowess_acquire::login_file(context)));
    }
    // Nobody is asked whom the user has not named.
    let (Some(patience), true) =
        (examination.options.registry_patience, prowess_acquire::names_registry(context))
    else {
        return;
    };
    let options = SupplyOptions { patience: Some(patience), ..SupplyOptions::default() };
    let supply = match prowess_acquire::Supply::open(context, &options) {
        Ok(supply) => supply,
        Err(error) => {
            let message = prowess_text::describe_error(&error);
            findings.push(Finding::new(&checks::REGISTRY_UNREACHABLE, message));
            return;
        }
    };
    let registry = supply.registry();
    let base = without_user(registry.base());
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
            let problem = prowess_text::describe_error(&error).replace(registry.base(), &base);
            let message = format!("{base}: {problem}");
            Finding::new(&checks::REGISTRY_UNREACHABLE, message).about(base)
        }
    });
}

/// An address without the name and the password that may stand before its host.
fn without_user(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let table = [
            ("https://hub.example/a@b", "https://hub.example/a@b"),
            ("https://ada:pw@hub.example:8080/a", "https://hub.example:8080/a"),
            ("https://a@b:pw@hub.example", "https://hub.example"),
            ("hub", "hub"),
        ];
        for (address, shown) in table {
            assert_eq!(without_user(address), shown);
        }
    }
}
