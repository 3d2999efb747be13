//! Documents: code in fences and in sentences.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::shell::{CallProgram, stem};
use crate::tags::EffectTags;
use crate::{CodeLanguage, EffectReader, read_shell};

/// Bytes of a document that are read. The rest counts as unreadable.
const MAX_DOCUMENT: usize = 4 << 20;
/// Pieces of code in the sentences of one document that are parsed.
const MAX_INLINE: usize = 4000;
/// Bytes of code in a sentence.
const MAX_INLINE_LENGTH: usize = 1000;

/// Returns the effects of a document for the programs that a skill declares.
///
/// ```
/// use prowess_effects::document_effects;
/// let text = "Remove the folder with `rm -rf build`, then look:\n\n```sh\nls -l\n```\n";
/// let tags = document_effects(text, ["todoist"]);
/// assert_eq!(tags.iter().collect::<Vec<_>>(), ["delete:build", "read:ls", "shell:rm"]);
/// ```
pub fn document_effects<T: Into<String>>(text: &str, declared: impl IntoIterator<Item = T>) -> EffectTags {
    EffectReader::new(declared).document(text)
}

impl EffectReader {
    /// The effects of a document: fenced and indented code, commands in its sentences, and what it tells to do.
    pub fn document(&self, text: &str) -> EffectTags {
        read(text, self, true)
    }

    /// The effects of the code in a document that no agent follows, such as a list of changes.
    pub fn commands(&self, text: &str) -> EffectTags {
        read(text, self, false)
    }
}

/// Reads a document.
fn read(text: &str, reader: &EffectReader, is_followed: bool) -> EffectTags {
    let mut tags = EffectTags::default();
    if text.len() > MAX_DOCUMENT {
        tags.unreadable();
        return tags;
    }
    let body = without_front(text);
    let mut prose = String::new();
    let mut block: Option<(CodeLanguage, String)> = None;
    let mut inline = 0;
    for event in Parser::new_ext(body, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => CodeLanguage::of_fence(&info),
                    CodeBlockKind::Indented => CodeLanguage::Unlabelled,
                };
                block = Some((language, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, code)) = block.take() {
                    tags.merge(reader.code(&code, language));
                }
            }
            Event::Text(text) => match &mut block {
                Some((_, code)) => *code += &text,
                None => prose += &text,
            },
            Event::Code(code) => {
                inline += 1;
                match inline_effects(&code, reader) {
                    Some(_) if inline > MAX_INLINE => tags.unreadable(),
                    Some(found) => {
                        tags.merge(found);
                        // The command speaks for itself.
                        prose += "\u{fffc}";
                    }
                    None => prose += &code,
                }
            }
            Event::SoftBreak => prose.push(' '),
            Event::HardBreak | Event::Rule | Event::End(_) => prose.push('\n'),
            Event::Html(html) | Event::InlineHtml(html) => prose += &html,
            _ => {}
        }
    }
    if is_followed && !tags.blocks() && reader.tells_to_act(&prose, !tags.is_empty()) {
        tags.unreadable();
    }
    tags
}

/// The effects of code in a sentence, if it is a command.
fn inline_effects(code: &str, reader: &EffectReader) -> Option<EffectTags> {
    let code = code.trim();
    let code = code.strip_prefix("$ ").unwrap_or(code);
    if code.len() > MAX_INLINE_LENGTH || !code.contains([' ', '>']) {
        return None;
    }
    let script = read_shell(code);
    let is_command = |program: &CallProgram| matches!(program, CallProgram::Named(name) if reader.known().knows(name) || reader.known().knows(stem(name)));
    let first = script.calls.iter().find(|call| call.program != CallProgram::Absent)?;
    let wrapper_is_known =
        first.context.wrappers.first().is_some_and(|wrapper| reader.known().knows(wrapper));
    if !is_command(&first.program) && !wrapper_is_known {
        // `echo x > file`: a redirection of a word of the shell.
        let writes = script.calls.iter().any(|call| !call.redirections.is_empty() && !call.words.is_empty());
        let is_echo = matches!(&first.program, CallProgram::Named(name) if matches!(name.as_str(), "echo" | "printf" | "cat" | "cd" | "for" | "export"));
        if !(is_echo && (writes || script.calls.iter().any(|call| is_command(&call.program)))) {
            return None;
        }
    }
    // A program and words of a sentence: `find it`, without anything that only commands have, counts as well.
    Some(reader.script(&script))
}

/// A document without its frontmatter.
fn without_front(text: &str) -> &str {
    let bare = text.trim_start_matches('\u{feff}');
    let Some(rest) = bare.strip_prefix("---").filter(|rest| rest.starts_with(['\n', '\r'])) else {
        return bare;
    };
    match rest.match_indices("\n---").find(|(at, mark)| {
        rest.get(at + mark.len()..)
            .is_none_or(|after| after.is_empty() || after.starts_with(['\n', '\r', ' ']))
    }) {
        Some((at, mark)) => rest.get(at + mark.len()..).unwrap_or_default(),
        None => bare,
    }
}
