//! `prowess new NAME`

use prowess::{Template, create_skill};

use crate::answers::NewSkillAnswer;
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
    let file = create_skill(&folder, &args.name, template)?;
    if context.json {
        output::json(&NewSkillAnswer { ok: true, path: file.display().to_string() })?;
    } else {
        output::out(&format!("{}\n", file.display()))?;
    }
    Ok(Outcome::Fine)
}
