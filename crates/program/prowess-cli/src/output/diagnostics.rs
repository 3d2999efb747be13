//! Diagnostics the way rustc prints them: what is wrong, where, what to do.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use prowess_text::printable;
use prowess_types::{Diagnostic, Severity};

/// Longer lines would be printed whole, so sources with such lines are named without being shown.
const LONGEST_LINE: usize = 400;

/// One block per diagnostic.
pub(crate) fn print_diagnostics(path: &str, source: &str, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::styled();
    diagnostics.iter().map(|diagnostic| render(&renderer, path, source, diagnostic) + "\n\n").collect()
}

fn render(renderer: &Renderer, path: &str, source: &str, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.rule.as_ref());
    let shown = diagnostic.span.filter(|span| is_showable(source, span.start));
    let group = match shown {
        Some(span) => {
            let end = span.end.min(end_of_line(source, span.start)).max(span.start);
            title.element(
                Snippet::source(source)
                    .path(path)
                    .fold(true)
                    .annotation(AnnotationKind::Primary.span(span.start..end)),
            )
        }
        None => title.element(annotate_snippets::Origin::path(path)),
    };
    let group = match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    };
    renderer.render(&[group])
}

fn is_showable(source: &str, offset: usize) -> bool {
    source.is_char_boundary(offset) && {
        let start = source[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        end_of_line(source, offset) - start <= LONGEST_LINE
    }
}

fn end_of_line(source: &str, offset: usize) -> usize {
    source[offset..].find('\n').map_or(source.len(), |newline| offset + newline)
}
