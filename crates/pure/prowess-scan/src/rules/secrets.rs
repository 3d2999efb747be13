//! Where secrets lie: one signal per place, so that rules can count how many a skill reaches for.

use crate::signal::{Signal, signals};

signals! { super::words::END;
    SSH_KEYS [".ssh", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "ssh private key", "ssh key"]
        r"\bid_(rsa|ed25519|ecdsa|dsa)\b([^.\w]|$|\.bak)|\.ssh(/\*|[\x22'`)\s,;]|/$|/?\]|/id_|/identity)|\bssh (private )?keys?\b";
    GPG_KEYS [".gnupg", "export-secret-key", "secring"]
        r"\.gnupg|export-secret-(sub)?keys|secring";
    BROWSER_LOGINS ["login data", "logins.json", "key4.db", "cookies.sqlite", "google/chrome", "google\\chrome", "google-chrome", "firefox/profiles", ".mozilla/firefox", "bravesoftware", "microsoft/edge", "local state", "browser password", "browser cookie", "saved password", "browser_cookie3", "cookies.binarycookies"]
        r"login data|logins\.json|key4\.db|cookies\.sqlite|(google[/\\]chrome|google-chrome|chromium|bravesoftware|microsoft[/\\]edge)[^\n]*(login|cookies|local state|web data)|browser_cookie3|cookies\.binarycookies|\b(browser|chrome|firefox|safari)('s)? (saved |stored )?(passwords?|cookies|logins?)|saved passwords|(/|\\)chrome[\x22']|\.mozilla/firefox|firefox/profiles";
    WALLETS ["wallet.dat", "wallet private", "wallet seed", "wallet's private", ".bitcoin", ".ethereum", "keystore", "solana/id.json", ".electrum", "metamask", "exodus", "phantom", "seed phrase", "mnemonic", "nkbihfbeogaeaoehlefnkodbefgpgknn", "recovery phrase", "seed words", "secret phrase"]
        r"wallet\.dat|(^|[/~\s\x22'`\\])\.ethereum\b|/keystore\b|solana/id\.json|\.electrum|metamask[^\n]*(leveldb|vault|extension settings)|exodus(/|\\)|\.bitcoin\b|nkbihfbeogaeaoehlefnkodbefgpgknn|wallet[^\n]{0,20}(private key|seed|mnemonic)|\b(seed|recovery|secret) (phrases?|words)\b|\bmnemonic\b|(atomic|ledger live|trezor)[^\n]{0,40}(wallet|leveldb)";
    KEYCHAIN ["keychain", "find-generic-password", "find-internet-password", "dump-keychain", "secret-tool", "gnome-keyring", "kwallet", "credential manager", "vaultcmd", "cmdkey", "dpapi", "cryptunprotectdata", "lsass", "mimikatz", "/etc/shadow"]
        r"login\.keychain|dump-keychain|find-(generic|internet)-password|keychain-db|/keychains\b|secret-tool (lookup|search)|gnome-keyring|kwallet|vaultcmd|cmdkey /list|cryptunprotectdata|lsass|mimikatz|/etc/shadow\b";
    /// The files of a password manager, or its command where it hands out what it keeps.
    PASSWORD_STORE ["bitwarden", "1password", "lastpass", "keepass", ".kdbx", "password-store", "op item", "op document", "bw list", "bw export", "dashlane"]
        r"\.kdbx|\.password-store|\bbw (list|export)|op (item|document) (get|list)[^\n]*(--vault|--reveal|--fields)|\b(1password|lastpass|dashlane|bitwarden|keepass\w*)('s)?[ _-]((vault|data|full|csv|json)[ _-])?(exports?|dumps?|backups?)\b|(lastpass|dashlane|bitwarden)[^\n]{0,40}leveldb|\bcontents? of\b[^.\n]{0,30}(1password|lastpass|dashlane|bitwarden)[^.\n]{0,30}\bvaults?\b";
    /// A password manager in words. Its owner may ask for what it keeps; only sending that away is a theft.
    PASSWORD_MANAGER ["bitwarden", "1password", "lastpass", "dashlane"]
        r"1password[^\n]{0,30}(export|vault)|(lastpass|dashlane|bitwarden)[^\n]{0,40}(vault|export)";
    AWS_KEYS [".aws", "aws_secret_access_key", "aws credentials"]
        r"\.aws(/|\\)?(credentials|config)?\b|aws_secret_access_key|aws credentials";
    CLOUD_KEYS ["gcloud", "application_default_credentials", ".azure", "accesstokens.json", "msal_token_cache", "doctl", ".oci/", "service-account", "print-access-token", ".config/gh/hosts", "gh auth token", "hub_token", ".terraform.d", "heroku", ".vercel", ".netlify", ".fly/"]
        r"application_default_credentials|\.config/gcloud|gcloud auth[^\n]*print-(access|identity)-token|\.azure(/|\\)|accesstokens\.json|msal_token_cache|\.oci/|\.config/gh/hosts|gh auth token|credentials\.tfrc";
    KUBE_CONFIG [".kube", "kubectl get secret", "serviceaccount/token"]
        r"\.kube(/|\\)?config|\.kube\b|kubectl get secrets?|serviceaccount/token";
    DOCKER_CONFIG [".docker/config", ".docker\\config"]
        r"\.docker(/|\\)config\.json";
    NETRC [".netrc", "_netrc", ".pgpass", ".my.cnf"]
        r"[._]netrc\b|\.pgpass\b|\.my\.cnf\b";
    PACKAGE_TOKENS [".npmrc", ".pypirc", ".cargo/credentials", ".gem/credentials", ".m2/settings", "_authtoken", ".yarnrc", "nuget.config", "composer/auth.json"]
        r"\.npmrc\b|\.pypirc\b|\.cargo/credentials|\.gem/credentials|\.m2/settings|_authtoken|composer/auth\.json";
    GIT_CREDENTIALS ["git-credentials", "credential.helper", "git credential", ".config/git/credentials"]
        r"\.git-credentials|git credential fill|credential\.helper store|\.config/git/credentials";
    SHELL_HISTORY ["bash_history", "zsh_history", "fish_history", "consolehost_history", ".histfile", "shell history"]
        r"\.(bash|zsh|python|mysql|psql|node_repl)_history|fish_history|consolehost_history|\.histfile";
    DOTENV [".env"]
        r"(^|[\s/\x22'`=@(\\,])\.env(\.local|\.production|\.prod)?\b([^.\w]|$|\.(local|production))";
    AGENT_SECRETS [".openclaw", ".clawdbot", ".moltbot", "openclaw.json", "clawdbot.json", "auth-profiles.json", ".claude/", ".claude.json", ".codex/auth", ".config/claude", ".cursor/mcp", "oauth.json", ".gemini/oauth", "creds.json"]
        r"\.(openclaw|clawdbot|moltbot)/[^\s\x22'`]*(\.env|openclaw\.json|clawdbot\.json|moltbot\.json|credentials|auth|oauth|sessions?)|auth-profiles\.json|\.claude/\.?credentials|\.claude\.json|\.codex/auth|\.gemini/oauth|\b(openclaw|clawdbot|moltbot)\.json";
    CHAT_SESSIONS ["tdata", "telegram desktop", "discord/local storage", "discord\\local storage", "leveldb", "signal/config.json", "slack/cookies", "whatsapp", "chat.db"]
        r"\btdata\b|discord[/\\]local storage|signal/config\.json|slack/(cookies|storage)|messages/chat\.db";
    METADATA_SERVICE ["169.254.169.254", "metadata.google.internal", "100.100.100.200", "fd00:ec2", "169.254.170.2", "instance-data"]
        r"(169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2|169\.254\.170\.2)[^\n]*(credential|token|iam|user-data|identity|service-accounts)";
    /// The whole environment at once.
    WHOLE_ENVIRONMENT ["env |", "env|", "env >", "env)", "env 2", "env&", "env &", "$(env", "`env`", "\"env", "'env", "printenv", "os.environ", "process.env", "export -p", "env:", "env::vars", "/environ", "environment variables", "env.to_h", "getenv()", "env\n"]
        r"(^|[;&|(\x22'`$]\s*|\bsudo )(env|printenv)\s*(\||>|\)|$|2>|&)|\benv \|\s*(sort|base64|curl|grep -i \S*(key|token|secret))|dict\(os\.environ\)|\bos\.environ\b\s*(\)|,|\}|\.items|\.copy|$)|json\.dumps\([^)\n]*os\.environ|json\.stringify\(\s*process\.env\b\s*[,)]|object\.(entries|keys|assign|fromentries)\([^)\n]*process\.env\s*\)|\.\.\.process\.env\s*\}\s*\)|body:\s*process\.env\b|export -p|(get-childitem|gci|dir|ls) env:|env::vars\b|/proc/(self|\d+|\*)/environ|\benv\.to_h|system\.getenv\(\)|\$env\b\s*\||getenv\(\)|\ball (of )?(the |your )?environment variables";
}

