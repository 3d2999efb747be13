//! `prowess new NAME`

use prowess::{ScaffoldError, Template, create_skill};

use crate::args::{NewArgs, TemplateArg};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) fn run(context: &Context, args: &NewArgs) -> Result<Outcome, Failure> {
    let folder = match &args.path {
        Some(folder) => folder.clone(),
        None => context.engine.workspace(context.agent.as_deref())?.join("skills"),
    };
    let template = match args.template {
        TemplateArg::Folder => Template::Folder,
        TemplateArg::Openpocket => Template::Openpocket,
    };
    let file = create_skill(&folder, &args.name, template).map_err(|error| match error {
        ScaffoldError::Name { .. } => Failure::usage(error.to_string()),
        ScaffoldError::Exists { .. } => {
            Failure::not_found(error.to_string()).hint("choose another name; nothing was changed")
        }
        _ => Failure::environment(&error),
    })?;
    if context.json {
        output::json(&serde_json::json!({ "ok": true, "path": file }))?;
    } else {
        output::out(&format!("{}\n", file.display()))?;
    }
    Ok(Outcome::Fine)
}
