//! Rules of Cursor (`.cursor/rules/*.mdc`) as skills, and skills as rules.
//!
//! A rule has three fields: `description`, `globs` and `alwaysApply`. Which of them are set decides when Cursor uses
//! it: always, for files that match, when the model finds it fitting, or when a person names it. A rule that becomes a
//! skill keeps its own header in the skill's metadata, so that it becomes the same rule again, to the byte.

use prowess_types::Skill;
use serde_json::Value;

/// The key under which a skill keeps the path of the rule that it was made from.
const FILE_KEY: &str = "cursor-file";
/// Where a skill keeps the header of the rule that it was, fences included.
const HEADER_KEY: &str = "cursor-header";
/// How the file of a rule ends.
pub const EXTENSION: &str = ".mdc";

/// What the header of a rule says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentRule {
    /// Its purpose.
    pub description: Option<String>,
    /// The files it is for.
    pub globs: Vec<String>,
    /// True if it is always used.
    pub always_apply: bool,
}

/// When Cursor uses a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleMode {
    /// Always.
    Always,
    /// When a file that matches is at hand.
    Auto,
    /// When the model finds it fitting.
    Agent,
    /// When a person names it.
    Manual,
}

/// A skill that was made of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Its name.
    pub name: String,
    /// The text of its `SKILL.md`.
    pub text: String,
}

impl AgentRule {
    /// Reads a header. Cursor writes patterns without quotes, which is not YAML, so it is read line by line.
    ///
    /// ```
    /// use prowess_harness::rule::{AgentRule, RuleMode};
    /// let rule = AgentRule::parse("description: Style\nglobs: **/*.ts, src/*.js\nalwaysApply: false\n");
    /// assert_eq!(rule.globs, ["**/*.ts", "src/*.js"]);
    /// assert_eq!(rule.mode(), RuleMode::Auto);
    /// ```
    pub fn parse(header: &str) -> Self {
        let mut rule = Self::default();
        let mut is_in_globs = false;
        for line in header.lines() {
            let item = line.trim().strip_prefix("- ").filter(|_| is_in_globs);
            if let Some(item) = item {
                rule.globs.extend(Some(unquoted(item)).filter(|glob| !glob.is_empty()));
                continue;
            }
            let Some((key, value)) = line.split_once(':').filter(|(key, _)| !key.starts_with(' ')) else {
                continue;
            };
            is_in_globs = key.trim() == "globs";
            match key.trim() {
                "description" => rule.description = Some(unquoted(value)).filter(|text| !text.is_empty()),
                "globs" => rule.globs = patterns(value),
                "alwaysApply" => rule.always_apply = value.trim() == "true",
                _ => {}
            }
        }
        rule
    }

    /// When it is used.
    pub fn mode(&self) -> RuleMode {
        if self.always_apply {
            RuleMode::Always
        } else if !self.globs.is_empty() {
            RuleMode::Auto
        } else if self.description.is_some() {
            RuleMode::Agent
        } else {
            RuleMode::Manual
        }
    }

    /// The header that says this.
    fn header(&self) -> String {
        let description = self.description.as_deref().map(|text| format!(" {}", scalar(text)));
        let globs = if self.globs.is_empty() { String::new() } else { format!(" {}", self.globs.join(",")) };
        format!(
            "---\ndescription:{}\nglobs:{globs}\nalwaysApply: {}\n---\n",
            description.unwrap_or_default(),
            self.always_apply
        )
    }
}

/// The skill that a rule becomes. `place` is the place of the rule below the folder of rules.
pub fn to_skill(place: &str, text: &str) -> Converted {
    let (header, body) = split(text);
    let rule = header.map(|header| AgentRule::parse(inner(header))).unwrap_or_default();
    let name = name_of(place);
    let mut lines =
        vec![format!("name: {name}"), format!("description: {}", quoted(&description(&rule, &name, body)))];
    if !rule.globs.is_empty() {
        let globs: Vec<String> = rule.globs.iter().map(|glob| quoted(glob)).collect();
        lines.push(format!("paths: [{}]", globs.join(", ")));
    }
    if rule.mode() == RuleMode::Manual {
        lines.push("disable-model-invocation: true".to_owned());
    }
    lines.push("metadata:".to_owned());
    lines.push(format!("  {FILE_KEY}: {}", quoted(place)));
    if let Some(header) = header {
        lines.push(format!("  {HEADER_KEY}: {}", quoted(header)));
    }
    Converted { name, text: format!("---\n{}\n---\n{body}", lines.join("\n")) }
}

