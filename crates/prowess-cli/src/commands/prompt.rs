//! `prowess prompt`

use prowess::{Inventory, MatchRequest, PromptExplanation, PromptRequest, Relevance, Select, printable};

use crate::answers::PromptAnswer;
use crate::args::PromptArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, paint};

/// How many skills are put in order; the others follow by name.
const RANKED: usize = 500;

pub(crate) fn run(context: &Context, args: &PromptArgs) -> Result<Outcome, Failure> {
    let mut inventory = context.inventory()?;
    if let Some(sandbox) = &args.sandbox {
        inventory = inventory.located(context.engine.sandbox_locations(sandbox)?);
    }
    let relevance = match &args.query {
        Some(query) => Some(relevance(context, &inventory, args, &query.text()?)?),
        None => None,
    };
    let request = PromptRequest {
        wording: args.format.map(Into::into),
        max_chars: args.budget,
        mode: args.mode.map(Into::into),
        has_read_tool: args.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool.trim() == "read")),
        context_tokens: args.context_tokens,
        relevance,
    };
    if args.explain {
        let explanation = inventory.explain_prompt(&request);
        if context.json {
            output::json(&explanation)?;
        } else {
            output::out(&explain(&explanation))?;
        }
        return Ok(Outcome::Fine);
    }
    let rendered = inventory.prompt(&request);
    if context.json {
        output::json(&PromptAnswer {
            prompt: &rendered.text,
            chars: rendered.chars,
            stable_chars: rendered.stable_chars,
            tokens: prowess::estimate_tokens(&rendered.text),
            included: rendered.included.len(),
            cut: rendered.cuts.len(),
            note: rendered.note.as_deref(),
        })?;
    } else {
        output::out_exact(&rendered.text)?;
    }
    Ok(Outcome::Fine)
}

/// How the list follows a message.
fn relevance(
    context: &Context,
    inventory: &Inventory,
    args: &PromptArgs,
    message: &str,
) -> Result<Relevance, Failure> {
    let selector = context.engine.selector(inventory)?;
    super::matching::prepare(&selector, message)?;
    let now = context.clock().now_ms();
    let answer =
        selector.find(&MatchRequest { top: RANKED, now: Some(now), ..MatchRequest::new(message) })?;
    let mut relevance = selector.relevance(&answer);
    relevance.preload |= args.preload;
    // A message was given for the list to follow, so it does unless the flag says otherwise.
    relevance.select = match (args.select, relevance.select) {
        (Some(select), _) => select.into(),
        (None, Select::All) => Select::Ranked,
        (None, configured) => configured,
    };
    relevance.now = Some(now);
    Ok(relevance)
}

fn explain(explanation: &PromptExplanation) -> String {
    let included = explanation.skills.iter().filter(|skill| skill.included).count();
    let mut text = format!(
        "{} of {} skills, {} of {} characters, about {} tokens\n",
        paint(BOLD, included),
        explanation.skills.len(),
        explanation.chars,
        explanation.max_chars,
        explanation.tokens
    );
    for cut in &explanation.cuts {
        text += &format!("cut: {} ({})\n", cut.message, paint(DIM, &cut.help));
    }
    if let Some(note) = &explanation.note {
        text += &format!("{}\n", paint(DIM, note));
    }
    if let Some(limit) = explanation.description_limit {
        text += &format!("Descriptions are cut to {limit} characters.\n");
    }
    let mut table = Table::new(&["", "Skill", "Tokens", "Why not"], 3);
    for skill in &explanation.skills {
        let mark = if skill.included { Cell::styled(GOOD, "✓") } else { Cell::styled(BAD, "✗") };
        let reason = skill.reason.as_deref().map(printable).unwrap_or_default();
        let tokens = if skill.included { skill.tokens.to_string() } else { "–".to_owned() };
        table.row([mark, printable(&skill.name).into(), tokens.into(), reason.into()]);
    }
    if explanation.overhead_tokens > 0 {
        let overhead = explanation.overhead_tokens.to_string();
        table.row([
            Cell::styled(DIM, "+"),
            Cell::styled(DIM, "rules and frame"),
            overhead.into(),
            String::new().into(),
        ]);
    }
    if !explanation.skills.is_empty() {
        text += &table.text();
    }
    text
}