/// Places whose content no skill needs: one is enough.
pub(crate) const GRAVE: &[Signal] = &[
    SSH_KEYS,
    GPG_KEYS,
    BROWSER_LOGINS,
    WALLETS,
    KEYCHAIN,
    PASSWORD_STORE,
    CHAT_SESSIONS,
    GIT_CREDENTIALS,
    SHELL_HISTORY,
];

/// Places that a skill may name in prose without meaning their content: only an explicit order counts.
pub(crate) const KEPT: &[Signal] = &[AWS_KEYS, CLOUD_KEYS, KUBE_CONFIG, DOCKER_CONFIG, NETRC, PACKAGE_TOKENS];

/// Every place.
pub(crate) const PLACES: &[Signal] = &[
    SSH_KEYS,
    GPG_KEYS,
    BROWSER_LOGINS,
    WALLETS,
    KEYCHAIN,
    PASSWORD_STORE,
    PASSWORD_MANAGER,
    AWS_KEYS,
    CLOUD_KEYS,
    KUBE_CONFIG,
    DOCKER_CONFIG,
    NETRC,
    PACKAGE_TOKENS,
    GIT_CREDENTIALS,
    SHELL_HISTORY,
    DOTENV,
    AGENT_SECRETS,
    CHAT_SESSIONS,
];
