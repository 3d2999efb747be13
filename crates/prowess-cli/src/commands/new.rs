//! `prowess new NAME`

use prowess::{ScaffoldError, Template, create_skill};

use crate::answers::NewSkillAnswer;
use crate::args::{NewArgs, TemplateArg};
use crate::context::Context;
use crate::failure::{Code, Failure, Outcome};
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
        ScaffoldError::Name { .. } => Failure::of(Code::InvalidValue, &error).hint("such as `release-notes`"),
        ScaffoldError::Exists { .. } => {
            Failure::of(Code::AlreadyThere, &error).hint("choose another name; nothing was changed")
        }
        _ => Failure::of(Code::Files, &error),
    })?;
    if context.json {
        output::json(&NewSkillAnswer { ok: true, path: file.display().to_string() })?;
    } else {
        output::out(&format!("{}\n", file.display()))?;
    }
    Ok(Outcome::Fine)
}
