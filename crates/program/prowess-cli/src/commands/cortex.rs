//! `prowess cortex …`

mod desk;
mod show;

use prowess_acquire::{Supply, SupplyOptions};
use prowess_cortex::{CortexState, Forgotten, Lesson, LessonKind, LessonRef, OutcomeEvent, Tenure};
use prowess_learn::cortex::{Cortex, Experience, HistoryFilter, PerceiveRequest, TaskRequest, variable_name};
use prowess_text::{printable, printable_lines};
use prowess_types::ErrorKind;

use super::count;
use crate::answers::{
    BlacklistAnswer, ChangedAnswer, ForgottenAnswer, HistoryAnswer, LessonsAnswer, PerceivedAnswer,
    ReplayedAnswer, SimulationAnswer,
};
use crate::args::{CortexCommand, CortexRunArgs, ForgetArgs, PerceiveArgs, RecordArgs, SimulateArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::prompt::agrees;

pub(crate) fn run(context: &Context, command: &CortexCommand) -> Result<Outcome, Failure> {
    let mut cortex = context.engine.cortex(context.clock())?;
    tell_once(&mut cortex);
    let done = run_command(context, &mut cortex, command);
    tell_once(&mut cortex);
    done
}

/// Says which repairs were made on the way.
fn tell_once(cortex: &mut Cortex<'_>) {
    for notice in cortex.take_notices() {
        output::err(&format!("{}\n", output::paint(output::WARN, printable(&notice))));
    }
}

fn run_command(
    context: &Context,
    cortex: &mut Cortex<'_>,
    command: &CortexCommand,
) -> Result<Outcome, Failure> {
    match command {
        CortexCommand::Perceive(args) => perceive(context, cortex, args),
        CortexCommand::Run(args) => run_task(context, cortex, args),
        CortexCommand::Record(args) => record(context, cortex, args),
        CortexCommand::Show { region } => show(context, cortex, region.as_deref()),
        CortexCommand::History { skill, region, limit } => {
            let limit = Some(*limit).filter(|limit| *limit > 0);
            let filter = HistoryFilter { slug: skill.as_deref(), region: region.as_deref(), limit };
            let events = cortex.history(filter)?;
            if context.json {
                output::json(&HistoryAnswer { events: &events })?;
            } else {
                output::out(&show::history(&events))?;
            }
            Ok(Outcome::Fine)
        }
        CortexCommand::Forget(args) => forget(context, cortex, args),
        CortexCommand::Blacklist { slug, remove } => blacklist(context, cortex, slug.as_deref(), !*remove),
        CortexCommand::Lessons { right, wrong } => lessons(context, cortex, *right, *wrong),
        CortexCommand::Export { output: None } => {
            output::out_exact(&cortex.exported()?)?;
            Ok(Outcome::Fine)
        }
        CortexCommand::Export { output: Some(file) } => {
            prowess_fs::write_plain(file, cortex.exported()?.as_bytes())?;
            Ok(Outcome::Fine)
        }
        CortexCommand::Import { file } => {
            let is_new = cortex.import(file)?;
            if context.json {
                output::json(&ChangedAnswer { changed: is_new })?;
            } else {
                output::out(if is_new { "Merged.\n" } else { "Nothing new to merge.\n" })?;
            }
            Ok(Outcome::Fine)
        }
        CortexCommand::Replay { rules } => {
            let rules = rules.map_or(cortex.rules(), Into::into);
            let (kept, replayed) = (cortex.state()?, cortex.replay(rules)?);
            let is_same = kept.export() == replayed.export();
            if context.json {
                output::json(&ReplayedAnswer {
                    rules: rules.name(),
                    events: replayed.events(),
                    same: is_same,
                    cortex: replayed.export(),
                })?;
            } else {
                let verdict =
                    if is_same { "the same as what is kept" } else { "not the same as what is kept" };
                output::out(&format!("{} events under `{}`: {verdict}\n", replayed.events(), rules.name()))?;
                output::out(&show::memory(&replayed, None, cortex.now(), rules))?;
            }
            let is_at_fault = !is_same && rules == cortex.rules();
            Ok(if is_at_fault { Outcome::Findings } else { Outcome::Fine })
        }
        CortexCommand::Simulate(args) => simulate(context, args),
    }
}

/// Returns the access to the registry and to repositories; none if neither is to be searched.
fn supply(context: &Context, args: &PerceiveArgs) -> Result<Option<Supply>, Failure> {
    if args.offline {
        return Ok(None);
    }
    let options = SupplyOptions {
        registry: args.registry.clone(),
        // The user's own config names it.
        written: vec![context.engine.config().cortex().github_api],
        ..SupplyOptions::default()
    };
    Ok(Some(context.engine.supply(&options).map_err(|error| Failure::of(ErrorKind::Network, &error))?))
}

fn perceive(context: &Context, cortex: &mut Cortex<'_>, args: &PerceiveArgs) -> Result<Outcome, Failure> {
    let supply = supply(context, args)?;
    let view = context.view()?;
    let seen = cortex.perceive(PerceiveRequest {
        task: &args.task,
        view: &view,
        nothing_fits: args.anyway,
        supply: supply.as_ref(),
    })?;
    let first = seen.candidates.first();
    let validation = first.map(|offer| cortex.validate(&seen, offer)).transpose()?;
    if context.json {
        output::json(&PerceivedAnswer { seen: &seen, validation })?;
    } else {
        output::out(&show::perceived(&seen, validation.as_ref()))?;
    }
    let is_somebody = !seen.installed.is_empty() || !seen.candidates.is_empty();
    Ok(if is_somebody { Outcome::Fine } else { Outcome::Findings })
}

fn run_task(context: &Context, cortex: &mut Cortex<'_>, args: &CortexRunArgs) -> Result<Outcome, Failure> {
    let Some(supply) = supply(context, &args.perceive)? else {
        return Err(Failure::usage("finding a new skill for a task needs the network".to_owned())
            .hint("run it without `--offline`"));
    };
    let request = TaskRequest {
        task: &args.perceive.task,
        agent: context.agent.as_deref(),
        nothing_fits: args.perceive.anyway,
        registry: args.perceive.registry.as_deref(),
        supply: &supply,
    };
    let mut desk = desk::Terminal::new(context, args);
    let report = cortex.run(request, &mut desk)?;
    if let Some(failure) = desk.failure() {
        return Err(failure);
    }
    if context.json {
        output::json(&report)?;
    } else {
        output::out(&show::task(&report))?;
    }
    let is_done = report.is_done();
    Ok(if is_done || !report.seen.installed.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn record(context: &Context, cortex: &mut Cortex<'_>, args: &RecordArgs) -> Result<Outcome, Failure> {
    let version = args.skill_version.clone().unwrap_or_default();
    let mut outcome = OutcomeEvent::new("", &args.skill, &version, args.result.into());
    outcome.source.clone_from(&args.source);
    outcome.key.clone_from(&args.key);
    outcome.detail.clone_from(&args.detail);
    outcome.side_effects = (!args.effects.is_empty()).then(|| args.effects.clone());
    outcome.tenure = if args.long_term { Tenure::LongTerm } else { Tenure::Task };
    (outcome.env_ready, outcome.env_missing) = (variables(&args.env_ready)?, variables(&args.env_missing)?);
    let mut learned = cortex.record(&Experience {
        task: args.task.clone(),
        region: args.region.clone(),
        outcome,
        session: args.session.clone(),
        snapshot: None,
        is_from_run: false,
    })?;
    if args.keep || args.no_keep {
        cortex.retain(&learned.region, &learned.slug, args.keep)?;
        // The question was answered.
        learned.offers_retention = false;
    }
    if context.json {
        output::json(&learned)?;
    } else {
        output::out(&show::learned(&learned))?;
    }
    Ok(Outcome::Fine)
}

/// Names of variables. A value is refused, and not repeated in the error.
fn variables(names: &[String]) -> Result<Vec<String>, Failure> {
    let names = names.iter().map(|name| variable_name(name).map(str::to_owned));
    names.collect::<Result<_, _>>().map_err(|error| Failure::usage(error.to_string()))
}

fn show(context: &Context, cortex: &Cortex<'_>, region: Option<&str>) -> Result<Outcome, Failure> {
    let state = cortex.state()?;
    if let Some(region) = region
        && state.region(region).is_none()
    {
        return Err(Failure::not_found(format!(
            "nothing was learned about tasks of the kind `{}`",
            printable(region)
        ))
        .hint("`prowess cortex show` lists every kind"));
    }
    if context.json {
        output::json(&cortex.view_of(&state, cortex.rules(), region))?;
    } else {
        if let Some(damaged) = cortex.damaged() {
            output::err(&format!("{} is damaged: {}\n", cortex.file().display(), damaged.problem));
        }
        output::out(&show::memory(&state, region, cortex.now(), cortex.rules()))?;
    }
    Ok(Outcome::Fine)
}

fn forget(context: &Context, cortex: &mut Cortex<'_>, args: &ForgetArgs) -> Result<Outcome, Failure> {
    let what = match (&args.skill, &args.region, &args.signal) {
        (Some(slug), region, _) => Forgotten::Skill { slug: slug.clone(), region: region.clone() },
        (None, Some(region), Some(signal)) => {
            Forgotten::Signal { region: region.clone(), signal: signal.to_lowercase() }
        }
        (None, Some(region), None) => Forgotten::Region { region: region.clone() },
        (None, None, _) => Forgotten::Everything,
    };
    if args.everything && !args.yes && !agrees("Forget everything that was learned?")? {
        return Err(Failure::usage("nothing was forgotten".to_owned()).hint("confirm with `--yes`"));
    }
    let state = cortex.forget(what)?;
    if context.json {
        output::json(&ForgottenAnswer { forgotten: true, events: state.events() })?;
    } else {
        output::out("Forgotten. The log keeps its rows: `prowess cortex history` shows them.\n")?;
    }
    Ok(Outcome::Fine)
}

fn blacklist(
    context: &Context,
    cortex: &mut Cortex<'_>,
    slug: Option<&str>,
    is_banned: bool,
) -> Result<Outcome, Failure> {
    let changed = slug.map(|slug| cortex.ban(slug, is_banned)).transpose()?;
    let list = cortex.state()?.blacklist().to_vec();
    if context.json {
        output::json(&BlacklistAnswer { blacklist: list, changed })?;
        return Ok(Outcome::Fine);
    }
    let text = match (slug, changed) {
        (None, _) if list.is_empty() => "Nothing is banned.\n".to_owned(),
        (None, _) => printable_lines(&list.join("\n")) + "\n",
        (Some(slug), Some(true)) if is_banned => format!("`{}` is never used again.\n", printable(slug)),
        (Some(slug), Some(true)) => format!("`{}` may be used again.\n", printable(slug)),
        (Some(slug), _) => format!("`{}`: no change.\n", printable(slug)),
    };
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn lessons(
    context: &Context,
    cortex: &mut Cortex<'_>,
    right: Option<usize>,
    wrong: Option<usize>,
) -> Result<Outcome, Failure> {
    let mut state = cortex.state()?;
    if let Some(number) = right.or(wrong) {
        let lesson = number.checked_sub(1).and_then(|place| state.lessons().get(place)).map(reference);
        let Some(lesson): Option<LessonRef> = lesson else {
            return Err(Failure::not_found(format!("there is no lesson {number}"))
                .hint("`prowess cortex lessons` numbers them"));
        };
        state = cortex.judge_lesson(lesson, right.is_some())?;
    }
    if context.json {
        output::json(&LessonsAnswer { lessons: state.lessons() })?;
    } else {
        output::out(&show::lessons(&state))?;
    }
    Ok(Outcome::Fine)
}

/// How a lesson is named in the log.
fn reference(lesson: &Lesson) -> LessonRef {
    match lesson.kind.clone() {
        LessonKind::DependencyWarning { region, key, .. } => LessonRef::DependencyWarning { region, key },
        LessonKind::SkillQualityWarning { slug, detail } => {
            LessonRef::SkillQualityWarning { slug, detail: Some(detail) }
        }
        LessonKind::EnvReady { region, key } => LessonRef::EnvReady { region, key },
    }
}

fn simulate(context: &Context, args: &SimulateArgs) -> Result<Outcome, Failure> {
    let outcomes: Vec<_> = args.outcomes.iter().map(|outcome| (*outcome).into()).collect();
    let lines = prowess_learn::cortex::weights_over_time(&outcomes, args.every, args.times);
    if context.json {
        output::json(&SimulationAnswer { uses: &lines })?;
    } else {
        output::out(&show::simulation(&lines))?;
    }
    Ok(Outcome::Fine)
}

/// What a state has in all.
pub(super) fn totals(state: &CortexState) -> String {
    let candidates: usize = state.regions().map(|(_, region)| region.candidates.len()).sum();
    let events = usize::try_from(state.events()).unwrap_or(usize::MAX);
    [
        count(state.regions().count(), "kind of task", "kinds of task"),
        count(candidates, "candidate", "candidates"),
        count(events, "event", "events"),
    ]
    .join(", ")
}
