//! One skill from one file.

use std::ops::Range;

use prowess_text::utf16_len;
use prowess_types::{
    Diagnostic, Dialect, Dispatch, InvocationPolicy, Severity, Skill, SkillLayout, Span, SpecLevel, SpecMode,
};

use crate::fence::{self, Fence};
use crate::frontmatter::Frontmatter;
use crate::input::{SkillInput, content_hash};
use crate::text::decode;
use crate::values::non_blank;
use crate::{body, extensions, metadata, openpocket, rules, specification};

/// How to read it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// Whose rules.
    pub dialect: Dialect,
    /// How much is demanded.
    pub spec_mode: SpecMode,
}

/// Reads a skill. Never fails: what is wrong is in the diagnostics, and a skill that cannot be used is
/// [`SpecLevel::Rejected`].
pub fn parse(input: &SkillInput<'_>, options: &ParseOptions) -> Skill {
    let mut skill = match options.dialect {
        Dialect::Openpocket => openpocket::parse(input),
        Dialect::Prowess | Dialect::Openclaw => parse_yaml_dialect(input, *options),
    };
    if options.spec_mode == SpecMode::Strict && skill.is_loadable() {
        enforce_strict(input, options.dialect, &mut skill);
    }
    skill
}

fn enforce_strict(input: &SkillInput<'_>, dialect: Dialect, skill: &mut Skill) {
    let fits = match dialect {
        Dialect::Openpocket => openpocket::is_strictly_valid(input),
        Dialect::Prowess | Dialect::Openclaw => skill.level >= SpecLevel::Extended,
    };
    if !fits {
        let message = "the skill does not follow the specification, and strict mode wants that".to_owned();
        let refusal = rules::SPEC_STRICT.diagnostic(None, message);
        skill.diagnostics.edit(|diagnostics| diagnostics.push(refusal));
        skill.level = SpecLevel::Rejected;
    }
}

fn parse_yaml_dialect(input: &SkillInput<'_>, options: ParseOptions) -> Skill {
    let dialect = options.dialect;
    let decoded = decode(input.bytes, dialect);
    let text = decoded.text.as_ref();
    let mut diagnostics = decoded.diagnostics;
    let is_lone = input.layout == SkillLayout::LoneFile;
    let may_derive = dialect == Dialect::Prowess && (is_lone || options.spec_mode == SpecMode::Legacy);

    let fence = fence::find(text, dialect);
    let loose = || fence::find_loosely(text).filter(|_| dialect == Dialect::Prowess);
    let (frontmatter, body_start) = if let Fence::Block { yaml, body_start } = fence {
        read_block(text, yaml, body_start, dialect, &mut diagnostics)
    } else if let Some(loose) = loose() {
        let at = Span::new(loose.at.start, loose.at.end);
        diagnostics.push(rules::FRONTMATTER_FENCE.at(at, loose.message));
        read_block(text, loose.yaml, loose.body_start, dialect, &mut diagnostics)
    } else {
        if fence == Fence::Unterminated {
            let message = "the frontmatter is never closed".to_owned();
            diagnostics.push(rules::FRONTMATTER_UNTERMINATED.at(first_line(text), message));
        } else if !may_derive {
            let message = "the file does not start with frontmatter".to_owned();
            diagnostics.push(rules::FRONTMATTER_MISSING.at(first_line(text), message));
        }
        (Frontmatter::default(), 0)
    };
    let is_readable = !diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let body = &text[body_start..];

    let given_name = frontmatter.text("name").filter(|name| !name.is_empty());
    let heading = || body::title(body).filter(|_| may_derive);
    let name = given_name.or_else(heading).unwrap_or_else(|| input.id.trim().to_owned());
    let description = description(&frontmatter, body, may_derive, is_readable, &mut diagnostics);

    if is_lone {
        let message = "the skill is a lone file".to_owned();
        diagnostics.push(rules::LAYOUT_LONE_FILE.diagnostic(None, message));
    }
    if is_readable {
        specification::check(&frontmatter, (!is_lone).then_some(input.id), &mut diagnostics);
    }
    let (metadata, requirements) = metadata::read(&frontmatter, dialect, &mut diagnostics);
    Skill {
        id: input.id.to_owned(),
        display_name: body::title(body).unwrap_or_else(|| body::humanise(&name)),
        name,
        description,
        layout: input.layout,
        invocation: invocation(&frontmatter),
        requirements,
        metadata,
        extensions: extensions::read(&frontmatter).into(),
        content_hash: content_hash(input.bytes),
        body_start,
        body_chars: utf16_len(body),
        level: specification::level(&diagnostics),
        frontmatter: frontmatter.into_fields().into(),
        diagnostics: diagnostics.into(),
    }
}

/// Reads the fields of a block, and says where the body starts.
fn read_block(
    text: &str,
    yaml: Range<usize>,
    body_start: usize,
    dialect: Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Frontmatter, usize) {
    let base = yaml.start;
    let first_line = text[..base].matches('\n').count();
    let (frontmatter, body_at) = Frontmatter::read(&text[yaml], base, first_line, dialect, diagnostics);
    let Some(at) = body_at else { return (frontmatter, body_start) };
    let message = format!(
        "the frontmatter is not closed before the text; its last line is taken to be line {}",
        text[..base + at].matches('\n').count()
    );
    diagnostics.push(rules::FRONTMATTER_FENCE.at(Span::new(base + at, base + at), message));
    (frontmatter, base + at)
}

/// The given description; where the mode allows it, the first line of text stands in for a missing one.
fn description(
    frontmatter: &Frontmatter,
    body: &str,
    may_derive: bool,
    is_readable: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    if let Some(description) = frontmatter.text("description").filter(|text| !text.is_empty()) {
        return description;
    }
    let span = frontmatter.span("description");
    if may_derive && is_readable {
        let derived = openpocket::derived_description(body);
        let message = "the description is taken from the text".to_owned();
        diagnostics.push(rules::LAYOUT_DERIVED.diagnostic(span, message));
        return derived;
    }
    if is_readable {
        let message = "the skill has no `description`".to_owned();
        diagnostics.push(rules::DESCRIPTION_MISSING.diagnostic(span, message));
    }
    String::new()
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.find('\n').unwrap_or(text.len()))
}

fn invocation(frontmatter: &Frontmatter) -> InvocationPolicy {
    let switch = |key: &str, default: bool| {
        frontmatter.text(key).and_then(|text| read_switch(&text)).unwrap_or(default)
    };
    let either =
        |hyphens: &str| frontmatter.text(hyphens).or_else(|| frontmatter.text(&hyphens.replace('-', "_")));
    let dispatches = either("command-dispatch").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("tool"));
    let tool = either("command-tool").and_then(|tool| non_blank(&tool));
    InvocationPolicy {
        user_invocable: switch("user-invocable", true),
        disable_model_invocation: switch("disable-model-invocation", false),
        dispatch: tool.filter(|_| dispatches).map(|tool_name| Dispatch::Tool { tool_name }),
    }
}

fn read_switch(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}
