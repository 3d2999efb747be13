//! Errors with their causes.

use std::error::Error;

/// An error and its causes in one line, separated by colons. A cause that the text before it ends with is not repeated.
pub fn describe_error(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let next_text = next.to_string();
        if !text.ends_with(&next_text) {
            text.push_str(": ");
            text.push_str(&next_text);
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Self>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn causes_follow_their_error_once() {
        let inner = || Some(Box::new(Layer("not found", None)));
        assert_eq!(describe_error(&Layer("failed to read `a`", inner())), "failed to read `a`: not found");
        assert_eq!(describe_error(&Layer("a: not found", inner())), "a: not found");
        let middle = Some(Box::new(Layer("middle", inner())));
        assert_eq!(describe_error(&Layer("outer", middle)), "outer: middle: not found");
    }
}
