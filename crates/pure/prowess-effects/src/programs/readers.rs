//! Programs that only report.

use super::{ProgramArguments, judge_target};
use crate::tags::EffectTags;

/// Programs without an option that changes anything but those that [`judge`] looks for.
pub(super) const READERS: &[&str] = &[
    "ag",
    "apropos",
    "arch",
    "awk",
    "base32",
    "base64",
    "basename",
    "bat",
    "batcat",
    "bc",
    "cal",
    "cat",
    "cksum",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "delta",
    "df",
    "diff",
    "dig",
    "dirname",
    "dmesg",
    "dua",
    "du",
    "egrep",
    "env",
    "exa",
    "expand",
    "expr",
    "eza",
    "fd",
    "fdfind",
    "ffprobe",
    "fgrep",
    "file",
    "find",
    "fmt",
    "fold",
    "free",
    "gawk",
    "getconf",
    "getent",
    "glow",
    "grep",
    "groups",
    "head",
    "hexdump",
    "host",
    "hostname",
    "id",
    "identify",
    "iostat",
    "jaq",
    "join",
    "jq",
    "last",
    "less",
    "locale",
    "locate",
    "look",
    "lsb_release",
    "lsblk",
    "lscpu",
    "lsof",
    "ls",
    "lsusb",
    "man",
    "mawk",
    "md5",
    "md5sum",
    "mdfind",
    "mdls",
    "mediainfo",
    "mlr",
    "more",
    "mpstat",
    "nl",
    "nproc",
    "nslookup",
    "numfmt",
    "od",
    "paste",
    "pbpaste",
    "pdfinfo",
    "pgrep",
    "ping",
    "pr",
    "printenv",
    "ps",
    "pstree",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "sed",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "shasum",
    "sort",
    "ss",
    "stat",
    "strings",
    "sum",
    "sw_vers",
    "system_profiler",
    "tac",
    "tail",
    "tldr",
    "top",
    "tr",
    "traceroute",
    "tree",
    "tsort",
    "tty",
    "uname",
    "unexpand",
    "uniq",
    "uptime",
    "vmstat",
    "vm_stat",
    "w",
    "wc",
    "what",
    "whatis",
    "whereis",
    "which",
    "who",
    "whoami",
    "whois",
    "xmllint",
    "xxd",
    "yq",
    "zcat",
    "zgrep",
    "zless",
];

/// Adds the effects of a reader. False for other programs.
pub(super) fn judge(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) -> bool {
    if !READERS.contains(&name) {
        return false;
    }
    let mut own = EffectTags::default();
    match name {
        "find" => judge_find(arguments, &mut own),
        "fd" | "fdfind" if arguments.has(&["-x", "-X", "--exec", "--exec-batch"]) => own.shell(name),
        "sed" => judge_sed(arguments, &mut own),
        "awk" | "gawk" | "mawk" => judge_awk(name, arguments, &mut own),
        "sort" | "shuf" | "tree" | "base64" => {
            if let Some(file) = arguments.value(&["-o", "--output"]) {
                judge_target(&file, &mut own);
            }
        }
        "jq" | "yq" | "jaq" | "mlr" if arguments.has(&["-i", "--inplace", "--in-place"]) => {
            arguments.operands().skip(1).for_each(|file| judge_target(file, &mut own));
            own.shell(name);
        }
        "yq" if arguments.texts().any(|word| word.starts_with("-i") || word == "-Pi") => own.write("unknown"),
        "uniq" | "xxd" => arguments.operands().skip(1).for_each(|file| judge_target(file, &mut own)),
        "date" if arguments.has(&["-s", "--set"]) => own.write("clock"),
        "hostname" if arguments.first().is_some() => own.write("hostname"),
        "rg" if arguments.has(&["--pre", "--hostname-bin"]) => own.shell(name),
        "man" if arguments.has(&["-P", "--pager", "-H", "--html"]) => own.shell(name),
        "ss" if arguments.has_letter('K') => own.shell(name),
        "dmesg" if arguments.has_letter('C') || arguments.has_letter('c') => own.delete("kernel-log"),
        "bat" | "batcat" | "delta" if arguments.has(&["--pager"]) => own.shell(name),
        "less" if arguments.has(&["-o", "-O", "--log-file"]) => own.write("unknown"),
        "diff" | "xmllint" => {
            if let Some(file) = arguments.value(&["--output"]) {
                judge_target(&file, &mut own);
            }
        }
        "printenv" => {
            let names = arguments.operands().filter(|word| crate::shell::is_environment_name(&word.text));
            names.for_each(|word| tags.variable(&word.text));
        }
        "dig" | "host" | "nslookup" | "ping" | "traceroute" | "whois" => {
            let host = arguments
                .operands()
                .map(|word| word.text.trim_start_matches('@'))
                .find(|word| word.contains('.'));
            tags.network(host.unwrap_or_default());
            // A name that is put together when it runs carries data to the other side.
            if arguments.operands().any(|word| word.text.contains("$(") || word.text.contains('`')) {
                own.write("network");
            }
        }
        _ => {}
    }
    if own.blocks() {
        own.shell(name);
        tags.merge(own);
    } else {
        tags.read(name);
    }
    true
}

