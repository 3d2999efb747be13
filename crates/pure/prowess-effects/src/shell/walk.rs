//! The walk over the tree of a script: every command with its place, without recursion.

use tree_sitter::Node;

use super::fold::fold;
use super::redirect::{file_redirection, heredoc_text, herestring_text};
use super::session::{mark_placeholders, without_prompts};
use super::variables::ShellVariables;
use super::{
    CallContext, CallInput, CallProgram, CallRedirection, CallWord, CommandCall, Nesting, PipePlace,
    RedirectionKind, ShellScript, nested,
};
use crate::tree::{children, field, named, parse, text_of};

/// Pipes of one script.
const MAX_PIPES: usize = 1500;

/// A node that is still to be read, with its place.
struct ShellStep<'t> {
    node: Node<'t>,
    context: CallContext,
    input: CallInput,
}

/// The parts of a command that come from a redirection around it.
#[derive(Default)]
struct AroundCommand<'t> {
    redirections: Vec<CallRedirection>,
    words: Vec<CallWord>,
    input: Option<CallInput>,
    /// Nodes that are read on their own: a pipe behind a here-document, substitutions in its text.
    rest: Vec<(Node<'t>, CallInput, PipePlace)>,
}

pub(super) fn read(text: &str, outer: &CallContext, nesting: &mut Nesting, script: &mut ShellScript) {
    let text = mark_placeholders(&without_prompts(text));
    // The grammar's recovery behind an open pipe looks at all stages for each of them.
    if text.bytes().filter(|byte| *byte == b'|').count() > MAX_PIPES {
        script.is_partial = true;
        return;
    }
    let Some(tree) = parse(&tree_sitter_bash::LANGUAGE.into(), &text) else {
        script.is_partial = true;
        return;
    };
    let root = tree.root_node();
    script.is_partial |= root.has_error();
    let variables = ShellVariables::of(root, &text);
    script.variables.extend(variables.read_from_environment(root, &text));
    let mut walk = ShellWalk { text: &text, variables, nesting, script, steps: Vec::new() };
    walk.steps.push(ShellStep { node: root, context: outer.clone(), input: CallInput::Inherited });
    while let Some(step) = walk.steps.pop() {
        walk.step(step);
    }
}

struct ShellWalk<'t, 's> {
    text: &'t str,
    variables: ShellVariables,
    nesting: &'s mut Nesting,
    script: &'s mut ShellScript,
    steps: Vec<ShellStep<'t>>,
}

