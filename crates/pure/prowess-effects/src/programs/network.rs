//! Programs that fetch and send.

use super::arguments::short_options;
use super::{ProgramArguments, judge_target};
use crate::shell::CallWord;
use crate::tags::{EffectTags, host_of, origin_of};

pub(super) const PROGRAMS: &[&str] = &[
    "aria2c",
    "curl",
    "curlie",
    "ftp",
    "gallery-dl",
    "http",
    "https",
    "lftp",
    "mail",
    "mailx",
    "mosh",
    "msmtp",
    "mutt",
    "nc",
    "ncat",
    "neomutt",
    "netcat",
    "ngrok",
    "rclone",
    "sendmail",
    "socat",
    "ssh",
    "ssh-copy-id",
    "swaks",
    "telnet",
    "wget",
    "wget2",
    "websocat",
    "wscat",
    "xh",
    "xhs",
    "youtube-dl",
    "yt-dlp",
    "himalaya",
];

/// Returns true for a method of HTTP that changes something.
pub(crate) fn is_sending_method(method: &str) -> bool {
    !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE" | "")
}

/// Adds the effects of a program on the network. False for other programs.
pub(super) fn judge(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) -> bool {
    match name {
        "curl" | "curlie" => judge_curl(name, arguments, tags),
        "wget" | "wget2" => judge_wget(name, arguments, tags),
        "http" | "https" | "xh" | "xhs" => judge_httpie(name, arguments, tags),
        "ssh" | "mosh" | "telnet" | "ftp" | "lftp" | "ssh-copy-id" => {
            let valued = ["-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-W", "-S"];
            let host = arguments
                .operands_without(&valued)
                .first()
                .and_then(|word| host_of(&word.text))
                .unwrap_or_default();
            tags.network(host);
            tags.shell(name);
        }
        "nc" | "ncat" | "netcat" | "socat" | "websocat" | "wscat" | "ngrok" => {
            let is_check = arguments.has_letter('z') && matches!(name, "nc" | "ncat" | "netcat");
            let host = arguments.operands().map(|word| word.text.as_str()).find(|word| word.contains('.'));
            tags.network(host.and_then(host_of).unwrap_or_default());
            if is_check {
                tags.read(name);
            } else {
                tags.write(&host.map_or("network".to_owned(), str::to_owned));
                tags.shell(name);
            }
        }
        "mail" | "mailx" | "msmtp" | "mutt" | "neomutt" | "sendmail" | "swaks" => {
            tags.write("mail");
            tags.shell(name);
        }
        "aria2c" | "gallery-dl" | "youtube-dl" | "yt-dlp" => {
            arguments.hosts().for_each(|host| tags.network(host));
            tags.write(".");
            tags.shell(name);
        }
        _ => return false,
    }
    true
}

/// A request over the network, as far as its words tell.
#[derive(Default)]
struct WebTransfer {
    addresses: Vec<CallWord>,
    method: Option<String>,
    has_body: bool,
    files: Vec<CallWord>,
    acts: bool,
}

impl WebTransfer {
    fn judge(self, name: &str, tags: &mut EffectTags) {
        let asks = self.method.as_deref().map_or(self.has_body, is_sending_method);
        // An address that is put together by a command carries its output to the other side.
        let carries = self.addresses.iter().any(|word| word.text.contains("$(") || word.text.contains('`'));
        let mut own = EffectTags::default();
        for address in &self.addresses {
            own.network(host_of(&address.text).unwrap_or_default());
            if asks || carries {
                own.write(&origin_of(&address.text));
            }
        }
        if (asks || carries) && self.addresses.is_empty() {
            own.write("network");
        }
        self.files.iter().for_each(|file| judge_target(file, &mut own));
        if own.blocks() || self.acts {
            own.shell(name);
        } else {
            own.read(name);
        }
        tags.merge(own);
    }
}

fn judge_curl(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let mut transfer = WebTransfer::default();
    let (mut is_get, mut folder, mut by_name) = (false, None, false);
    let mut skips = None;
    for (option, value) in short_options(arguments, "AbcCdDeEFHKmoPQrtTuUwxXyYz") {
        if option.is_empty() {
            let value = value.unwrap_or_default();
            if skips.take().is_some_and(|skipped: String| skipped == value.text) {
                continue;
            }
            transfer.addresses.push(value);
            continue;
        }
        let text = value.as_ref().map(|value| value.text.clone()).unwrap_or_default();
        match option.as_str() {
            "-X" | "--request" => transfer.method = Some(text.clone()),
            "-d" | "--data" | "--data-raw" | "--data-binary" | "--data-urlencode" | "--data-ascii"
            | "--json" | "-F" | "--form" | "--form-string" | "-T" | "--upload-file" | "--url-query" => {
                transfer.has_body |= option != "--url-query";
            }
            "-G" | "--get" | "-I" | "--head" => is_get = true,
            "-o" | "--output" | "-c" | "--cookie-jar" | "-D" | "--dump-header" | "--trace"
            | "--trace-ascii" | "--stderr" | "--hsts" | "--alt-svc" | "--etag-save" | "--libcurl" => {
                transfer.files.extend(value.clone());
            }
            "-O" | "--remote-name" | "--remote-name-all" | "-J" | "--remote-header-name" => by_name = true,
            "--output-dir" => folder.clone_from(&value),
            "-K" | "--config" | "-Q" | "--quote" => transfer.acts = true,
            "--url" => transfer.addresses.extend(value.clone()),
            _ => {}
        }
        if option.starts_with("--")
            && takes_value(&option)
            && !arguments.texts().any(|word| word.starts_with(&format!("{option}=")))
        {
            skips = Some(text);
        }
    }
    if is_get && transfer.method.is_none() {
        transfer.has_body = false;
    }
    if by_name {
        let name = transfer.addresses.first().map(|address| file_name(&address.text)).unwrap_or_default();
        let folder = folder.map_or_else(|| ".".to_owned(), |folder| folder.text);
        transfer.files.push(CallWord::constant(if name.is_empty() {
            folder
        } else {
            format!("{folder}/{name}")
        }));
    }
    transfer.judge(name, tags);
}