/// The rule that a skill becomes: its place below the folder of rules, and its text. A skill that was a rule, and says
/// the same as then, becomes just that rule.
pub fn from_skill(skill: &Skill, name: &str, text: &str) -> (String, String) {
    let (_, body) = split(text);
    let metadata = skill.frontmatter.get("metadata");
    let kept = |key: &str| metadata.and_then(|metadata| metadata.get(key)).and_then(Value::as_str);
    let place = kept(FILE_KEY).filter(|place| is_place(place));
    let now = said(skill);
    if let Some(place) = place {
        let header = kept(HEADER_KEY).unwrap_or_default();
        let was = format!("{header}{body}");
        let options = prowess_skill::ParseOptions::default();
        let again = to_skill(place, &was).text;
        let before =
            prowess_skill::parse(&prowess_skill::SkillInput::folder(again.as_bytes(), name), &options);
        if said(&before) == now {
            return (place.to_owned(), was);
        }
    }
    let (description, globs, is_manual) = now;
    let rule = if is_manual {
        AgentRule::default()
    } else {
        AgentRule { description: Some(description), globs, always_apply: false }
    };
    let own = format!("{name}{EXTENSION}");
    (place.map_or(own, str::to_owned), format!("{}{body}", rule.header()))
}

/// What a skill says that a rule can say, too.
fn said(skill: &Skill) -> (String, Vec<String>, bool) {
    (skill.description.clone(), skill.extensions.paths.clone(), skill.invocation.disable_model_invocation)
}

/// The header with its fences, if there is one, and the rest.
fn split(text: &str) -> (Option<&str>, &str) {
    let start = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut end = text.len() - start.len();
    let mut fences = 0;
    for line in start.split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        if fences == 0 && !is_fence {
            break;
        }
        end += line.len();
        fences += usize::from(is_fence);
        if fences == 2 {
            return (Some(&text[..end]), &text[end..]);
        }
    }
    (None, text)
}

/// What stands between the fences.
fn inner(header: &str) -> &str {
    let start = header.find('\n').map_or(header.len(), |end| end + 1);
    let end = header.trim_end().rfind('\n').map_or(start, |end| end + 1);
    header.get(start..end.max(start)).unwrap_or_default()
}

/// What a rule is for, in its own words if it has any.
fn description(rule: &AgentRule, name: &str, body: &str) -> String {
    if let Some(description) = &rule.description {
        return description.clone();
    }
    let heading = body.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
    let title = heading.filter(|heading| !heading.is_empty()).unwrap_or(name);
    match rule.mode() {
        RuleMode::Always => format!("{title}. Always applies."),
        RuleMode::Auto => format!("{title}. Use for files that match {}.", rule.globs.join(", ")),
        RuleMode::Agent | RuleMode::Manual => format!("{title}. Use when it is named."),
    }
}

/// The name of a skill that was a rule.
fn name_of(place: &str) -> String {
    let stem = place.strip_suffix(EXTENSION).unwrap_or(place);
    let letters = stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    let name = letters.collect::<String>().to_lowercase();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let mut name = parts.join("-");
    name.truncate(64);
    match name.trim_end_matches('-') {
        "" => "rule".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns true if a text names a rule below the folder of rules.
fn is_place(place: &str) -> bool {
    let is_name =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    place.ends_with(EXTENSION) && place.split('/').all(is_name)
}

/// The patterns of one line: separated by commas, in brackets or not. A comma in braces belongs to its pattern.
fn patterns(value: &str) -> Vec<String> {
    let value = value.trim();
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let whole = unquoted(list.unwrap_or(value));
    let text = list.map_or(whole.as_str(), |list| list);
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (place, letter) in text.char_indices().chain([(text.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || place == text.len() => {
                found.push(unquoted(&text[start..place]));
                start = place + 1;
            }
            _ => {}
        }
    }
    found.retain(|pattern| !pattern.is_empty());
    found
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    if text.len() > 1 && text.starts_with('"') && text.ends_with('"') {
        return serde_json::from_str(text).unwrap_or_else(|_| text[1..text.len() - 1].to_owned());
    }
    let single = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    single.map_or_else(|| text.to_owned(), |text| text.replace("''", "'"))
}

/// A text as YAML that every reader takes for the same text.
fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => safe.push(letter),
        }
    }
    safe
}

/// A text as Cursor writes it, where it can be read back like that.
fn scalar(text: &str) -> String {
    let is_plain = text.trim() == text
        && text.chars().next().is_some_and(char::is_alphanumeric)
        && !text.contains(['\n', '\r', '#', '"'])
        && !text.contains(": ")
        && !text.ends_with(':');
    if is_plain { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
