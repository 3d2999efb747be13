//! `prowess prompt`

use std::sync::Arc;

use prowess_agent::MessagePrompt;
use prowess_config::Select;
use prowess_inventory::{
    MatchDecision, MatchRequest, MessageMatch, PromptExplanation, PromptRequest, Relevance,
};
use prowess_match::AgentView;
use prowess_text::printable;
use prowess_types::PromptedAs;

use crate::answers::PromptAnswer;
use crate::args::PromptArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, paint};

/// The number of skills that are put in order; the others follow by name.
const RANKED: usize = 500;

pub(crate) fn run(context: &Context, args: &PromptArgs) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let mut inventory = Arc::clone(view.inventory());
    if let Some(sandbox) = &args.sandbox {
        let locations = context.engine.sandbox_locations(sandbox)?;
        inventory = Arc::new(Arc::unwrap_or_clone(inventory).located(locations));
    }
    if let Some(message) = &args.message {
        let (answer, relevance) = chosen(context, &view, args, &message.text()?)?;
        let prompt = context.engine.message_prompt(&inventory, answer, relevance)?;
        return show(context, &prompt, args.explain);
    }
    let relevance = match &args.query {
        Some(query) => Some(chosen(context, &view, args, &query.text()?)?.1)
            .map(|relevance| listed_by_query(relevance, args)),
        None if args.select.is_some() || args.preload => {
            return Err(Failure::usage(
                "`--select` and `--preload` need `--message` or `--query`".to_owned(),
            ));
        }
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
    let is_empty = rendered.included.is_empty();
    let empty = is_empty.then(|| inventory.why_empty(&request)).flatten();
    if context.json {
        output::json(&PromptAnswer {
            prompt: &rendered.text,
            chars: rendered.chars,
            stable_chars: rendered.stable_chars,
            tokens: prowess_catalog::estimate_tokens(&rendered.text),
            included: rendered.included.len(),
            cut: rendered.cuts.len(),
            note: rendered.note.as_deref(),
            empty: empty.as_ref(),
        })?;
    } else {
        output::out_exact(&rendered.text)?;
        if let Some(empty) = &empty {
            output::err(&super::check::emptiness("The prompt has no skills", empty));
        }
    }
    Ok(Outcome::Fine)
}

/// The answer for a message, and how the list follows it.
fn chosen(
    context: &Context,
    view: &AgentView,
    args: &PromptArgs,
    message: &str,
) -> Result<(MessageMatch, Relevance), Failure> {
    let selector = view.selector()?;
    super::matching::prepare(&selector, message)?;
    let now = context.clock().now_ms();
    let answer =
        selector.find(&MatchRequest { top: RANKED, now: Some(now), ..MatchRequest::new(message) })?;
    let mut relevance = selector.relevance(&answer);
    if let Some(select) = args.select {
        relevance.choose(select.into());
    }
    relevance.preload |= args.preload;
    relevance.now = Some(now);
    Ok((answer, relevance))
}

/// A query was given for the list to follow, so it does unless a flag or the config says otherwise.
fn listed_by_query(mut relevance: Relevance, args: &PromptArgs) -> Relevance {
    if relevance.select == Select::Message {
        relevance.preload = args.preload;
    }
    if relevance.select == Select::Message || (relevance.select == Select::All && args.select.is_none()) {
        relevance.select = Select::Ranked;
    }
    relevance
}

/// The prompt of a run: exactly its texts, each under a title.
fn show(context: &Context, prompt: &MessagePrompt, is_explained: bool) -> Result<Outcome, Failure> {
    if context.json {
        output::json(prompt)?;
        return Ok(Outcome::Fine);
    }
    if is_explained {
        output::out(&explain_message(prompt))?;
        return Ok(Outcome::Fine);
    }
    if let Some(empty) = &prompt.empty {
        output::err(&format!("The prompt has no skills: {}\n", printable(empty)));
    }
    let title = |title: &str| paint(BOLD, format!("── {title} ──"));
    let context_text = prompt.context.as_deref().unwrap_or("(nothing)");
    let text = format!(
        "{}\n{}\n{}\n{context_text}\n\n{}\n{}\n",
        title("system prompt"),
        prompt.system,
        title("in front of the message"),
        title("message"),
        prompt.message
    );
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn explain_message(prompt: &MessagePrompt) -> String {
    let mut text = format!(
        "{} skills in the request, {} characters, about {} tokens\n",
        paint(BOLD, prompt.skills.len()),
        prompt.chars,
        prompt.tokens
    );
    if let Some(empty) = &prompt.empty {
        text += &format!("no skills: {}\n", printable(empty));
    }
    {
        let decision = match prompt.decision {
            MatchDecision::Load => "load",
            MatchDecision::Suggest => "suggest",
            MatchDecision::Nothing => "none",
        };
        let preload = match prompt.preload_at {
            Some(at) => format!("its text is given from {:.0} % on", at * 100.0),
            None => "texts are not given (`skills.prompt.preload`)".to_owned(),
        };
        text += &format!("decision: {decision}, best match {:.0} %; {preload}\n", prompt.confidence * 100.0);
    }
    let mut table = Table::new(&["Skill", "Tokens", "As"], 2);
    for priced in &prompt.skills {
        let how = match priced.skill.how {
            PromptedAs::Listed => "listed",
            PromptedAs::Text => "its whole text",
            PromptedAs::Map => "the map of its text",
            PromptedAs::Pointer => "the place of its file",
            PromptedAs::Again => "given above",
        };
        table.row([
            printable(&priced.skill.name).into(),
            priced.tokens.to_string().into(),
            how.to_owned().into(),
        ]);
    }
    let overhead = prompt.overhead_tokens.to_string();
    table.row([Cell::styled(DIM, "everything else"), overhead.into(), String::new().into()]);
    text + &table.text()
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
    if let Some(empty) = &explanation.empty {
        text += &super::check::emptiness("no skills", empty);
    }
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
