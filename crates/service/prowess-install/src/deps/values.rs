//! The grammar of what is put on a command line. Nothing that fits can be taken for an option, a path or an address.

use prowess_types::InstallKind;

/// Refuses a value that does not fit its kind, in OpenClaw's words.
pub(super) fn check(kind: InstallKind, value: &str) -> Result<(), String> {
    let (what, fits): (&str, fn(&str) -> bool) = match kind {
        InstallKind::Brew => ("brew formula", is_formula),
        InstallKind::Node => ("node package", is_node_package),
        InstallKind::Go => ("go module", is_go_module),
        InstallKind::Uv => ("uv package", is_python_package),
        InstallKind::Pipx => ("pipx package", is_python_package),
        InstallKind::Apt => ("apt package", is_debian_package),
        InstallKind::Cargo => ("cargo package", is_crate),
        InstallKind::Download => ("download", |_| false),
    };
    if value.is_empty() || value.starts_with('-') {
        return Err(format!("{what} value is empty or starts with a dash"));
    }
    if !fits(value) {
        return Err(format!("{what} value contains invalid characters: {value}"));
    }
    Ok(())
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

/// Not empty, and made of these characters only.
fn is_made_of(text: &str, letters: fn(char) -> bool, more: &str) -> bool {
    !text.is_empty() && text.chars().all(|next| letters(next) || more.contains(next))
}

fn is_lower(letter: char) -> bool {
    LOWER.contains(letter)
}

fn is_any(letter: char) -> bool {
    letter.is_ascii_alphanumeric()
}

/// Starts with a letter or a digit, and goes on with those and more.
fn is_word(text: &str, letters: fn(char) -> bool, more: &str) -> bool {
    text.starts_with(letters) && is_made_of(text, letters, more)
}

/// A formula in lower case, with at most an owner and a tap before it.
fn is_formula(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    parts.len() <= 3 && parts.iter().all(|part| is_word(part, is_lower, "+._@-")) && !text.contains("..")
}

fn is_node_package(text: &str) -> bool {
    let (scope, rest) = match text.strip_prefix('@') {
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, rest)) => (Some(scope), rest),
            None => return false,
        },
        None => (None, text),
    };
    let (name, version) = match rest.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (rest, None),
    };
    let is_name = |name: &str| is_word(name, is_lower, "._-");
    scope.is_none_or(is_name)
        && is_name(name)
        && version.is_none_or(|version| is_made_of(version, is_lower, "^~>=<.*|-"))
}

/// A path and the version, which must be there: without one, what is installed depends on the day.
fn is_go_module(text: &str) -> bool {
    text.split_once('@').is_some_and(|(path, version)| {
        is_word(path, is_any, "._/-") && !path.contains("..") && is_word(version, is_lower, "._-")
    })
}

/// A name with extras and one condition on its version.
fn is_python_package(text: &str) -> bool {
    let end = text.find(['[', '<', '>', '=', '!', '~']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = match rest.strip_prefix('[') {
        Some(extras) => match extras.split_once(']') {
            Some((extras, rest)) if is_made_of(extras, is_any, ",._-") => rest,
            _ => return false,
        },
        None => rest,
    };
    let operator = ["===", "==", ">=", "<=", "!=", "~=", ">", "<"]
        .iter()
        .find_map(|operator| rest.strip_prefix(operator));
    is_word(name, is_any, "._-")
        && (rest.is_empty() || operator.is_some_and(|version| is_made_of(version, is_any, ".*_-")))
}

/// A trailing hyphen would ask apt to remove the package.
fn is_debian_package(text: &str) -> bool {
    text.len() > 1 && is_word(text, is_lower, "+.-") && !text.ends_with('-')
}

fn is_crate(text: &str) -> bool {
    let (name, version) = match text.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    };
    is_word(name, is_any, "_-") && version.is_none_or(|version| is_word(version, is_any, ".+-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit() {
        use InstallKind::{Apt, Brew, Cargo, Go, Node, Pipx, Uv};
        let table = [
            (Brew, "gh"),
            (Brew, "python@3.12"),
            (Brew, "steipete/tap/peekaboo"),
            (Node, "@scope/pkg@1.2.3"),
            (Node, "left-pad@latest"),
            (Node, "left-pad@^1.2"),
            (Go, "github.com/Owner/tool/cmd/x@v1.2.3"),
            (Go, "example.org/tool@latest"),
            (Uv, "nano-pdf"),
            (Uv, "Pillow[avif,x]>=10.1.*"),
            (Pipx, "black==24.1.0"),
            (Apt, "libssl-dev"),
            (Apt, "g++"),
            (Cargo, "ripgrep@14.1.0"),
            (Cargo, "cargo-nextest"),
        ];
        for (kind, value) in table {
            assert_eq!(check(kind, value), Ok(()), "{kind:?} {value}");
        }
    }

    #[test]
    fn values_that_do_not() {
        use InstallKind::{Apt, Brew, Cargo, Download, Go, Node, Pipx, Uv};
        let table = [
            (Brew, "GH"),
            (Brew, "a/b/c/d"),
            (Brew, "../evil"),
            (Brew, "a//b"),
            (Brew, "https://x.example/f.rb"),
            (Brew, "gh; rm"),
            (Node, ".."),
            (Node, "@scope"),
            (Node, "git+https://x.example/y"),
            (Node, "owner/repo"),
            (Node, "a@npm:b"),
            (Node, "a@"),
            (Node, "a b"),
            (Go, "github.com/x/y"),
            (Go, "../x@v1"),
            (Go, "x@v1@v2"),
            (Go, "x@-v"),
            (Go, "https://x@v1"),
            (Uv, "a@https://x.example/y.whl"),
            (Uv, "./a"),
            (Uv, "a[b"),
            (Uv, "a>="),
            (Uv, "a>=1,<2"),
            (Uv, "a\nb"),
            (Pipx, "git+https://x"),
            (Apt, "vim-"),
            (Apt, "x"),
            (Apt, "vim=1"),
            (Apt, "vim/stable"),
            (Apt, "Vim"),
            (Cargo, "a@"),
            (Cargo, "a b"),
            (Cargo, "a@1@2"),
            (Download, "x"),
        ];
        for (kind, value) in table {
            let refusal = check(kind, value).unwrap_err();
            assert!(refusal.ends_with(&format!(" value contains invalid characters: {value}")), "{refusal}");
        }
        for value in ["", "-g", "--registry=https://x.example"] {
            let refusal = check(Node, value).unwrap_err();
            assert_eq!(refusal, "node package value is empty or starts with a dash");
        }
        let refusal = check(Go, "a b").unwrap_err();
        assert_eq!(refusal, "go module value contains invalid characters: a b");
    }
}
