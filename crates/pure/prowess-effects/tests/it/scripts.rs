//! The commands of a script with their places.

use prowess_effects::{CallInput, CallProgram, PipePlace, RedirectionKind, read_shell};

#[test]
fn a_command_has_words_redirections_and_a_place() {
    let script = read_shell(
        "F=out.txt\nfor f in *; do\n  if test -f \"$f\"; then sudo tee -a \"$F\" 2> err < \"$f\"; fi\ndone\n",
    );
    let names: Vec<&str> = script
        .calls
        .iter()
        .filter_map(|call| match &call.program {
            CallProgram::Named(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["test", "sudo", "tee"]);
    let tee = script.calls.last().unwrap();
    let words: Vec<(&str, bool)> =
        tee.words.iter().map(|word| (word.text.as_str(), word.is_constant)).collect();
    assert_eq!(words, [("-a", true), ("out.txt", true)]);
    assert_eq!(tee.context.wrappers, ["sudo"]);
    assert_eq!((tee.context.line, tee.context.pipe), (3, PipePlace::Alone));
    assert!(tee.context.is_looped && tee.context.is_conditional && !tee.context.in_function);
    assert_eq!(tee.input, CallInput::Piped);
    let redirection = &tee.redirections[0];
    assert_eq!((redirection.kind, redirection.target.text.as_str()), (RedirectionKind::Write, "err"));
    assert!(!script.is_partial);
}

#[test]
fn what_is_dynamic_is_marked() {
    let script = read_shell("$CMD a \"$B\"; eval \"$x\"");
    assert_eq!(script.calls[0].program, CallProgram::Dynamic);
    assert!(!script.calls[0].words[1].is_constant);
    assert!(script.is_partial);
    assert_eq!(script.variables.iter().collect::<Vec<_>>(), ["CMD"]);
}
