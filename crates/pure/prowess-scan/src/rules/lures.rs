//! Prose that talks a person, or an agent, into running something.

use super::download::{PIPE_TO_SHELL, SHORT_LINK, TO_DISK};
use super::encoded::DECODED_TO_SHELL;
use super::steps::{ARCHIVE, CARRIED, CLIPBOARD, GET, INSTALL_SPEC, LOOK_AWAY, NEEDED, OPENING_WORD, START};
use super::words::{RAW_ADDRESS, REMOTE_URL, TOLD_TO_RUN};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::download::END;
    /// An archive with its password beside it.
    ARCHIVE_PASSWORD ["password", "passwort", "passphrase", "passcode", "pass:", "pass `", "pwd:", "pwd=", "pw:", "pw=", "pw ", "pwd is", "pwd `", "unzip", "7z ", "7za", "7zr", "unrar", "mot de passe", "contraseña", "senha", "парол", "密码", "密碼", "口令", "パスワード", "비밀번호", "to open the", "to unlock", "to extract", "to unpack", "opens the archive", "unlocks the", "opens it", "opens with", "unlocks with", "unpacks with", "open it with"]
        r"\b(zip|rar|7z|archive|extract|unzip|unpack|decompress|dmg|entpack\w*|archiv|extraire|descomprim\w*|extraer|архив|распак\w*)\b[^\n]*\b(pass(word|code|phrase|wort)?|pwd|pw|mot de passe|contraseña|senha|пароль)\b\s*(is|ist|est|es|:|=|—|-|–)?\s*[:=]?\s*(\*\*)?[`'\x22“*(]+\w+|\b(pass(word|code|phrase|wort)?|pwd|mot de passe|contraseña|пароль)\b\s*(is|:|=)?\s*[`'\x22“*(]+\w+[`'\x22”*)]+[^\n]*\b(extract|unzip|unpack|archive|zip|rar|7z)\b|\b(extract|unzip|unpack)\w*\b[^\n]{0,40}\b(using|with)\b[^\n]{0,20}\bpass(word)?\b\s*[:=]?\s*[`'\x22*]*\w|\b(zip|rar|7z|archive|extract\w*|unzip|unpack\w*)\b[^\n]*\b(pass(word|code|phrase)?|pwd|pw)\s*[:=]\s*[`'\x22*]*\w+|\b(zip|rar|7z|archive)\b[^\n]*\b(with|using|by) (the |a )?pass(word|phrase)\s+[`'\x22*]*\w*\d\w*|\bunzip\b[^\n]*\s-P\s*\S+|\b7z[ar]?\b\s+[xe]\b[^\n]*\s-p\S+|\bunrar\b[^\n]*\s-p\S+|(\.zip|\.rar|\.7z|архив|распак|解压|压缩|解壓|解凍|展開|압축)[^\n]{0,80}(парол|密码|密碼|口令|パスワード|비밀번호)\w*\s*[:：—–-]?\s*[`'\x22“*(]*\w|(парол|密码|密碼|パスワード|비밀번호)\w*\s*[:：—–-]?\s*[`'\x22“*(]*\w+[^\n]{0,80}(архив|распак|解压|压缩|解壓|解凍|展開|압축)|\b(zip|rar|7z|archive|bundle)\b[^\n]*\b(key|code|secret|phrase|pin) (to|that|which|for) (open|unlock|extract|decrypt|unpack)\w*|\b(key|code|secret|phrase|pin) (to|that|which|for) (open|unlock|extract|decrypt|unpack)\w* (it|the|this) (archive|zip|bundle|package|file|folder)\b|\b(zip|rar|7z|archive|bundle)\b[^\n]*\b(opens?|unlocks?|unpacks?|extracts?|decrypts?)\b[^.\n]{0,20}\b(with|using|by)\b[^.\n]{0,20}\b(key|code|pin|secret|phrase|word)\b\s*[:=]?\s*[`'\x22*]";
    /// A page where anybody can leave a command.
    PASTE_SITE ["glot.io", "pastebin", "rentry", "hastebin", "paste.ee", "ghostbin", "dpaste", "controlc", "justpaste", "privatebin", "0bin", "snippet.host", "telegra.ph", "paste.", "gist.githubusercontent", "gist.github.com", "pastes.", "ideone", "codepad", "jsfiddle", "codesandbox", "notes.io", "write.as", "docs.google.com/document", "notion.site", "mypaste", "textbin", "pasted."]
        r"(\b(glot\.io|pastebin\.(com|pl|fr)|rentry\.(co|org)|hastebin\.\w+|paste\.(ee|rs|gg|mozilla|centos|debian|sh|in)[\w.]*|ghostbin\.\w+|dpaste\.\w+|controlc\.com|justpaste\.it|privatebin\.\w+|0bin\.net|snippet\.host|telegra\.ph|gist\.github(usercontent)?\.com|ideone\.com|codepad\.org|write\.as|textbin\.\w+|paste\.[a-z0-9-]+\.\w+|pastes?\.\w+|snippets?\.[a-z0-9.-]+|docs\.google\.com/document|[\w-]+\.notion\.site)/)[^\s)\x22'>`]*\w";
    /// Copy a command into a terminal.
    TERMINAL_PASTE []
        r"\b(copy|paste|run|execute|enter|open|launch|type)\b[^\n]*\b(terminal|powershell|command prompt|cmd|console|run dialog|win ?\+ ?r|eingabeaufforderung)\b|\b(terminal|powershell|command prompt|console)\b[^\n]*\b(copy|paste|run|execute|enter|coll\w+|copi\w+|pega\w*|cole|incolla\w*|einf\w+|kopier\w*|wklej\w*)\b|(终端|命令行|ターミナル|терминал)";
    /// Nothing works until it is there.
    REQUIRED_FIRST []
        r"\b(required\b|otherwise (nothing|it|the|this)|(do not|don['’]t|never) skip|(steps?|commands?|tools?|features?|skill|actions?) (\w+ )?fails? (otherwise|without)|(depends?|relies|rely|counts?) on [`'\x22*]?\w|beforehand|(refuses?|fails?) to (start|run|work|function)|if it is (absent|missing)|(prior to|ahead of) (using|use|the|running|your)|won['’]t (work|run|start)|nothing\b[^.\n]{0,40}\bworks?|until it (is|has)|(has|have|needs?) to (stay|be|remain|keep)|(you|users?|it|skill|agent|everything)( will| also| always| first|['’]ll)* needs? |(start|run|open|launch|execute|install) [\w.`*-]+ first|must (be|have|first|already|install|download|run)|requires? (the|that|an?|installation|installing|running)|is (required|needed|mandatory|essential|necessary)|are required|mandatory|prerequisites?|before (using|you|proceeding|first|continuing|starting|running|setting|any|use|the first|this|downloading|accessing)|(does|do|will|can|won['’]t|cannot|doesn['’]t|is|are)( not)? (not )?(work|function|run|start|operate|be available|properly)|without (it|this|that|the|\S+ (installed|running|present))|(install|download|run|get) (it|this|the \w+|\S+) first|be (present|installed|running|started)( and \w+)? (first|before)|installed first|first install|needed (for|before|to)|needs? (the|to be|an?) |benötigt|erforderlich|voraussetzung|(est )?(requis|nécessaire)|requiere|(es )?necesario|obligatori[oa])\b|pr(é|e|é-|e-)requis|requisito|sans (cet|cette|ce|lui|elle|le|la|l['’])|ne fonctionne|antes de|sin (este|esta|él|ella|el|la)\b|no funciona|pré-requisito|sem (ele|ela|o|a)\b|não funciona|\b(vorher|zuerst|ohne (das|den|die|dieses|diesen))\b|сначала|перед (использ|нач|запус|работ)|требуется|необходим|не работает|без (него|нее|неё|этого)|前提|必须|必須|需要先|请先|先安装|先に|事前に|必要です|먼저|필요합니다|gerekli|önce|vereist|wymagan";
    /// A helper that is not part of any package manager.
    HELPER []
        r"\b(\w*helper|agent|utility|driver|runtime|engine|component|companion|launcher|loader|provider|core|connector|bridge|daemon|authenticator|auth ?tool|installer|updater|codec|executable|binary|cli|client|plug-?in|extension|toolkit|service|module|package|tool|software|app|application|program|hilfsprogramm|utilitaire|utilidad)\b|\b(openclaw|clawdbot|moltbot|clawhub)[- ]?(agent|core|cli|provider|auth|runtime|helper|setup|driver|tool|update)\w*|помощник|утилит|программ|агент|драйвер|клиент|工具|助手|程序|客户端|驱动|ツール|ヘルパー|プログラム|ドライバ|도구|프로그램|outil|programme|logiciel|herramienta|programa|ferramenta|werkzeug|hulpprogramma|narzędzi";
    /// An archive or program behind a link.
    PROGRAM_LINK [".zip", ".exe", ".dmg", ".pkg", ".msi", ".rar", ".7z", ".bat", ".cmd", ".ps1", ".scr", ".iso", ".apk", ".appimage", ".jar", ".vbs", ".hta", ".lnk", ".command", ".run", "/releases/download"]
        r"https?://[^\s)\x22'>`]+\.(zip|exe|dmg|pkg|msi|rar|7z|bat|cmd|ps1|scr|iso|apk|appimage|jar|vbs|hta|lnk|command|run|tar\.gz|tgz)\b|https?://[^\s)\x22'>`]+/releases/download/";
    /// An installer behind a link: nothing else is done with it than to start it.
    INSTALLER_LINK [".exe", ".dmg", ".pkg", ".msi", ".scr", ".hta", ".command", ".appimage", ".bat", ".application"]
        r"https?://[^\s)\x22'>`]+\.(exe|dmg|pkg|msi|scr|hta|command|appimage|application|bat)\b";
    /// An archive behind a link.
    PACKED_LINK [".zip", ".rar", ".7z", ".iso"]
        r"https?://[^\s)\x22'>`]+\.(zip|rar|7z|iso)\b";
    /// A program by its name alone, as it lies in an archive.
    BARE_PROGRAM [".exe", ".scr", ".msi", ".bat"]
        r"(^|[\s`'\x22*(])[\w-]+\.(exe|scr|msi|bat)\b";
    /// A program file by name.
    PROGRAM_FILE [".command", ".exe", ".dmg", ".pkg", ".msi", ".scr", ".bat", ".appimage", "executable", "installer", "the binary", "the exe", "the dmg", "the pkg", "the msi"]
        r"\b[\w-]+\.(exe|dmg|pkg|msi|scr|bat|appimage|command)\b|\b(the|downloaded|that) (executable|installer|binary|exe|dmg|pkg|msi)\b";
    /// A page on free hosting.
    FREE_HOSTING ["t.me/", "telegram.me/", ".vercel.app", ".netlify.app", ".github.io", ".pages.dev", ".web.app", ".firebaseapp.com", ".onrender.com", ".herokuapp.com", ".repl.co", ".replit.app", ".glitch.me", ".surge.sh", ".workers.dev", ".weebly.com", ".wixsite.com", ".blogspot.", "sites.google.com", ".carrd.co", "mediafire", "mega.nz", "dropbox.com", "drive.google.com", "cdn.discordapp", "anonfile", "sourceforge.net", ".webflow.io", "tiiny.site", "000webhost", ".fly.dev", "railway.app", "wetransfer", ".ipfs.", "1drv.ms", "onedrive.live", "gofile.io", "pixeldrain", "file.io/", "transfer.sh", "catbox.moe", "workupload", "disk.yandex", "yadi.sk", "pan.baidu", "terabox"]
        r"\.(vercel\.app|netlify\.app|github\.io|pages\.dev|web\.app|firebaseapp\.com|onrender\.com|herokuapp\.com|repl\.co|replit\.app|glitch\.me|surge\.sh|workers\.dev|weebly\.com|wixsite\.com|blogspot\.\w+|carrd\.co|webflow\.io|fly\.dev)\b|sites\.google\.com|mediafire\.com|mega\.nz|(drive|docs)\.google\.com/(uc|file)|cdn\.discordapp|dropbox\.com/s|tiiny\.site|000webhost|up\.railway\.app|wetransfer\.com|we\.tl/|anonfiles?\.|1drv\.ms/|onedrive\.live\.com|gofile\.io/|pixeldrain\.com|\bfile\.io/|transfer\.sh/|catbox\.moe|workupload\.com|disk\.yandex|yadi\.sk|pan\.baidu|terabox|\b(t|telegram)\.me/\w";
    /// The guard is switched off first.
    GUARD_OFF ["xattr", "spctl", "quarantine", "gatekeeper", "defender", "antivirus", "anti-virus", "smartscreen", "mppreference", "unblock-file", "virenscanner", "csrutil", "security software", "virus scanner", "real-time protection", "firewall"]
        r"\bxattr\s+-\w*[dcr]\w*\b|spctl\s+--(master|global)-disable|com\.apple\.quarantine|set-mppreference[^\n]*-disable|add-mppreference[^\n]*exclusion|\bunblock-file\b|csrutil disable|\b(disable|turn off|switch off|pause|deactivate|bypass|stop|exclude|whitelist|allow)\b[^.\n]*\b(anti-?virus|defender|gatekeeper|smartscreen|security software|real-?time protection|virus scanner|firewall)\b|\b(anti-?virus|defender|gatekeeper|smartscreen|virenscanner|virus scanner)s?\b[^.\n]*\b(false positive|do(es)? not break|complain\w*[^.\n]*(allow|ignore|click)|(may|will|might) (flag|warn|complain)|ignore (it|the|that|this|any))";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "lure/password-archive",
        category: Category::Lure,
        severity: ScanSeverity::Critical,
        title: "an archive comes with its password",
        why: "a password whose only reader is its recipient hides the content from every scanner on the way",
        fix: "ship the files as they are",
        triggers: &[
            Trigger::critical(&[&[ARCHIVE_PASSWORD]]),
            Trigger::critical(&[&[PROGRAM_LINK, PROGRAM_FILE, FREE_HOSTING], &[OPENING_WORD], &[ARCHIVE]])
                .at_least(1, &[GET, START, NEEDED])
                .within(Scope::Section)
                .only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "lure/paste-site-command",
        category: Category::Lure,
        severity: ScanSeverity::Critical,
        title: "a command from a paste site is to be run",
        why: "the page can change at any time and has no known owner",
        fix: "put the command into the skill",
        triggers: &[
            Trigger::critical(&[&[PASTE_SITE], &[TERMINAL_PASTE, TOLD_TO_RUN, PIPE_TO_SHELL]]),
            Trigger::critical(&[&[PASTE_SITE], &[REQUIRED_FIRST]]).only(Kinds::READ),
            Trigger::critical(&[&[PASTE_SITE], &[TERMINAL_PASTE]]).within(Scope::Section),
            Trigger::critical(&[&[PASTE_SITE], &[CARRIED], &[START, NEEDED]]).only(Kinds::READ),
            Trigger::critical(&[&[CLIPBOARD], &[TERMINAL_PASTE], &[REMOTE_URL]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "lure/fake-prerequisite",
        category: Category::Lure,
        severity: ScanSeverity::Critical,
        title: "a program from somewhere must be installed first",
        why: "a required helper that no package manager knows is the usual way to deliver malware through a skill",
        fix: "declare the dependency as an install spec of a package manager, or with a hash",
        triggers: &[
            Trigger::critical(&[&[PROGRAM_LINK], &[REQUIRED_FIRST], &[HELPER], &[TOLD_TO_RUN, PROGRAM_FILE]])
                .only(Kinds::READ),
            Trigger::critical(&[&[PROGRAM_FILE], &[REQUIRED_FIRST], &[REMOTE_URL], &[TOLD_TO_RUN]])
                .only(Kinds::READ),
            Trigger::critical(&[&[FREE_HOSTING], &[REQUIRED_FIRST], &[HELPER]]).only(Kinds::PROSE),
            Trigger::critical(&[&[RAW_ADDRESS, SHORT_LINK], &[REQUIRED_FIRST], &[HELPER]]).only(Kinds::READ),
            Trigger::critical(&[&[INSTALLER_LINK], &[NEEDED, GET, START]])
                .unless(&[INSTALL_SPEC])
                .only(Kinds::READ),
            Trigger::critical(&[&[PROGRAM_LINK], &[GET], &[START], &[NEEDED]])
                .unless(&[INSTALL_SPEC])
                .only(Kinds::READ),
            Trigger::critical(&[&[PACKED_LINK], &[BARE_PROGRAM]]).unless(&[INSTALL_SPEC]).only(Kinds::READ),
            Trigger::critical(&[&[PROGRAM_LINK, FREE_HOSTING], &[PROGRAM_FILE]])
                .at_least(2, &[GET, START, NEEDED])
                .within(Scope::Section)
                .only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "lure/terminal-paste",
        category: Category::Lure,
        severity: ScanSeverity::Critical,
        title: "the user is to paste a command that hides what it does",
        why: "a command that is decoded or fetched while it runs cannot be judged by who pastes it",
        fix: "write the command out",
        triggers: &[
            Trigger::critical(&[&[DECODED_TO_SHELL], &[TERMINAL_PASTE]]).within(Scope::Section),
            Trigger::critical(&[&[RAW_ADDRESS], &[TERMINAL_PASTE], &[PIPE_TO_SHELL, TO_DISK]])
                .within(Scope::Section),
        ],
    },
    ScanRule {
        id: "lure/guard-off",
        category: Category::Lure,
        severity: ScanSeverity::Critical,
        title: "the machine's protection is switched off",
        why: "what needs the guard away should not be run",
        fix: "sign the program, or let the user decide with the reason in front of them",
        triggers: &[
            Trigger::critical(&[&[GUARD_OFF], &[TO_DISK, PROGRAM_LINK, PIPE_TO_SHELL]])
                .within(Scope::Section),
            Trigger::critical(&[&[PROGRAM_LINK, PROGRAM_FILE, FREE_HOSTING], &[LOOK_AWAY], &[REMOTE_URL]])
                .at_least(2, &[GET, START, NEEDED])
                .within(Scope::Section)
                .only(Kinds::READ),
            Trigger::warn(&[&[GUARD_OFF]]).unless_asked(),
        ],
    },
];
