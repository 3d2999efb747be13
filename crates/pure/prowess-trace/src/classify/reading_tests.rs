use OutcomeResult::{ApiError, AuthError, DependencyMissing};

use super::*;

/// Texts as shells, languages and services print them, with their kind and key.
const TEXTS: &[(&str, OutcomeResult, Option<&str>)] = &[
    // Shells.
    ("bash: jq: command not found", DependencyMissing, Some("jq")),
    ("bash: line 1: jq: command not found", DependencyMissing, Some("jq")),
    ("./deploy.sh: line 12: kubectl: command not found", DependencyMissing, Some("kubectl")),
    ("zsh: command not found: gh", DependencyMissing, Some("gh")),
    ("zsh:1: command not found: ffmpeg", DependencyMissing, Some("ffmpeg")),
    ("fish: Unknown command: convert", DependencyMissing, Some("convert")),
    ("fish: Unknown command 'convert'", DependencyMissing, Some("convert")),
    ("sh: 1: pdftotext: not found", DependencyMissing, Some("pdftotext")),
    ("/bin/sh: 1: pdftotext: not found", DependencyMissing, Some("pdftotext")),
    ("/bin/sh: line 3: rg: not found", DependencyMissing, Some("rg")),
    ("ash: rg: not found", DependencyMissing, Some("rg")),
    ("-sh: rg: not found", DependencyMissing, Some("rg")),
    ("sh: exec: rg: not found", DependencyMissing, Some("rg")),
    ("ksh: fzf:  not found", DependencyMissing, Some("fzf")),
    ("tree: Command not found.", DependencyMissing, Some("tree")),
    ("/system/bin/sh: curl: inaccessible or not found", DependencyMissing, Some("curl")),
    ("xonsh: subprocess mode: command not found: 'bat'", DependencyMissing, Some("bat")),
    (
        "Command 'jq' not found, but can be installed with:\nsudo apt install jq",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "The program 'htop' is currently not installed. You can install it by typing:",
        DependencyMissing,
        Some("htop"),
    ),
    ("The program 'hello' is not in your PATH.", DependencyMissing, Some("hello")),
    ("sudo: nmap: command not found", DependencyMissing, Some("nmap")),
    ("env: ‘python2’: No such file or directory", DependencyMissing, Some("python2")),
    ("/usr/bin/env: 'node': No such file or directory", DependencyMissing, Some("node")),
    ("env: can't execute 'node': No such file or directory", DependencyMissing, Some("node")),
    (
        "timeout: failed to run command ‘todo-cli’: No such file or directory",
        DependencyMissing,
        Some("todo-cli"),
    ),
    ("xargs: exiftool: No such file or directory", DependencyMissing, Some("exiftool")),
    (
        "bash: ./run.py: /usr/bin/python2: bad interpreter: No such file or directory",
        DependencyMissing,
        Some("python2"),
    ),
    // Shells in other languages.
    ("bash: jq: Kommando nicht gefunden.", DependencyMissing, Some("jq")),
    ("-bash: jq: Befehl nicht gefunden", DependencyMissing, Some("jq")),
    ("bash: jq : commande introuvable", DependencyMissing, Some("jq")),
    ("bash: jq: orden no encontrada", DependencyMissing, Some("jq")),
    ("bash: jq: no se encontró la orden", DependencyMissing, Some("jq")),
    ("bash: jq: comando non trovato", DependencyMissing, Some("jq")),
    ("bash: jq: comando não encontrado", DependencyMissing, Some("jq")),
    ("bash: jq: opdracht niet gevonden", DependencyMissing, Some("jq")),
    ("bash: jq: nie znaleziono polecenia", DependencyMissing, Some("jq")),
    ("bash: jq: команда не найдена", DependencyMissing, Some("jq")),
    ("bash: jq: コマンドが見つかりません", DependencyMissing, Some("jq")),
    ("bash: jq: 未找到命令", DependencyMissing, Some("jq")),
    ("bash: jq: 명령어를 찾을 수 없음", DependencyMissing, Some("jq")),
    // cmd and PowerShell.
    (
        "'jq' is not recognized as an internal or external command,\r\noperable program or batch file.",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "jq : The term 'jq' is not recognized as the name of a cmdlet, function, script file, or operable program.",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "\u{1b}[31;1mjq: The term 'jq' is not recognized as a name of a cmdlet, function, script file, or executable.",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "At line:1 char:1\n+ jq .\n    + CategoryInfo          : ObjectNotFound: (jq:String) [], CommandNotFoundException\n    + \
         FullyQualifiedErrorId : CommandNotFoundException",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "Der Befehl \"jq\" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.",
        DependencyMissing,
        Some("jq"),
    ),
    (
        "jq : Die Benennung \"jq\" wurde nicht als Name eines Cmdlet, einer Funktion oder Datei erkannt.",
        DependencyMissing,
        Some("jq"),
    ),
    ("'jq' n’est pas reconnu en tant que commande interne", DependencyMissing, Some("jq")),
    ("\"jq\" no se reconoce como un comando interno o externo,", DependencyMissing, Some("jq")),
    ("\"jq\" не является внутренней или внешней командой", DependencyMissing, Some("jq")),
    ("'jq' 不是内部或外部命令，也不是可运行的程序", DependencyMissing, Some("jq")),
    ("jq : 无法将“jq”项识别为 cmdlet、函数、脚本文件或可运行程序的名称。", DependencyMissing, Some("jq")),
    ("'jq' は、内部コマンドまたは外部コマンド、", DependencyMissing, Some("jq")),
    // Languages: programs.
    ("Error: spawn ffmpeg ENOENT\n    at ChildProcess._handle.onexit", DependencyMissing, Some("ffmpeg")),
    ("exec: \"terraform\": executable file not found in $PATH", DependencyMissing, Some("terraform")),
    (
        "java.io.IOException: Cannot run program \"soffice\": error=2, No such file or directory",
        DependencyMissing,
        Some("soffice"),
    ),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'pandoc'", DependencyMissing, Some("pandoc")),
    ("git: 'lfs' is not a git command. See 'git --help'.", DependencyMissing, Some("lfs")),
    ("error: no such command: `nextest`", DependencyMissing, Some("nextest")),
    ("jq is not installed. Please install it.", DependencyMissing, Some("jq")),
    // Languages: modules and libraries.
    ("ModuleNotFoundError: No module named 'requests'", DependencyMissing, Some("requests")),
    ("ModuleNotFoundError: No module named 'google.cloud'", DependencyMissing, Some("google.cloud")),
    ("/usr/bin/python3: No module named pip", DependencyMissing, Some("pip")),
    ("ImportError: No module named yaml", DependencyMissing, Some("yaml")),
    (
        "ImportError: cannot import name 'soft_unicode' from 'markupsafe' (/usr/lib/markupsafe/__init__.py)",
        DependencyMissing,
        Some("markupsafe"),
    ),
    (
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
        DependencyMissing,
        Some("libGL.so.1"),
    ),
    (
        "./tool: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or \
         directory",
        DependencyMissing,
        Some("libssl.so.1.1"),
    ),
    (
        "dyld[1]: Library not loaded: /opt/homebrew/opt/icu4c/lib/libicui18n.73.dylib",
        DependencyMissing,
        Some("libicui18n.73.dylib"),
    ),
    (
        "Error: Cannot find module 'express'\nRequire stack:\n- /srv/index.js\n  code: 'MODULE_NOT_FOUND',",
        DependencyMissing,
        Some("express"),
    ),
    (
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@octokit/rest' imported from /srv/index.mjs",
        DependencyMissing,
        Some("@octokit/rest"),
    ),
    ("Error: Cannot find module './lib/own'", DependencyMissing, None),
    ("Module not found: Error: Can't resolve 'lodash' in '/srv'", DependencyMissing, Some("lodash")),
    (
        "error TS2307: Cannot find module 'zod' or its corresponding type declarations.",
        DependencyMissing,
        Some("zod"),
    ),
    ("`require': cannot load such file -- nokogiri (LoadError)", DependencyMissing, Some("nokogiri")),
    ("Could not find gem 'rails (~> 7)' in locally installed gems.", DependencyMissing, None),
    (
        "Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) (@INC entries checked: /etc/perl)",
        DependencyMissing,
        Some("JSON::XS"),
    ),
    (
        "main.go:4:2: no required module provides package github.com/spf13/cobra; to add it:",
        DependencyMissing,
        Some("github.com/spf13/cobra"),
    ),
    (
        "main.go:5:2: package foo/bar is not in std (/usr/lib/go/src/foo/bar)",
        DependencyMissing,
        Some("foo/bar"),
    ),
    (
        "Exception in thread \"main\" java.lang.ClassNotFoundException: com.fasterxml.jackson.core.JsonFactory",
        DependencyMissing,
        Some("com.fasterxml.jackson.core.JsonFactory"),
    ),
    (
        "Error: Could not find or load main class org.example.Main",
        DependencyMissing,
        Some("org.example.Main"),
    ),
    ("Main.java:3: error: package org.json does not exist", DependencyMissing, Some("org.json")),
    ("Error in library(ggplot2) : there is no package called ‘ggplot2’", DependencyMissing, Some("ggplot2")),
    (
        "ERROR: ArgumentError: Package DataFrames not found in current path.",
        DependencyMissing,
        Some("DataFrames"),
    ),
    ("error[E0463]: can't find crate for `serde`", DependencyMissing, Some("serde")),
    ("lua: x.lua:1: module 'socket' not found:", DependencyMissing, Some("socket")),
    (
        "Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'Newtonsoft.Json, \
         Version=13.0.0.0, Culture=neutral'.",
        DependencyMissing,
        Some("Newtonsoft.Json"),
    ),
    ("x.c:1:10: fatal error: zlib.h: No such file or directory", DependencyMissing, Some("zlib.h")),
    ("/usr/bin/ld: cannot find -lssl: No such file or directory", DependencyMissing, Some("ssl")),
    ("ERROR: No matching distribution found for torch==9", DependencyMissing, None),
    ("E: Unable to locate package imagemagick7", DependencyMissing, Some("imagemagick7")),
    // Credentials.
    ("curl: (22) The requested URL returned error: 401", AuthError, None),
    (
        "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.todoist.com/rest/v2/tasks",
        AuthError,
        Some("api.todoist.com"),
    ),
    ("gh: Bad credentials (HTTP 401)", AuthError, None),
    ("error: TODOIST_API_KEY is not set", AuthError, Some("TODOIST_API_KEY")),
    ("bash: SLACK_BOT_TOKEN: unbound variable", AuthError, Some("SLACK_BOT_TOKEN")),
    ("KeyError: 'OPENAI_API_KEY'", AuthError, Some("OPENAI_API_KEY")),
    (
        "openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: sk-abc***.'}}",
        AuthError,
        Some("openai"),
    ),
    (
        "The OPENAI_API_KEY environment variable is missing or empty; either provide it, or instantiate the client",
        AuthError,
        Some("OPENAI_API_KEY"),
    ),
    ("Error: token expired, run `slack login`", AuthError, Some("slack")),
    ("{\"ok\":false,\"error\":\"invalid_auth\"}", AuthError, None),
    (
        "fatal: unable to access 'https://github.com/a/b/': The requested URL returned error: 403",
        AuthError,
        Some("github.com"),
    ),
    (
        "Unable to locate credentials. You can configure credentials by running \"aws configure\".",
        AuthError,
        Some("aws"),
    ),
    // Services that fail or refuse for a while.
    ("HTTP 429: Too Many Requests (https://api.notion.com/v1/search)", ApiError, Some("api.notion.com")),
    ("API rate limit exceeded for user ID 1. (HTTP 403)", ApiError, None),
    (
        "openai.RateLimitError: Error code: 429 - You exceeded your current quota, please check your plan",
        ApiError,
        Some("openai"),
    ),
    ("curl: (6) Could not resolve host: api.example.org", ApiError, Some("api.example.org")),
    ("Error: getaddrinfo ENOTFOUND api.example.org", ApiError, Some("api.example.org")),
    ("dial tcp: lookup api.example.org on 127.0.0.53:53: no such host", ApiError, Some("api.example.org")),
    (
        "ConnectionError: HTTPSConnectionPool(host='api.example.org', port=443): Max retries exceeded: connection refused",
        ApiError,
        Some("api.example.org"),
    ),
    ("botocore.errorfactory.ThrottlingException: Rate exceeded", ApiError, None),
];

