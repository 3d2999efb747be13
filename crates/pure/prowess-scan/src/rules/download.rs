//! Code that is fetched and run.

use super::words::{BACKGROUND, CONCEAL, DYNAMIC_CODE, FETCH, NO_CONFIRM, RAW_ADDRESS, SPAWN};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::shells::END;
    /// A download goes straight into an interpreter.
    PIPE_TO_SHELL ["| nohup", "|nohup", "| setsid", "| exec", "| command ", "| nice", "| time", "then(eval", "then(function", "| sh", "|sh", "| bash", "|bash", "| zsh", "|zsh", "| dash", "| ksh", "| fish", "| ash", "| sudo", "|sudo", "| /bin", "| /usr", "|/bin", "| env", "| tee", "| python", "|python", "| node", "|node", "| perl", "| ruby", "| php", "| pwsh", "| powershell", "| bun", "| deno", "<(curl", "<( curl", "<(wget", "<( wget", "$(curl", "$( curl", "$(wget", "`curl", "`wget", " iex", "|iex", "iex ", "iex(", "(iex", "invoke-expression", "|\\\n"]
        r"\b(curl|wget|lynx|aria2c)\b([^\n|]|\\\n|\\\|)*\\?\|\s*(tee\s+\S+\s*\|\s*)?(sudo\s+(-\w+\s+)*)?((nohup|setsid|exec|command|nice|time)\s+)?(env\s+\S+\s+)?(/usr)?(/bin/)?((ba|z|da|k|fi|a)?sh\b|(python3?|node|perl|ruby|php|pwsh|powershell|bun|deno)\b\s*(-(\s|$)|[\x22'`)&;|]|$))|\b(ba|z|da|k)?sh\b[^\n]{0,20}<\(\s*(curl|wget)|(\bsource|^\s*\.|[;&]\s*\.)\s+<\(\s*(curl|wget)|\b(eval|(ba|z|da)?sh\s+-\w*c|python3?\s+-c|node\s+-e|perl\s+-e|ruby\s+-e|php\s+-r|exec)\s*[\x22'`]*\$?\(?`?\(?\s*(curl|wget)\b|\b(iex|invoke-expression)\b[\s(&{\x22']*(\(?\s*)?(iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|\(?new-object (system\.)?net\.webclient)|\b(iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n|]*(\||;[^\n]{0,80})\s*(iex|invoke-expression)\b|\bfetch\s*\(\s*[\x22'`]https?:[^\n]*\.then\(\s*(eval|function)\b|\b(ba)?sh\s+-c\s+[\x22'][^\n]{0,20}\$\(\s*(curl|wget)|(cmd|source)\s*[\x22']?<\(\s*wget";
    /// A download becomes code inside a program.
    FETCHED_CODE ["exec(", "exec (", "eval(", "eval (", "function(", "import(", "importscripts", "loadstring", "compile(", "require(", "load("]
        r"(^|[^.\w])(exec|eval|compile)\s*\(\s*[^\n;]{0,60}(urlopen|requests\.get|urllib|httpx\.get|fetch\s*\(|axios|http\.get|open-uri|curl|wget)|\beval\s*\(\s*await\b|\bfunction\s*\(\s*(await|\w+)\s*\)\s*\(|import\s*\(\s*[\x22'`]https?://|importscripts\s*\(\s*[\x22']https?://|require\s*\(\s*[\x22']https?['\x22]\s*\)[^\n]*\b(eval|function)\s*\(|\bload\s*\(\s*(http|net)|(os\.system|subprocess\.\w+|execsync|exec|system|popen)\s*\(\s*\[?[\x22'`][^\x22'`\n]*\b(curl|wget)\b[^\n]*\|\s*(ba|z)?sh";
    /// A file is fetched to disk.
    TO_DISK []
        r"\bcurl\b[^\n]*(\s-\w*[oO]\b|\s-\w*[oO]\s|--output|--remote-name|\s>\s)|\bwget\b\s[^\n|]*https?://|\bwget\b[^\n]*\s-O\s*[^-\s]|-outfile\b|urlretrieve|downloadfile|certutil[^\n]*-urlcache|bitsadmin|start-bitstransfer|\baria2c\b|createwritestream";
    /// Something local is made a program.
    MADE_EXECUTABLE ["chmod", "0o755", "0755", "os.chmod", "fs.chmod"]
        r"\bchmod\s+(-\w+\s+)*([ugoa]*\+[rw]*x|[0-7]?7[0-7][0-7])\b|\b(os|fs)\.chmod\w*\s*\(";
    /// Something local is run.
    RUN_LOCAL []
        r"(^|[;&|`\x22']\s*|\b(nohup|sudo|exec|then|setsid|run|and) )[`\x22']?(~|\$\{?\w+\}?|\.{1,2})?(/[\w.$-]+)+[^\n]*|(^|[;&|]\s*|\bsudo )\b(ba|z|da)?sh\s+[\w./$~{}-]+|\bstart-process\b|(^|[;&|]\s*)(python3?|node|perl|ruby)\s+[\w./$~-]+\.(py|js|mjs|pl|rb)\b|(os\.system|subprocess\.\w+|execsync|exec|spawn|popen)\s*\(|\brundll32\b|\bmshta\b|\bregsvr32\b|installer -pkg|\bmsiexec\b|(^|[;&|]\s*)open\s+[\w./~$-]+\.(app|dmg|pkg|command)|&\s*[\x22']?\$env:|\$(env:)?temp\b";
    /// Packages from where packages do not come from.
    FOREIGN_PACKAGE ["index-url", "--registry", "trusted-host", "--find-links", "git+http", "install http", "npx http", "npx -y http", "install git+", "--source http", "--source ", "deno run", "npm i http", "npm install http", "pip install http", "go run http", "cargo install --git", "dlx http", "bunx http", "install -g http", "add http", "-i http", "uvx --from", "git+ssh", "rpm -i http", "dpkg -i", "install-extension"]
        r"\b(pip3?|uv|pipx|uvx|python3? -m pip|poetry|conda)\b[^\n]*(--(extra-)?index-url[ =]|\s-i\s+|--trusted-host|--find-links[ =])\s*[\x22']?(https?://)?[^\s\x22'`)]+|\b(pip3?|pipx|uv|uvx|npm|pnpm|yarn|bun|npx|bunx)\b[^\n]*\s[\x22']?(git\+)?(https?|git|ssh)://[^\s\x22'`)]+|\bnp(m|x)\b[^\n]*--registry[ =]\s*\S+|\b(brew|port|choco|scoop|apt|apt-get|dpkg|rpm|yum|dnf|apk|gem|cargo|composer|luarocks|code)\b (\w+ )?(install|add|-i|-U|--install-extension)\b[^\n]*\shttps?://[^\s\x22'`)]+|^\s*--(extra-)?index-url[ =]\s*[^\s]+|^\s*--(find-links|trusted-host)[ =]\S+|^(-e )?git\+(https?|ssh)://\S+|^\s*(extra-)?index-url\s*=\s*\S+|\bgem install\b[^\n]*--source|\bdeno run\b[^\n]*\s(-A|--allow-all|--allow-run)[^\n]*https?://|\bcargo install\b[^\n]*--git|(--registry|registry)\s*=\s*[\x22']?http";
    /// Build steps that run by themselves.
    INSTALL_HOOK ["preinstall", "postinstall", "\"prepare\"", "\"install\"", "cmdclass", "folderopen", "preinstall\"", "post_install", "extconf.rb", "node-gyp", "postcreatecommand", "sessionstart", "pretooluse", "posttooluse"]
        r"[\x22'](pre|post)?(install|prepare|uninstall)[\x22']\s*:\s*[\x22'][^\n]*(curl|wget|node -e|https?:|base64|\|\s*(ba)?sh|powershell|python3? -c|eval|\.sh\b|bash |atob)|cmdclass\s*=|[\x22']runon[\x22']\s*:\s*[\x22']folderopen|[\x22']post(create|start|attach)command[\x22']\s*:[^\n]*(curl|wget|sh\b)|[\x22'](sessionstart|pretooluse|posttooluse|userpromptsubmit|stop)[\x22']\s*:";
    /// An archive is fetched, unpacked and started.
    UNPACKED_AND_RUN ["| tar", "|tar", "| bsdtar", "| unzip", "| cpio", "| gunzip", "|gunzip"]
        r"\b(curl|wget)\b[^\n|]*\|\s*(tar|bsdtar|unzip|cpio|gunzip|funzip)\b[^\n]*(&&|;|\n)\s*[^\n]*(\./|\b(ba)?sh\s|\b(sudo|nohup|setsid)\s|/(install|setup|run)\b|&&\s*/tmp/\w)";
    /// Prose that fetches a program and runs it.
    TOLD_TO_FETCH_AND_RUN ["double-click", "lance", "ejecut", "ausführ", "запуст", "откр", "运行", "執行", "打开", "実行", "실행", "starten", "uruchom", "and run", "then run", "and execute", "then execute", "and launch", "then launch", "and start", "then start", "and open it", "run it", "execute it", "launch it", "and install it", "und starte", "und ausführ", "et lance", "y ejecut"]
        r"\b(download|fetch|get|grab|retrieve|save|curl|wget|install|herunterlad\w*|lade|télécharge\w*|descarga\w*)\b[^\n]*https?://\S+\.(sh|py|js|mjs|ps1|bat|cmd|exe|pkg|dmg|msi|bin|run|command|rb|pl|app|deb|rpm|appimage|zip|tar\.gz|tgz|jar|rar|7z)\b[^\n]*\b(run|execute|launch|start|open|install|double-click|source|eval|starte|ausführen|lance\w*|ejecut\w*|abr\w+|starten|uruchom\w*)\b|(скача|загруз|下载|下載|ダウンロード|다운로드)[^\n]*https?://\S+\.(sh|py|js|ps1|bat|cmd|exe|pkg|dmg|msi|bin|run|command|app|deb|rpm|appimage|zip|tgz|jar|rar|7z)[^\n]*(запуст|откр|установ|运行|執行|打开|安装|実行|開い|실행)";
    /// A script is fetched, then run.
    FETCH_THEN_RUN ["&& sh ", "&& bash ", "; sh ", "; bash ", "&& sudo ", "; sudo ", "&& python", "; python", "&& node ", "; node ", "&& ./", "; ./", "&& source", "\nsh ", "\nbash ", "\nsudo bash", "\nsudo sh", "\npython", "&& zsh ", "&& perl ", "&& ruby "]
        r"\b(scp|rsync|sftp|tftp)\b[^\n|]*(&&|;)\s*(sudo\s+)?((ba|z|da)?sh|python3?|node|perl|ruby)\s+[\w./~$-]+|\b(curl|wget)\b[^\n|]*https?://\S*/[\w.-]+\.(sh|bash|py|js|mjs|pl|rb|ps1)\b[^\n|]*(&&|;|\n)\s*(sudo\s+)?(chmod[^\n;&]*(&&|;|\n)\s*)?((ba|z|da)?sh|python3?|node|perl|ruby|source|\.)?\s*(\./)?[\w./~$-]+\.(sh|bash|py|js|mjs|pl|rb)\b";
    /// A shortener hides where a download comes from.
    SHORT_LINK ["bit.ly", "tinyurl", "t.co/", "is.gd", "goo.gl", "cutt.ly", "rb.gy", "shorturl", "ow.ly", "t.ly/", "v.gd", "tiny.cc", "rebrand.ly"]
        r"https?://(www\.)?(bit\.ly|tinyurl\.com|t\.co|is\.gd|goo\.gl|cutt\.ly|rb\.gy|shorturl\.at|ow\.ly|t\.ly|v\.gd|tiny\.cc|rebrand\.ly)/\S+";
    /// An address of something that is made to be started.
    PROGRAM_ADDRESS [".exe", ".msi", ".dmg", ".pkg", ".scr", ".bat", ".ps1", ".appimage", ".hta", ".jar", ".vbs"]
        r"https?://[^\s\x22'`)]+\.(exe|msi|dmg|pkg|scr|bat|ps1|appimage|hta|jar|vbs)\b";
    /// A repository is cloned and its script run.
    CLONE_AND_RUN ["git clone"]
        r"git clone[^\n]*(&&|;|\n)[^\n]*(\n[^\n]*){0,2}(\./|\b(ba|z)?sh\s|sudo )\S*(install|setup|run|init|bootstrap)\S*";
    /// Programs that Windows ships and attackers borrow.
    BORROWED_LOADER ["mshta", "regsvr32", "rundll32", "certutil", "bitsadmin", "installutil", "msbuild", "wscript", "cscript"]
        r"\bmshta(\.exe)?\s+[\x22']?(https?:|javascript:|vbscript:)|regsvr32[^\n]*/i:https?:|rundll32[^\n]*(javascript:|https?:|,\s*#|\s[\x22']?\\\\[\w.@-]+\\)|certutil[^\n]*-(urlcache|decode)|bitsadmin[^\n]*/transfer|(w|c)script[^\n]*\.(vbs|js)\b";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "download/pipe-to-shell",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Critical,
        title: "a download is run without being looked at",
        why: "what the server sends at that moment is run; it can differ for every user and every day",
        fix: "declare an install spec, or download, verify a hash, and run what was verified",
        triggers: &[Trigger::critical(&[&[PIPE_TO_SHELL, FETCHED_CODE]])],
    },
    ScanRule {
        id: "download/run-binary",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Critical,
        title: "a program is fetched, made executable and started",
        why: "nothing says what the program is: no package manager, no hash",
        fix: "declare an install spec with a hash",
        triggers: &[
            Trigger::critical(&[&[MADE_EXECUTABLE], &[TO_DISK], &[RUN_LOCAL]]),
            Trigger::critical(&[&[MADE_EXECUTABLE], &[TO_DISK], &[RUN_LOCAL]])
                .within(Scope::File)
                .only(Kinds::SCRIPT),
            Trigger::critical(&[&[BACKGROUND, RAW_ADDRESS, SHORT_LINK], &[TO_DISK], &[RUN_LOCAL]])
                .only(Kinds::RUN),
            Trigger::critical(&[&[PROGRAM_ADDRESS], &[TO_DISK], &[RUN_LOCAL]]).only(Kinds::RUN),
            Trigger::critical(&[&[BORROWED_LOADER, UNPACKED_AND_RUN, FETCH_THEN_RUN]]),
            Trigger::critical(&[&[TOLD_TO_FETCH_AND_RUN]]).only(Kinds::READ),
            Trigger::warn(&[&[CLONE_AND_RUN], &[CONCEAL, NO_CONFIRM, BACKGROUND]]),
        ],
    },
    ScanRule {
        id: "download/dynamic-code",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Critical,
        title: "fetched text becomes code",
        why: "a program evaluates what it fetched, so its author can change it at any time",
        fix: "ship the code with the skill",
        triggers: &[Trigger::critical(&[&[DYNAMIC_CODE], &[FETCH]]).only(Kinds::RUN)],
    },
    ScanRule {
        id: "download/foreign-package",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Critical,
        title: "a package comes from outside its registry",
        why: "packages from an address or another index are not the ones their name suggests",
        fix: "install from the public registry, with a version",
        triggers: &[Trigger::critical(&[&[FOREIGN_PACKAGE]])],
    },
    ScanRule {
        id: "download/install-hook",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Critical,
        title: "installing runs code",
        why: "a lifecycle hook runs before the package can be reviewed",
        fix: "remove the hook, or make it an explicit step",
        triggers: &[
            Trigger::critical(&[&[INSTALL_HOOK], &[FETCH, SPAWN, PIPE_TO_SHELL, DYNAMIC_CODE]])
                .only(Kinds::of(&[crate::blocks::Kind::Data, crate::blocks::Kind::Script])),
            Trigger::critical(&[&[INSTALL_HOOK], &[PIPE_TO_SHELL, FETCHED_CODE]]),
            Trigger::warn(&[&[INSTALL_HOOK]]).only(Kinds::DATA),
        ],
    },
    ScanRule {
        id: "download/short-link",
        category: Category::DownloadAndRun,
        severity: ScanSeverity::Warn,
        title: "a download through a link shortener or a bare address",
        why: "the real host of the download is hidden",
        fix: "give the full address of a host with a name",
        triggers: &[Trigger::warn(&[&[SHORT_LINK, RAW_ADDRESS], &[TO_DISK, SPAWN]]).only(Kinds::RUN)],
    },
];