fn judge_find(arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let words: Vec<&str> = arguments.texts().collect();
    if words.contains(&"-delete") {
        let paths = words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
        let mut is_here = true;
        for path in paths {
            own.delete(path);
            is_here = false;
        }
        if is_here {
            own.delete(".");
        }
    }
    for pair in words.windows(2) {
        if let [option, file] = pair
            && matches!(*option, "-fprint" | "-fprint0" | "-fls" | "-fprintf")
        {
            own.write(file);
        }
    }
    if words.iter().any(|word| matches!(*word, "-exec" | "-execdir" | "-ok" | "-okdir")) {
        own.shell("find");
    }
}

fn judge_sed(arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let is_option = |word: &str| word.starts_with("-e") || word.starts_with("--expression");
    let has_script = arguments.texts().any(is_option);
    let in_place = arguments.texts().any(|word| {
        word.starts_with("--in-place")
            || (word.starts_with('-')
                && !word.starts_with("--")
                && word
                    .bytes()
                    .skip(1)
                    .take_while(|byte| b"nErsuzli".contains(byte))
                    .any(|byte| byte == b'i'))
    });
    let operands = arguments.operands_without(&["-e", "--expression", "-f", "--file", "-l"]);
    if in_place {
        let files = if has_script { operands.as_slice() } else { operands.get(1..).unwrap_or_default() };
        if files.is_empty() {
            own.write("unknown");
        }
        files.iter().filter(|file| !file.text.is_empty()).for_each(|file| judge_target(file, own));
    }
    let scripts = arguments.texts().filter(|word| !word.starts_with('-'));
    if arguments.has(&["-f", "--file"]) || scripts.take(4).any(sed_acts) {
        own.shell("sed");
    }
}

/// Returns true if a script of `sed` may write a file or run a command.
fn sed_acts(script: &str) -> bool {
    let is_script = script.contains(['/', ';', '|', '#', ',', '{'])
        || script.starts_with(|char: char| char.is_ascii_digit());
    is_script
        && script.split([';', '\n', '{', '}']).map(str::trim).any(|command| {
            let tail = command.rsplit(['/', '|', '#', ',', '$']).next().unwrap_or_default().trim();
            let flags = tail.trim_start_matches(|char: char| char.is_ascii_digit());
            flags.starts_with("w ")
                || flags.starts_with("W ")
                || flags.starts_with("e ")
                || matches!(flags, "e" | "ge" | "eg" | "Ie" | "pe")
                || command.contains("/w ")
                || command.contains("/gw ")
        })
}

fn judge_awk(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let acts = |word: &str| {
        word.contains("system(")
            || word.contains("system (")
            || word.contains('|') && word.contains('"')
            || word.contains("> \"")
            || word.contains(">\"")
            || word.contains(">>")
            || word.contains("print >")
            || word.contains("@load")
    };
    if arguments.has(&["-f", "--file", "-i", "--include", "-l", "-E"]) || arguments.texts().any(acts) {
        own.shell(name);
    }
    let in_place = arguments.value(&["-i", "--include"]).is_some_and(|value| value.text == "inplace");
    if in_place {
        own.write("unknown");
    }
}
