//! The wordings of shells and languages for something that is missing, and where the name of it stands.
//!
//! A row is a literal, in lower case where it is ASCII, and the side of it on which the name stands. Localised shells
//! have rows of their own; other characters than ASCII are as the programs print them.

use Name::{Bare, Library, Perl, Plain, Program};
use Side::{After, Before};

/// The side of the literal on which the name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
    /// After it, and it opens the line.
    First,
}

/// The way a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A program, perhaps with its folder.
    Program,
    /// A program that stands where a file could as well: only a name without a folder and an ending.
    Bare,
    /// A module, package or crate, as it is written.
    Plain,
    /// A file of a library, perhaps with its folder.
    Library,
    /// `JSON/XS.pm` stands for `JSON::XS`.
    Perl,
}

/// A wording for something that is missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wording {
    pub(super) literal: &'static str,
    /// The line has this as well.
    pub(super) also: &'static str,
    pub(super) side: Side,
    pub(super) name: Name,
}

const fn row(side: Side, literal: &'static str, name: Name) -> Wording {
    Wording { literal, also: "", side, name }
}

const fn with(side: Side, literal: &'static str, also: &'static str, name: Name) -> Wording {
    Wording { literal, also, side, name }
}

/// A program that speaks of another one: it stands at the start of the line, perhaps with its folder.
const fn starting(literal: &'static str, also: &'static str, name: Name) -> Wording {
    Wording { literal, also, side: Side::First, name }
}

