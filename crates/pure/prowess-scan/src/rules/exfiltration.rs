//! Secrets that leave the machine.

use super::secrets::{
    AGENT_SECRETS, DOTENV, GIT_CREDENTIALS, GRAVE, KEPT, METADATA_SERVICE, PASSWORD_MANAGER, PLACES,
    WHOLE_ENVIRONMENT,
};
use super::words::{ALL_SECRETS, CONCEAL, NO_CONFIRM, REMOTE_URL, SECRET_WORDS, SEND, TOLD_TO_SEND};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::secrets::END;
    /// A file, or the output of a command, is the body of a request.
    AS_PAYLOAD []
        r"(\s-d|--data(-binary|-raw|-urlencode)?|\s-F|--form|\s-T|--upload-file)[ =]?[\x22']?[^\s\x22']*@|--post-file|\s-T\s|--upload-file|\|\s*(curl|nc|ncat|netcat|wget|openssl|socat)\b|\$\(\s*(cat|base64|gzip|tar|xxd|security|head|tail)\b[^)\n]*|\b(curl|wget|nc|ncat|netcat)\b[^\n]*\$\(\s*grep\b|`\s*cat\b|\b(nc|ncat)\b[^\n]*<\s*\S|-infile\b|(body|data|files|json)\s*[=:]\s*[^\n]*(get-content|readfile|read_text|open\s*\()|\bscp\b|\brsync\b";
    /// A file of secrets is sent, by order.
    FILE_SENT [".env", "openclaw.json", "clawdbot.json", "credentials", "auth-profiles", "config.json", "memory.md", "soul.md", "user.md"]
        r"\b(send|post|upload|forward|transmit|exfiltrate|e-?mail (the|all|any|every|your|its|their|this|these|it|contents?|[~./`])|leak|attach)[^\w\n][^.\n]*(contents? of )?[^\s]{0,30}(\.env|(openclaw|clawdbot|moltbot)\.json|auth-profiles\.json|credentials(\.json)?|memory\.md|soul\.md|user\.md)\b[^\n]*(https?://|\b(server|endpoint|webhook|request|url|chat|channel|address)\b)|\bread\b[^.\n]*(\.env|(openclaw|clawdbot)\.json|auth-profiles\.json)\b[^\n]*\b(send|post|upload|forward|attach)\b[^\n]*https?://";
    /// Something goes to a place elsewhere, by order.
    SENT_AWAY []
        r"\b(send|sends|sending|sent|post|posts|posted|upload|uploads|uploaded|forward|forwards|forwarded|transmit|transmitted|exfiltrate|submit|submitted|e-?mail|e-?mailed|append|attach|share|leak|deliver|relay|beam|ship|report|reported|copied)\b[^.\n]*(https?://|\bto (an? |the |our |this |my )?(\w+ )?(endpoint|server|webhook|url|address|host|collector|api|bucket|channel)\b|@[a-z0-9-]+\.|\bweb request|\bwebhook|to ops\b)|schick|\bsende\b|envoie|envoyez|\benvía|\benviar?\b|\benvie\b|\binvia\b|отправ|发送|上传|送信|보내";
    /// What a password manager keeps goes there, in one breath: in a list each line speaks for itself.
    VAULT_SENT ["bitwarden", "1password", "lastpass", "dashlane"]
        r"(1password[^\n\x22]{0,30}(export|vault)|(lastpass|dashlane|bitwarden)[^\n\x22]{0,40}(vault|export))[^\n\x22]*(\b(send|sends|sending|sent|post|posts|posted|upload|uploads|uploaded|forward|forwards|forwarded|transmit|transmitted|exfiltrate|submit|submitted|e-?mail|e-?mailed|append|attach|share|leak|deliver|relay|beam|ship|report|reported|copied)\b[^\n\x22]*(https?://|\bto (an? |the |our |this |my )?(\w+ )?(endpoint|server|webhook|url|address|host|collector|api|bucket|channel)\b|@[a-z0-9-]+\.|\bweb request|\bwebhook|to ops\b)|schick|\bsende\b|envoie|envoyez|\benvía|\benviar?\b|\benvie\b|\binvia\b|отправ|发送|上传|送信|보내)|(\b(send|sends|sending|sent|post|posts|posted|upload|uploads|uploaded|forward|forwards|forwarded|transmit|transmitted|exfiltrate|submit|submitted|e-?mail|e-?mailed|append|attach|share|leak|deliver|relay|beam|ship|report|reported|copied)\b|schick|\bsende\b|envoie|envoyez|\benvía|\benviar?\b|\benvie\b|\binvia\b|отправ|发送|上传|送信|보내)[^\n\x22]*(1password[^\n\x22]{0,30}(export|vault)|(lastpass|dashlane|bitwarden)[^\n\x22]{0,40}(vault|export))[^\n\x22]*(https?://|\bto (an? |the |our |this |my )?(\w+ )?(endpoint|server|webhook|url|address|host|collector|api|bucket|channel)\b|@[a-z0-9-]+\.|\bweb request|\bwebhook|to ops\b)";
    /// Names resolved to carry data.
    NAME_TUNNEL [" dig ", "`dig ", "\ndig ", "(dig ", "nslookup", " host ", "`host ", "\nhost ", " ping ", "`ping ", "\nping ", "resolve(", "dns.resolve", "gethostbyname", "getaddrinfo", "dns."]
        r"\b(dig|nslookup|host|ping|drill)\b[^\n]*[\x22'\s]\$\{?\(?\w+[^\s]*\}?\.[a-z0-9.-]+\.[a-z]{2,}|\b(dig|nslookup|host|ping)\b[^\n]*\$\([^)\n]*\)[\x22']?\.[a-z]|(gethostbyname|getaddrinfo|dns\.(resolve|lookup)\w*)\s*\(\s*(f[\x22']\{|[\x22`']\$\{|\w+\s*\+\s*[\x22'])";
    /// Services that exist to catch requests.
    CATCHER ["webhook.site", "requestbin", "pipedream.net", "interact.sh", "oast.", "burpcollaborator", "dnslog", "transfer.sh", "file.io", "0x0.st", "termbin", "requestcatcher", "beeceptor", "canarytokens", "ix.io", "bashupload", "gofile.io", "anonfiles", "catbox.moe", "temp.sh", "hookbin", "postb.in"]
        r"webhook\.site|requestbin|\bpipedream\.net|interact\.sh|\boast\.(pro|live|site|online|fun|me)|burpcollaborator|dnslog\.|transfer\.sh|\bfile\.io\b|0x0\.st|termbin\.com|requestcatcher|beeceptor|canarytokens|\bix\.io\b|bashupload|gofile\.io|anonfiles|catbox\.moe|temp\.sh|hookbin|postb\.in";
    /// A picture whose address carries data.
    PICTURE_BEACON ["![", "<img", "pixel", "image url", "image with", "image whose", "image address", "picture whose", "markdown link", "picture url", "tiny image", "image to", "image at"]
        r"!\[[^\]\n]*\]\(https?://[^)\s]*[?&/][^)\s]*(\{|\$|<|%7b|\[)[^)\n]*\)|<img[^>\n]+src=[\x22']https?://[^\x22'\n]*(\$\{|\{\{|<)[^\n]*|\b(image|picture|pixel|markdown link)s?\b[^\n]*(url|address|query|source|https?://)[^\n]*\b(contain|encod|append|includ|with|carr|follow)\w*[^\n]*\b(conversation|secret|key|token|history|data|messages?|content|answer|prompt)";
    /// Keys, screen or clipboard are watched.
    WATCHES_USER ["pynput", "keyboard.on_press", "keylog", "getasynckeystate", "setwindowshookex", "screencapture", "imagegrab", "pbpaste", "pyperclip", "get-clipboard", "xclip -o", "xsel", "avfoundation", "iohook", "cgeventtap", "sounddevice", "arecord", "imagesnap"]
        r"pynput|keyboard\.on_press|keylog|getasynckeystate|setwindowshookex|\bscreencapture\b|imagegrab|\bpbpaste\b|pyperclip\.paste|get-clipboard|xclip -o|\bxsel\b|iohook|cgeventtap|\barecord\b|imagesnap";
    /// Keys of well-known services, used by name.
    VENDOR_KEY ["openai_api_key", "anthropic_api_key", "github_token", "gh_token", "aws_secret", "aws_access_key", "gemini_api_key", "google_api_key", "slack_bot_token", "stripe_secret", "npm_token", "huggingface", "hf_token", "telegram_bot_token", "discord_token", "openclaw_gateway", "clawdbot_gateway", "database_url"]
        r"\b(openai_api_key|anthropic_api_key|github_token|gh_token|aws_secret_access_key|aws_access_key_id|gemini_api_key|google_api_key|slack_bot_token|stripe_secret_key|npm_token|huggingface_token|hf_token|telegram_bot_token|discord_token|(openclaw|clawdbot)_gateway_(token|password)|database_url)\b";
    /// Encoded before it is used.
    ENCODES []
        r"\|\s*(base64|xxd|od|gzip)\b|hexlify|\bbtoa\(|tostring\([\x22'](hex|base64)|b64encode|\.hex\(\)|tobase64string";
    /// A local file is passed through somebody's address.
    FILE_THROUGH_SERVICE []
        r"\b(pass|send|route|upload|post|forward|pipe|proxy|submit)\b[^.\n]*\b(the |every |each |all |any )?(file|files|document|documents|code|source|conversation|messages?|prompts?|history|transcript|clipboard)\b[^.\n]*\b(through|to|via|into)\b[^.\n]{0,20}https?://";
    /// Folders that belong to the user, not to the skill.
    PERSONAL_FILES ["~/documents", "~/desktop", "~/pictures", "~/downloads", "~/photos", "home folder", "home directory", "$home/documents", "$home/desktop", "whole home", "user's files", "user’s files", "users files", "all files"]
        r"(~|\$\{?home\}?)/(documents|desktop|pictures|downloads|photos|library)\b|\b(whole |entire |user'?s? )?home (folder|directory)\b|\buser['’]?s? files\b|\ball (of )?(the |their |your )?files\b";
    /// What a file holds is shown to others.
    DISCLOSES []
        r"\b(add|write|post|leave|include|put|paste|append|attach|print|output|return|embed|quote|insert|commit|copy)\b[^.\n]*\b(contents?|value|text|copy)\b of\b|\b(comment|message|request|commit|reply|e-?mail|issue|title|branch|pull request|form)\b[^.\n]*\b(contain|includ|with|hold|carr)\w*[^.\n]*\b(contents?|value|text)\b";
    /// A secret file is read as a whole.
    READS_FILE []
        r"readfile(sync)?\s*\(|read_text\s*\(|\bopen\s*\(|file\.read|file_get_contents|\bcat\s|get-content|ioutil\.readfile|os\.readfile";
    /// Single values are taken out.
    PARSES []
        r"json\.(parse|loads?)|\.json\(\)|yaml\.|toml|dotenv|\bjq\s|\bgrep\s|\bawk\s|\bsed\s|\.split\s*\(|configparser|\.get\(|\bsource\s";
    /// The conversation itself.
    CONVERSATION []
        r"\b((last|previous|latest|every|each) messages?|messages? of the user|conversations?|chat (history|log)s?|transcripts?|system prompt|(message|session) (history|logs?)|everything the user (says|types|writes)|user('s)? (messages|prompts|input))\b";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "exfiltration/credential-file",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "credentials are read and sent away",
        why: "a file that holds credentials is read where something is sent over the network",
        fix: "read only the variable that the skill declares, and send it only to the service it belongs to",
        triggers: &[
            Trigger::critical(&[GRAVE, &[SEND, TOLD_TO_SEND]]),
            Trigger::critical(&[GRAVE, &[SEND]]).within(Scope::File).only(Kinds::SCRIPT),
            Trigger::critical(&[GRAVE, &[SEND]]).within(Scope::Section).only(Kinds::RUN),
            Trigger::critical(&[&[PASSWORD_MANAGER], &[SEND, TOLD_TO_SEND]]).only(Kinds::RUN),
            Trigger::critical(&[&[PASSWORD_MANAGER], &[SEND]]).within(Scope::File).only(Kinds::SCRIPT),
            Trigger::critical(&[&[PASSWORD_MANAGER], &[SEND]]).within(Scope::Section).only(Kinds::RUN),
            Trigger::critical(&[&[PASSWORD_MANAGER], &[SEND, SENT_AWAY]]).only(Kinds::PROSE),
            Trigger::critical(&[&[VAULT_SENT]]).only(Kinds::READ),
            Trigger::critical(&[PLACES, &[AS_PAYLOAD], &[SEND, REMOTE_URL]]).only(Kinds::RUN),
            Trigger::critical(&[KEPT, &[TOLD_TO_SEND]]).only(Kinds::READ),
            Trigger::critical(&[GRAVE, &[DISCLOSES]]).only(Kinds::READ),
            Trigger::critical(&[KEPT, &[DISCLOSES]]).only(Kinds::READ),
            Trigger::critical(&[&[AGENT_SECRETS, DOTENV], &[SEND], &[READS_FILE]])
                .within(Scope::Section)
                .only(Kinds::SCRIPT)
                .unless(&[PARSES]),
            Trigger::critical(&[&[FILE_SENT]]).only(Kinds::READ),
            Trigger::critical(&[KEPT, &[SEND]]).only(Kinds::SCRIPT),
            Trigger::critical(&[&[SEND]]).at_least(2, PLACES).within(Scope::File).only(Kinds::SCRIPT),
            Trigger::critical(&[&[SEND]]).at_least(3, PLACES).within(Scope::Skill).only(Kinds::RUN),
            Trigger::critical(&[&[GIT_CREDENTIALS], &[TOLD_TO_SEND, SEND]]),
        ],
    },
    ScanRule {
        id: "exfiltration/environment",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "the whole environment is sent away",
        why: "the environment holds the keys of every service; a skill needs only its own",
        fix: "send single declared variables, never the whole environment",
        triggers: &[
            Trigger::critical(&[&[WHOLE_ENVIRONMENT], &[SEND, TOLD_TO_SEND]]),
            Trigger::critical(&[&[WHOLE_ENVIRONMENT], &[SEND]]).within(Scope::Section).only(Kinds::RUN),
        ],
    },
    ScanRule {
        id: "exfiltration/cloud-metadata",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "the machine's cloud identity is read",
        why: "the metadata service hands out the credentials of the machine itself",
        fix: "use the provider's command-line tool with the user's own profile",
        triggers: &[Trigger::critical(&[&[METADATA_SERVICE]])],
    },
    ScanRule {
        id: "exfiltration/name-tunnel",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "data is hidden in name lookups",
        why: "a variable becomes part of a host name, so a lookup carries it past every proxy",
        fix: "look up fixed names only",
        triggers: &[
            Trigger::critical(&[&[NAME_TUNNEL], &[VENDOR_KEY, ENCODES, WHOLE_ENVIRONMENT]])
                .within(Scope::Section),
            Trigger::warn(&[&[NAME_TUNNEL]]),
        ],
    },
    ScanRule {
        id: "exfiltration/catcher",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "data goes to a service that collects anonymous requests",
        why: "request catchers and drop boxes are how stolen data is picked up",
        fix: "send data only to the service the skill is for",
        triggers: &[
            Trigger::critical(&[&[CATCHER], &[VENDOR_KEY, WHOLE_ENVIRONMENT, ALL_SECRETS]])
                .within(Scope::Section),
            Trigger::critical(&[&[CATCHER], PLACES]).within(Scope::Section),
            Trigger::warn(&[&[CATCHER], &[AS_PAYLOAD, TOLD_TO_SEND]]),
        ],
    },
    ScanRule {
        id: "exfiltration/told-to-send",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "the agent is instructed to send secrets or files",
        why: "prose is enough: an agent that follows it sends what it can read",
        fix: "name the one value that is needed and the service that gets it",
        triggers: &[
            Trigger::critical(&[&[ALL_SECRETS], &[TOLD_TO_SEND]]).only(Kinds::READ),
            Trigger::critical(&[&[CONCEAL, NO_CONFIRM], &[SECRET_WORDS], &[TOLD_TO_SEND]]).only(Kinds::READ),
            Trigger::critical(&[&[CONCEAL, NO_CONFIRM], &[CONVERSATION], &[TOLD_TO_SEND], &[REMOTE_URL]])
                .only(Kinds::READ),
            Trigger::critical(&[&[PERSONAL_FILES], &[TOLD_TO_SEND], &[REMOTE_URL], &[CONCEAL, NO_CONFIRM]])
                .only(Kinds::READ),
            Trigger::warn(&[&[PERSONAL_FILES], &[TOLD_TO_SEND], &[REMOTE_URL]])
                .only(Kinds::READ)
                .unless_asked(),
            Trigger::critical(&[&[PICTURE_BEACON], &[SECRET_WORDS, CONVERSATION, CONCEAL]]),
            Trigger::warn(&[&[CONCEAL, NO_CONFIRM, ALL_SECRETS], &[FILE_THROUGH_SERVICE]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "exfiltration/watches-user",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "keys, screen or clipboard are recorded and sent",
        why: "recording the user and sending the record is spying, whatever the skill is for",
        fix: "act only on what the user gives the skill",
        triggers: &[
            Trigger::critical(&[&[WATCHES_USER], &[SEND], &[CONCEAL, NO_CONFIRM]]).within(Scope::File),
            Trigger::warn(&[&[WATCHES_USER], &[SEND, TOLD_TO_SEND], &[AS_PAYLOAD]]),
        ],
    },
    ScanRule {
        id: "exfiltration/foreign-key",
        category: Category::Exfiltration,
        severity: ScanSeverity::Critical,
        title: "a service's key goes to another host",
        why: "the key of a well-known service is used in a request to a host that is not that service",
        fix: "declare the variable the skill needs, and send it to its own service only",
        triggers: &[],
    },
];