impl<'t> ShellWalk<'t, '_> {
    fn step(&mut self, step: ShellStep<'t>) {
        let ShellStep { node, mut context, input } = step;
        match node.kind() {
            "command" => return self.command(node, context, input, AroundCommand::default()),
            "redirected_statement" => return self.redirected(node, context, input),
            "pipeline" => return self.pipeline(node, &context, input),
            "list" => {
                for (place, child) in named(node).into_iter().enumerate().rev() {
                    let mut context = context.clone();
                    context.is_conditional |= place > 0;
                    self.steps.push(ShellStep { node: child, context, input: input.clone() });
                }
                return;
            }
            "for_statement" | "while_statement" | "c_style_for_statement" => context.is_looped = true,
            "if_statement" | "case_statement" => context.is_conditional = true,
            "function_definition" => {
                context.in_function = true;
                if let Some(name) = field(node, "name") {
                    self.script.functions.insert(text_of(name, self.text).to_owned());
                }
            }
            "command_substitution" | "process_substitution" => {
                context.in_substitution = true;
                context.pipe = PipePlace::Alone;
                // A process in place of a file may be written to.
                let input = if text_of(node, self.text).starts_with('>') {
                    CallInput::Piped
                } else {
                    CallInput::Inherited
                };
                return self.push_children(node, &context, &input);
            }
            "file_redirect" => {
                let redirections =
                    file_redirection(node, self.text, &self.variables).redirection.into_iter().collect();
                self.keep_redirections(redirections, &context, node);
            }
            _ => {}
        }
        self.push_children(node, &context, &input);
    }

    fn push_children(&mut self, node: Node<'t>, context: &CallContext, input: &CallInput) {
        for child in named(node).into_iter().rev() {
            self.steps.push(ShellStep { node: child, context: context.clone(), input: input.clone() });
        }
    }

    /// Reads the stages of a pipe, each with what the one before it says.
    fn pipeline(&mut self, node: Node<'t>, context: &CallContext, input: CallInput) {
        let is_continued = matches!(input, CallInput::Text(_) | CallInput::Piped);
        let mut next = input;
        let mut steps = Vec::new();
        for (place, stage) in named(node).into_iter().enumerate() {
            let mut context = context.clone();
            context.pipe = if place == 0 && !is_continued { PipePlace::First } else { PipePlace::Later };
            let said = self.output_of(stage).map_or(CallInput::Piped, CallInput::Text);
            steps.push(ShellStep { node: stage, context, input: std::mem::replace(&mut next, said) });
        }
        self.steps.extend(steps.into_iter().rev());
    }

    /// The output of a command that only says what the script says.
    fn output_of(&self, node: Node<'_>) -> Option<CallWord> {
        match node.kind() {
            "command" => {
                let name = fold(field(node, "name")?, self.text, &self.variables);
                let words: Vec<CallWord> = self.arguments(node);
                if !matches!(name.text.as_str(), "echo" | "printf") || words.is_empty() {
                    return None;
                }
                let is_option = |word: &&CallWord| {
                    matches!(word.text.as_str(), "-e" | "-n" | "-ne" | "-en" | "-E" | "--")
                };
                let said: Vec<&CallWord> = words.iter().skip_while(is_option).collect();
                let text = said.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                let is_constant = said.iter().all(|word| word.is_constant);
                Some(CallWord { text: super::fold::decode_ansi(&text) + "\n", is_constant })
            }
            "redirected_statement" => {
                let body = field(node, "body").filter(|body| body.kind() == "command")?;
                let name = text_of(field(body, "name")?, self.text);
                let heredoc = children(node)
                    .into_iter()
                    .map(|(_, child)| child)
                    .find(|child| child.kind() == "heredoc_redirect")?;
                (name == "cat" && self.arguments(body).is_empty())
                    .then(|| heredoc_text(heredoc, self.text))
                    .flatten()
            }
            _ => None,
        }
    }

    fn arguments(&self, node: Node<'_>) -> Vec<CallWord> {
        let all = children(node).into_iter().filter(|(field, _)| *field == Some("argument"));
        let mut words: Vec<CallWord> = Vec::new();
        let mut dollar_end = None;
        for (_, child) in all {
            // `$"…"` is a `$` and a string.
            if !child.is_named() && text_of(child, self.text) == "$" {
                dollar_end = Some(child.end_byte());
                continue;
            }
            if let Some(end) = dollar_end.take().filter(|end| *end != child.start_byte()) {
                let _ = end;
                words.push(CallWord::constant("$"));
            }
            words.push(fold(child, self.text, &self.variables));
        }
        words
    }

    fn redirected(&mut self, node: Node<'t>, context: CallContext, input: CallInput) {
        let mut around = AroundCommand::default();
        for (_, child) in children(node) {
            match child.kind() {
                "file_redirect" => self.add_file_redirection(child, &mut around),
                "heredoc_redirect" => self.add_heredoc(child, &mut around),
                "herestring_redirect" => self.add_herestring(child, &mut around),
                _ => {}
            }
        }
        match field(node, "body") {
            Some(body) if body.kind() == "command" => self.command(body, context, input, around),
            body => {
                let input = around.input.take().unwrap_or(input);
                self.keep_redirections(std::mem::take(&mut around.redirections), &context, node);
                self.push_rest(around.rest, &context);
                if let Some(body) = body {
                    self.steps.push(ShellStep { node: body, context, input });
                }
            }
        }
    }

    fn push_rest(&mut self, rest: Vec<(Node<'t>, CallInput, PipePlace)>, context: &CallContext) {
        for (node, input, pipe) in rest.into_iter().rev() {
            let mut context = context.clone();
            context.pipe = pipe;
            self.steps.push(ShellStep { node, context, input });
        }
    }

    /// Keeps redirections of more than one command.
    fn keep_redirections(
        &mut self,
        redirections: Vec<CallRedirection>,
        context: &CallContext,
        node: Node<'_>,
    ) {
        if !redirections.is_empty() {
            let mut context = context.clone();
            context.line = node.start_position().row + 1;
            let (program, words, input) = (CallProgram::Absent, Vec::new(), CallInput::Inherited);
            self.script.calls.push(CommandCall { program, words, redirections, input, context });
        }
    }

    fn add_file_redirection(&self, node: Node<'t>, around: &mut AroundCommand<'t>) {
        let read = file_redirection(node, self.text, &self.variables);
        if read.redirection.as_ref().is_some_and(|redirection| redirection.kind == RedirectionKind::Read) {
            around.input = Some(CallInput::Piped);
        }
        around.redirections.extend(read.redirection);
        around.words.extend(read.words);
        around
            .rest
            .extend(named(node).into_iter().map(|node| (node, CallInput::Inherited, PipePlace::Alone)));
    }

    fn add_herestring(&self, node: Node<'t>, around: &mut AroundCommand<'t>) {
        around.input =
            herestring_text(node, self.text, &self.variables).map(CallInput::Text).or(Some(CallInput::Piped));
        around
            .rest
            .extend(named(node).into_iter().map(|node| (node, CallInput::Inherited, PipePlace::Alone)));
    }

    fn add_heredoc(&self, node: Node<'t>, around: &mut AroundCommand<'t>) {
        let said = heredoc_text(node, self.text);
        around.input = Some(said.clone().map_or(CallInput::Piped, CallInput::Text));
        for (field, child) in children(node) {
            match child.kind() {
                "file_redirect" => self.add_file_redirection(child, around),
                // The command in front may change the text: only `cat` hands it on, which is not told apart here.
                "pipeline" => {
                    let input = said.clone().map_or(CallInput::Piped, CallInput::Text);
                    around.rest.push((child, input, PipePlace::Later));
                }
                _ if field == Some("argument") => {
                    around.words.push(fold(child, self.text, &self.variables));
                    around.rest.push((child, CallInput::Inherited, PipePlace::Alone));
                }
                _ if child.is_named() => around.rest.push((child, CallInput::Inherited, PipePlace::Alone)),
                _ => {}
            }
        }
        if around.redirections.iter().any(|redirection| redirection.kind == RedirectionKind::Read) {
            around.input = Some(CallInput::Piped);
        }
    }

    fn command(
        &mut self,
        node: Node<'t>,
        mut context: CallContext,
        input: CallInput,
        mut around: AroundCommand<'t>,
    ) {
        let (mut program, mut words) = (CallProgram::Absent, Vec::new());
        for (field, child) in children(node) {
            match (field, child.kind()) {
                (Some("name"), _) => (program, words) = self.program(child),
                (_, "file_redirect") => {
                    self.add_file_redirection(child, &mut around);
                    continue;
                }
                (_, "herestring_redirect") => {
                    self.add_herestring(child, &mut around);
                    continue;
                }
                _ => {}
            }
            if child.is_named() {
                around.rest.push((child, CallInput::Inherited, PipePlace::Alone));
            }
        }
        words.extend(self.arguments(node));
        words.append(&mut around.words);
        self.push_rest(std::mem::take(&mut around.rest), &context);
        context.line = node.start_position().row + 1;
        if matches!(program, CallProgram::Absent) && around.redirections.is_empty() {
            return;
        }
        let input = around.input.take().unwrap_or(input);
        let call = CommandCall { program, words, redirections: around.redirections, input, context };
        nested::keep(call, self.nesting, self.script);
    }

    /// The program of a command, and the words that its name expands to beyond the first.
    fn program(&self, node: Node<'_>) -> (CallProgram, Vec<CallWord>) {
        let word = fold(node, self.text, &self.variables);
        let written = text_of(node, self.text);
        let is_expanded = written.starts_with('$') && !written.starts_with("$'");
        if !word.is_constant || (word.text.contains(['*', '?', '[', '{', '<']) && word.text != "[") {
            return (CallProgram::Dynamic, Vec::new());
        }
        let mut parts = if is_expanded {
            word.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        } else {
            vec![word.text]
        };
        if parts.is_empty() || parts.first().is_some_and(String::is_empty) {
            return (CallProgram::Dynamic, Vec::new());
        }
        let name = parts.remove(0);
        (CallProgram::Named(name), parts.into_iter().map(CallWord::constant).collect())
    }
}
