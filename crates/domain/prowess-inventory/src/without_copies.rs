//! An inventory without the copies that were made for other programs.

use prowess_context::{Context, ContextError};

use crate::copies::Copies;
use crate::inventory::Inventory;
use crate::{blueprint, judge, load};

/// The inventory of an agent, without anything that was made for other programs.
pub fn without_views(context: &Context, agent: Option<&str>) -> Result<Inventory, ContextError> {
    let blueprint = blueprint::blueprint(context, agent, &mut None)?;
    let mut loaded = load::load(&blueprint.plans, context.cache_folder());
    let mut copies = Copies::new(context);
    loaded.candidates.retain(|candidate| !copies.has(candidate));
    Ok(judge::assemble(context, &blueprint, loaded))
}
