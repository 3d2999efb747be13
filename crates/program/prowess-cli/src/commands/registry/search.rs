//! `prowess search`

use prowess_acquire::RegistrySkill;
use prowess_registry::SearchQuery;
use prowess_registry::protocol::SearchHit;
use prowess_text::printable;

use super::open;
use crate::answers::{FoundSkill, SearchAnswer};
use crate::args::SearchArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, Cell, DIM, GOOD, Table, paint};

pub(crate) fn run(context: &Context, args: &SearchArgs) -> Result<Outcome, Failure> {
    let query = args.query.join(" ");
    if query.trim().is_empty() {
        return Err(Failure::usage("the search has no words".to_owned())
            .hint("say what the skill should do: `prowess search weather forecast`"));
    }
    let supply = open(context, &args.at)?;
    let registry = supply.registry();
    let asked =
        SearchQuery { text: &query, limit: Some(args.limit), exact: args.exact, ..SearchQuery::default() };
    let hits = registry.search(&asked)?.results;
    let installed = context.engine.installed_from_registries(context.agent.as_deref())?;
    let here = |hit: &SearchHit| installed.iter().find(|skill| skill.is(hit, registry.base()));
    if context.json {
        let results = hits.iter().map(|hit| FoundSkill { hit, installed: here(hit) }).collect();
        output::json(&SearchAnswer { registry: registry.base(), query: &query, results })?;
        return Ok(Outcome::Fine);
    }
    // A hit without a slug cannot be installed, whatever it is.
    let named: Vec<(&SearchHit, &str)> =
        hits.iter().filter_map(|hit| Some((hit, hit.slug.as_deref()?))).collect();
    if named.is_empty() {
        output::out(&nothing(&query, args.exact))?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Slug", "Version", "Owner", "Name", "Downloads", "Summary"], 5);
    for (hit, slug) in &named {
        let slug = printable(slug);
        table.row([
            here(hit)
                .map_or_else(|| Cell::from(slug.clone()), |skill| Cell::styled(GOOD, mark(&slug, skill))),
            printable(hit.version.as_deref().unwrap_or("-")).into(),
            Cell::styled(DIM, owner(hit).map(|owner| format!("@{}", printable(owner))).unwrap_or_default()),
            printable(hit.display_name.as_deref().unwrap_or_default()).into(),
            hit.downloads.map(|number| format!("{number:.0}")).unwrap_or_default().into(),
            dim(one_line(hit.summary.as_deref().unwrap_or_default())),
        ]);
    }
    let next =
        format!("{} {}\n", paint(BOLD, "next:"), "prowess registry inspect SLUG, prowess install SLUG");
    output::out(&(table.text() + &next))?;
    Ok(Outcome::Fine)
}

fn owner(hit: &SearchHit) -> Option<&str> {
    hit.owner_handle.as_deref().or_else(|| hit.owner.as_ref()?.handle.as_deref())
}

fn mark(slug: &str, skill: &RegistrySkill) -> String {
    let version = skill.version.as_deref().map(|version| format!(" {}", printable(version)));
    format!("{slug} ✓ installed{}", version.unwrap_or_default())
}

fn nothing(query: &str, exact: bool) -> String {
    let advice = if exact {
        "Leave out `--exact` to find skills with other names."
    } else {
        "Try fewer or more general words, or look around: prowess registry explore --sort downloads"
    };
    format!("Nothing found for \"{}\".\n{advice}\n", printable(query))
}

/// Something less important; nothing at all where there is nothing to say.
pub(super) fn dim(text: String) -> Cell {
    if text.is_empty() { text.into() } else { Cell::styled(DIM, text) }
}

/// A summary in one line.
pub(super) fn one_line(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
