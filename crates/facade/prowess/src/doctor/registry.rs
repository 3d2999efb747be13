//! The registry that the user chose: whether it answers, and knows the user.

use prowess_acquire::SupplyOptions;
use prowess_registry::{ListQuery, RegistryError};

use super::{DoctorFinding, Examination, checks};

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    if let Err(error) = prowess_acquire::login(context) {
        let message = prowess_text::describe_error(&error);
        findings.push(
            DoctorFinding::new(&checks::REGISTRY_LOGIN, message).at(&prowess_acquire::login_file(context)),
        );
    }
    // No request goes to a registry that the user has not named.
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
            findings.push(DoctorFinding::new(&checks::REGISTRY_UNREACHABLE, message));
            return;
        }
    };
    let registry = supply.registry();
    let base = prowess_net::without_user(registry.base());
    let asked = if supply.is_logged_in() {
        registry.whoami().map(drop)
    } else {
        registry.list(&ListQuery { limit: Some(1), ..ListQuery::default() }).map(drop)
    };
    findings.push(match asked {
        Ok(()) => DoctorFinding::new(&checks::REGISTRY_REACHED, format!("{base} answers")).about(base),
        Err(error @ RegistryError::Unauthorized { .. }) => {
            DoctorFinding::new(&checks::REGISTRY_REFUSED, format!("{base}: {error}")).about(base)
        }
        Err(error) => {
            let problem = prowess_text::describe_error(&error).replace(registry.base(), &base);
            let message = format!("{base}: {problem}");
            DoctorFinding::new(&checks::REGISTRY_UNREACHABLE, message).about(base)
        }
    });
}
