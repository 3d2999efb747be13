//! The language of a piece of code, from a fence, a file name or a first line.

/// A language as far as its effects are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CodeLanguage {
    /// sh, bash, zsh and their kin.
    Shell,
    /// A session at a terminal: only lines with a prompt are commands.
    Console,
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// PowerShell.
    PowerShell,
    /// SQL.
    Sql,
    /// Requests as they are sent.
    Http,
    /// Data and markup, which do nothing.
    Data,
    /// Code without a name of a language.
    Unlabelled,
    /// Code in a language that is not read.
    Unread,
}

impl CodeLanguage {
    /// The language that a fence names.
    ///
    /// ```
    /// use prowess_effects::CodeLanguage;
    /// assert_eq!(CodeLanguage::of_fence("bash title=\"x\""), CodeLanguage::Shell);
    /// assert_eq!(CodeLanguage::of_fence(""), CodeLanguage::Unlabelled);
    /// assert_eq!(CodeLanguage::of_fence("rust"), CodeLanguage::Unread);
    /// ```
    pub fn of_fence(info: &str) -> Self {
        let is_part = |char: char| char.is_alphanumeric() || "+#-_".contains(char);
        let start = info.trim_start_matches(|char: char| !char.is_alphanumeric());
        let word = start.split(|char: char| !is_part(char)).next().unwrap_or_default();
        Self::of_word(&word.to_ascii_lowercase())
    }

    /// The language of a script, by its name and first line. None if the file is not a program.
    pub fn of_file(path: &str, text: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        if let Some(first) = text.strip_prefix("#!").and_then(|text| text.lines().next()) {
            return Some(Self::of_interpreter(first));
        }
        let Some((_, suffix)) = name.rsplit_once('.') else {
            let programs = [
                "makefile",
                "dockerfile",
                "containerfile",
                "justfile",
                "rakefile",
                "gemfile",
                "vagrantfile",
                "procfile",
            ];
            return programs.contains(&name.as_str()).then_some(Self::Unread);
        };
        match suffix {
            "command" | "bats" => Some(Self::Shell),
            "md" | "markdown" | "mdx" | "txt" | "rst" | "example" | "sample" | "template" => None,
            _ => match Self::of_word(suffix) {
                Self::Data | Self::Unlabelled => None,
                Self::Unread if !is_program_suffix(suffix) => None,
                language => Some(language),
            },
        }
    }

    fn of_interpreter(line: &str) -> Self {
        let mut words = line.split_ascii_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let is_option = |word: &&str| *word != "env" && !word.starts_with('-') && !word.contains('=');
        let name = words.find(is_option).unwrap_or_default();
        let name = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        match name {
            "uv" | "uvx" | "pipx" => Self::Python,
            "pwsh" | "powershell" => Self::PowerShell,
            _ => match Self::of_word(name) {
                Self::Data | Self::Unlabelled | Self::Console => Self::Unread,
                language => language,
            },
        }
    }

    fn of_word(word: &str) -> Self {
        match word {
            "" => Self::Unlabelled,
            "sh" | "bash" | "shell" | "zsh" | "dash" | "ksh" | "ash" | "shellscript" | "bashrc" | "zshrc" => {
                Self::Shell
            }
            "console" | "shell-session" | "shellsession" | "sh-session" | "bash-session" | "terminal"
            | "session" | "term" | "pycon" => Self::Console,
            "python" | "py" | "python3" | "py3" | "pyw" | "pyi" | "ipython" => Self::Python,
            "javascript" | "js" | "mjs" | "cjs" | "jsx" | "typescript" | "ts" | "mts" | "cts" | "tsx"
            | "node" | "nodejs" | "deno" | "bun" => Self::JavaScript,
            "powershell" | "ps1" | "psm1" | "pwsh" | "posh" => Self::PowerShell,
            "sql" | "sqlite" | "postgres" | "postgresql" | "mysql" | "psql" | "plsql" => Self::Sql,
            "http" | "https" | "rest" => Self::Http,
            "json" | "json5" | "jsonc" | "jsonl" | "ndjson" | "yaml" | "yml" | "toml" | "ini" | "cfg"
            | "conf" | "config" | "properties" | "env" | "dotenv" | "text" | "txt" | "plain"
            | "plaintext" | "none" | "markdown" | "md" | "mdx" | "html" | "xml" | "svg" | "css" | "scss"
            | "less" | "csv" | "tsv" | "diff" | "patch" | "mermaid" | "plantuml" | "dot" | "graphviz"
            | "log" | "logs" | "output" | "graphql" | "gql" | "proto" | "protobuf" | "latex" | "tex"
            | "bibtex" | "math" | "ascii" | "tree" | "regex" | "jinja" | "jinja2" | "handlebars"
            | "liquid" | "prompt" | "gitignore" | "ignore" | "editorconfig" | "cron" | "url" | "curlrc"
            | "srt" | "vtt" | "rst" | "asciidoc" | "adoc" | "org" | "typst" | "ebnf" | "bnf" | "abnf"
            | "jsonschema" | "openapi" | "har" | "pem" | "pgn" | "fen" | "email" | "eml" | "ics" | "vcf" => {
                Self::Data
            }
            _ => Self::Unread,
        }
    }
}

fn is_program_suffix(suffix: &str) -> bool {
    [
        "fish",
        "bat",
        "cmd",
        "vbs",
        "rb",
        "pl",
        "pm",
        "php",
        "lua",
        "go",
        "rs",
        "java",
        "kt",
        "kts",
        "swift",
        "c",
        "h",
        "cc",
        "cpp",
        "cs",
        "scala",
        "r",
        "jl",
        "ex",
        "exs",
        "erl",
        "clj",
        "applescript",
        "scpt",
        "osascript",
        "awk",
        "sed",
        "mk",
        "nix",
        "tf",
        "sol",
        "vue",
        "svelte",
        "ipynb",
        "el",
        "hs",
        "dart",
        "groovy",
        "gradle",
        "jar",
        "wasm",
        "exe",
    ]
    .contains(&suffix)
}