/// The first row that fits and has a name decides.
pub(super) static MISSING: &[Wording] = &[
    // bash, zsh, fish, tcsh, mksh, xonsh and those who speak like them.
    row(After, "command not found: ", Program),
    row(Before, ": command not found", Program),
    row(After, "fish: unknown command: ", Program),
    row(After, "fish: unknown command ", Program),
    row(Before, ": inaccessible or not found", Program),
    with(Before, "` not found", "command `", Program),
    with(After, "command ", "not found, but", Program),
    with(After, "the program ", "is currently not installed", Program),
    row(Before, " is not in your path", Program),
    row(After, "which: no ", Program),
    // Their translations.
    row(Before, ": kommando nicht gefunden", Program),
    row(Before, ": befehl nicht gefunden", Program),
    row(Before, " : commande introuvable", Program),
    row(Before, ": commande introuvable", Program),
    row(Before, ": orden no encontrada", Program),
    row(Before, ": no se encontró la orden", Program),
    row(Before, ": comando no encontrado", Program),
    row(Before, ": comando non trovato", Program),
    row(Before, ": comando não encontrado", Program),
    row(Before, ": opdracht niet gevonden", Program),
    row(Before, ": nie znaleziono polecenia", Program),
    row(Before, ": команда не найдена", Program),
    row(Before, ": команду не знайдено", Program),
    row(Before, ": příkaz nenalezen", Program),
    row(Before, ": kommandot finns inte", Program),
    row(Before, ": kommandoen ble ikke funnet", Program),
    row(Before, ": kommando ikke fundet", Program),
    row(Before, ": komut bulunamadı", Program),
    row(Before, ": parancs nem található", Program),
    row(Before, ": コマンドが見つかりません", Program),
    row(Before, ": 未找到命令", Program),
    row(Before, ": 找不到命令", Program),
    row(Before, "：未找到命令", Program),
    row(Before, ": 명령어를 찾을 수 없음", Program),
    row(Before, ": 명령을 찾을 수 없습니다", Program),
    // cmd and PowerShell.
    row(Before, " is not recognized as", Program),
    with(After, "objectnotfound: (", "commandnotfoundexception", Program),
    row(Before, " ist entweder falsch geschrieben", Program),
    row(Before, " wurde nicht als name eines cmdlet", Program),
    row(Before, " wurde nicht als ein name eines cmdlet", Program),
    row(Before, " n'est pas reconnu", Program),
    row(Before, " n’est pas reconnu", Program),
    row(Before, " no se reconoce como", Program),
    row(Before, " non è riconosciuto come", Program),
    row(Before, " non riconosciuto come", Program),
    row(Before, " não é reconhecido como", Program),
    row(Before, " не является внутренней или внешней", Program),
    row(Before, " не распознано как имя", Program),
    row(Before, " 不是内部或外部命令", Program),
    with(After, "无法将", "项识别为", Program),
    row(Before, " は、内部コマンドまたは外部コマンド", Program),
    row(Before, " は、コマンドレット", Program),
    row(Before, "은(는) 내부 또는 외부 명령", Program),
    // Programs that start programs.
    row(After, "can't execute ", Program),
    row(After, "failed to run command ", Program),
    with(After, "exec: ", "executable file not found", Program),
    with(After, "spawn ", "enoent", Program),
    with(After, "cannot run program ", "error=2", Program),
    with(After, "cannot run program ", "no such file", Program),
    starting("xargs: ", "no such file or directory", Program),
    starting("env: ", "no such file or directory", Program),
    starting("env: ", "datei oder verzeichnis nicht gefunden", Program),
    starting("env: ", "aucun fichier ou dossier de ce", Program),
    starting("env: ", "no existe el", Program),
    with(After, "filenotfounderror: [errno 2] ", "no such file or directory: ", Bare),
    with(After, "failed to execute ", "no such file or directory", Program),
    with(After, "failed to start ", "no such file or directory", Program),
    with(After, "could not start ", "no such file or directory", Program),
    row(Before, ": bad interpreter", Program),
    starting("git: ", "is not a git command", Program),
    starting("docker: ", "is not a docker command", Program),
    row(After, "no such command: ", Program),
    row(After, "no such subcommand: ", Program),
    with(Before, " is required but", "install", Program),
    row(Before, " is not installed", Program),
    row(After, "unable to locate package ", Program),
    row(After, "no available formula with the name ", Program),
    // Modules and libraries.
    row(After, "no module named ", Plain),
    with(After, " from ", "cannot import name", Plain),
    row(Before, ": cannot open shared object file", Library),
    row(After, "error while loading shared libraries: ", Library),
    row(After, "library not loaded: ", Library),
    row(After, "no matching distribution found for ", Plain),
    row(After, "cannot find module ", Plain),
    row(After, "cannot find package ", Plain),
    with(After, "can't resolve ", "module not found", Plain),
    row(After, "could not resolve the package ", Plain),
    row(After, "no required module provides package ", Plain),
    row(After, "cannot find module providing package ", Plain),
    with(After, "package ", "is not in std", Plain),
    with(After, "package ", "is not in goroot", Plain),
    row(After, "cannot load such file -- ", Plain),
    row(After, "could not find gem ", Plain),
    with(After, "can't locate ", "in @inc", Perl),
    row(After, "classnotfoundexception: ", Plain),
    row(After, "noclassdeffounderror: ", Plain),
    row(After, "could not find or load main class ", Plain),
    with(After, "error: package ", " does not exist", Plain),
    with(After, "uncaught error: class ", " not found", Plain),
    row(After, "failed opening required ", Plain),
    row(After, "there is no package called ", Plain),
    row(Before, " not found in current path", Plain),
    row(After, "can't find crate for ", Plain),
    row(After, "no matching package named ", Plain),
    row(After, "could not find module ", Plain),
    row(After, "no such module ", Plain),
    with(After, "module ", " not found:", Plain),
    with(After, "module not found ", "error:", Plain),
    row(After, "could not load file or assembly ", Plain),
    with(After, "fatal error: ", ".h: no such file", Library),
    with(After, "fatal error: ", ".hpp: no such file", Library),
    row(After, "ld: cannot find -l", Library),
    row(After, "library not found for -l", Library),
];

/// Services that name themselves in their errors, in lower case.
pub(super) static SERVICES: &[&str] = &[
    "openai",
    "anthropic",
    "github",
    "gitlab",
    "bitbucket",
    "slack",
    "notion",
    "todoist",
    "stripe",
    "azure",
    "hugging face",
    "huggingface",
    "linear",
    "discord",
    "telegram",
    "twilio",
    "sendgrid",
    "cloudflare",
    "digitalocean",
    "heroku",
    "vercel",
    "netlify",
    "jira",
    "atlassian",
    "trello",
    "spotify",
    "dropbox",
    "openrouter",
    "gemini",
    "mistral",
    "groq",
    "aws",
    "google",
    "pypi",
    "npm",
    "docker hub",
];

/// Programs that speak to any service, so that their name says nothing about which one.
pub(super) static GENERAL_PROGRAMS: &[&str] = &[
    "curl",
    "wget",
    "http",
    "https",
    "httpie",
    "xh",
    "python",
    "python3",
    "node",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "java",
    "go",
    "sh",
    "bash",
    "zsh",
    "fish",
    "dash",
    "pwsh",
    "powershell",
    "cmd",
    "npx",
    "uv",
    "uvx",
    "make",
    "git",
    "ssh",
    "scp",
    "rsync",
];