/// Long options of `curl` and `wget` without a value; the others take the next word.
fn takes_value(option: &str) -> bool {
    const FLAGS: &[&str] = &[
        "--get",
        "--head",
        "--silent",
        "--show-error",
        "--location",
        "--fail",
        "--insecure",
        "--compressed",
        "--include",
        "--verbose",
        "--remote-name",
        "--remote-name-all",
        "--remote-header-name",
        "--no-progress-meter",
        "--progress-bar",
        "--fail-with-body",
        "--globoff",
        "--http1.1",
        "--http2",
        "--http3",
        "--ipv4",
        "--ipv6",
        "--location-trusted",
        "--netrc",
        "--no-buffer",
        "--path-as-is",
        "--raw",
        "--retry-all-errors",
        "--ssl",
        "--tcp-nodelay",
        "--tlsv1.2",
        "--tlsv1.3",
        "--create-dirs",
        "--parallel",
        "--anyauth",
        "--basic",
        "--digest",
        "--append",
        "--quiet",
        "--no-check-certificate",
        "--spider",
        "--continue",
        "--recursive",
        "--no-parent",
        "--mirror",
        "--no-clobber",
        "--timestamping",
        "--content-disposition",
        "--show-progress",
        "--no-verbose",
        "--page-requisites",
        "--convert-links",
        "--no-directories",
        "--server-response",
        "--no-cookies",
        "--ssl-reqd",
        "--retry-connrefused",
        "--proto-default",
        "--next",
        "--help",
        "--version",
        "--disable",
        "--no-keepalive",
        "--junk-session-cookies",
        "--use-ascii",
        "--xattr",
        "--remove-on-error",
        "--styled-output",
        "--no-styled-output",
        "--ca-native",
    ];
    !FLAGS.contains(&option)
}

fn file_name(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
    rest.split_once('/').map_or("", |(_, path)| path.rsplit('/').next().unwrap_or_default()).to_owned()
}

fn judge_wget(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let mut transfer = WebTransfer::default();
    let (mut output, mut folder, mut is_check) = (None, None, false);
    let mut skips = None;
    for (option, value) in short_options(arguments, "OoPaiUtTwQeBlADIRX") {
        if option.is_empty() {
            let value = value.unwrap_or_default();
            if skips.take().is_none_or(|skipped: String| skipped != value.text) {
                transfer.addresses.push(value);
            }
            continue;
        }
        let text = value.as_ref().map(|value| value.text.clone()).unwrap_or_default();
        match option.as_str() {
            "-O" | "--output-document" => output.clone_from(&value),
            "-P" | "--directory-prefix" => folder.clone_from(&value),
            "-o" | "--output-file" | "-a" | "--append-output" | "--save-cookies" => {
                transfer.files.extend(value.clone());
            }
            "--method" => transfer.method = Some(text.clone()),
            "--post-data" | "--post-file" | "--body-data" | "--body-file" => transfer.has_body = true,
            "-i" | "--input-file" | "-e" | "--execute" | "--use-askpass" => transfer.acts = true,
            "--spider" => is_check = true,
            _ => {}
        }
        if option.starts_with("--")
            && takes_value(&option)
            && !arguments.texts().any(|word| word.starts_with(&format!("{option}=")))
        {
            skips = Some(text);
        }
    }
    match output {
        Some(file) => transfer.files.push(file),
        None if is_check => {}
        None => {
            let name = transfer.addresses.first().map(|address| file_name(&address.text)).unwrap_or_default();
            let folder = folder.map_or_else(|| ".".to_owned(), |folder| folder.text);
            transfer.files.push(CallWord::constant(if name.is_empty() {
                folder
            } else {
                format!("{folder}/{name}")
            }));
        }
    }
    transfer.judge(name, tags);
}

fn judge_httpie(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let mut transfer = WebTransfer::default();
    for word in arguments.operands_without(&["-o", "--output", "-a", "--auth", "--session", "-A"]) {
        let text = word.text.as_str();
        let is_method = text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if transfer.addresses.is_empty() && is_method {
            transfer.method = Some(text.to_owned());
        } else if transfer.addresses.is_empty() {
            transfer.addresses.push(word.clone());
        } else {
            let is_query = text.contains("==");
            transfer.has_body |= !is_query && (text.contains('=') || text.contains('@'));
        }
    }
    if arguments.has(&["--download", "-d"]) {
        transfer.files.push(CallWord::constant("."));
    }
    transfer.files.extend(arguments.value(&["-o", "--output"]));
    transfer.judge(name, tags);
}