#[test]
fn each_text_gives_its_kind_and_its_key() {
    let wrong: Vec<String> = TEXTS
        .iter()
        .filter_map(|(text, result, key)| {
            let read = read_failure(text);
            let got = read.as_ref().map(|read| (read.result, read.key.as_deref()));
            (got != Some((*result, *key))).then(|| format!("{text}\n  {got:?}, expected {:?}", (result, key)))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TEXTS.len() >= 60);
}

#[test]
fn what_only_resembles_one_is_none() {
    for text in [
        "cat: notes.txt: No such file or directory",
        "FileNotFoundError: [Errno 2] No such file or directory: 'data/input.csv'",
        "error: file `x` not found",
        "Error 404: page not found",
        "the list was not found",
        "all tokens were counted",
        "TypeError: undefined is not a function at get_token",
        "write error: Disk quota exceeded",
        "add: not found",
        "requirements already installed",
        "",
    ] {
        assert_eq!(read_failure(text), None, "{text}");
    }
}

#[test]
fn a_value_is_never_a_key() {
    let token = concat!("ghp_", "0123456789abcdefghij0123456789abcdef");
    for text in [
        format!("Error: invalid api key {token}"),
        format!("bash: {token}: command not found"),
        format!("No module named '{token}'"),
        format!("https://{token}@api.example.org: 401 unauthorized"),
    ] {
        let key = read_failure(&text).and_then(|read| read.key).unwrap_or_default();
        assert!(!key.contains("0123456789"), "{text}: {key}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(?s).{0,200}") {
        let _ = read_failure(&text);
    }

    #[test]
    fn any_name_around_a_wording_is_read(name in "\\PC{0,20}", row in 0..MISSING.len()) {
        let Wording { literal, also, .. } = MISSING[row];
        let _ = read_failure(&format!("{name}{literal}{name}{also}{name}"));
    }
}
