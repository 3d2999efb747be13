//! Raised rights and destroyed data.

use super::memory::WALKS_HOME;
use super::words::{CONCEAL, FETCH, NO_CONFIRM, REMOTE_URL};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::variables::END;
    /// Everything is deleted.
    DELETES_ALL ["rm -", "rm  -", "rmtree", "rmsync", "rimraf", "remove-item", "del /", "rd /s", "rmdir /s", "mkfs", "dd if", "dd of", "shred", "wipefs", "format c", "diskutil erase", "vssadmin", "wbadmin", "tmutil", "cipher /w", ":(){", "find ~", "find /", "find $home", "find \"$home", "> /dev/sd", "bcdedit", "blkdiscard", "format-volume", "clear-disk"]
        r"\brm\s+(-\w+\s+|--\S+\s+)*-\w*[rf]\w*\s+(-\S+\s+)*[\x22']?(/|~|\$\{?home\}?|/\*|/home|/users|/etc|/usr|/var|/root|c:\\+)[\x22'/]*(\*|\.\*)?([\s\x22'`;&|),]|\.(\s|$)|$)|--no-preserve-root|rmtree\s*\(\s*([\x22']/[\x22']|(pathlib\.)?path\.home\(\)|os\.path\.expanduser\(\s*[\x22']~/?[\x22']\s*\))|rmsync\s*\(\s*(os\.homedir\(\)|[\x22']/[\x22'])\s*,|rimraf\s+(/|~)\s|remove-item[^\n]*(c:\\+\s|\$home\b|\$env:userprofile\b|~\s)[^\n]*|\b(del|rd|rmdir)\b[^\n]*/s[^\n]*\s(c:\\+|%userprofile%|%systemroot%)|\bmkfs(\.\w+)?\s+(-\S+\s+)*/dev/|\bdd\s+[^\n]*of=/dev/(sd|nvme|hd|disk|rdisk|mmcblk|vd)|\bshred\b[^\n]*(/dev/|~|\$home|-\w*u)|wipefs\s+-a|\bformat\s+c:|diskutil erase(disk|volume)|vssadmin\s+delete|wbadmin\s+delete|tmutil\s+(delete|disable)|cipher\s+/w|:\(\)\s*\{\s*:\s*\|\s*:|\bfind\s+[\x22']?(~|/|\$home)[\x22'/]?\s[^\n]*(-delete|-exec\s+(rm|shred))|>\s*/dev/(sd[a-z]|nvme\d)|bcdedit[^\n]*/set|blkdiscard|format-volume|clear-disk";
    /// Much is deleted, by order.
    TOLD_TO_DESTROY ["delete all", "delete every", "delete the", "remove all", "wipe", "erase", "destroy", "purge", "drop all", "drop the", "delete any", "clear everything", "delete their", "--mirror", "lösche alle", "supprime tou", "borra tod", "elimina tod", "удали все", "删除所有", "删除全部"]
        r"\b(delete|remove|wipe|erase|destroy|purge|drop|clear)\w* (out |away )?(all|every|any|the|their|everything|entire|whole)\b[^\n]*\b(files?|backups?|branches|data|databases?|tables?|records|accounts?|messages|e-?mails?|photos|documents|home|disk|repositor(y|ies)|owns)\b|git push[^\n]*--(force|mirror)[^\n]*(--mirror|--all)|lösche alle|supprime tou|borra tod|elimina tod|удали все|删除(所有|全部)";
    /// Rights are raised for good.
    RAISES_RIGHTS ["nopasswd", "sudoers", "chmod", "usermod", "useradd", "adduser", "net user", "net localgroup", "setcap", "visudo", "dscl", "add-localgroupmember", "passwd root", "doas.conf", "polkit", "chown root"]
        r"nopasswd\s*:\s*all\b|(>>?|tee)\s*(-a\s+)?\S*sudoers|\bchmod\s+(-R\s+)?(777|a\+rwx|666|a\+w)\s+[\x22']?(/($|\s)|/(etc|usr|bin|sbin|var|lib|root|boot|opt)\b)|\bchmod\s+([ugo]*\+s|[2467][0-7]{3})\s+\S*(sh|bash|python|find|cp|/)|\busermod\b[^\n]*-\w*a?g\w*\s+\S*(sudo|wheel|admin|docker|root)|\b(useradd|adduser)\b[^\n]*(-o|-u\s*0|sudo|wheel|root)|net user\s+\S+\s+\S+\s+/add|net localgroup administrators[^\n]*/add|\bsetcap\s+cap_\w+[^\n]*ep|add-localgroupmember[^\n]*administrators|dscl[^\n]*-append[^\n]*admin|polkit[^\n]*(yes|result_any)";
    /// A container that is none.
    BREAKS_OUT ["--privileged", "--pid=host", "--pid host", "-v /:/", "-v /:", "--volume /:", "nsenter", "chroot /host", "/var/run/docker.sock", "cap-add", "hostpid", "privileged: true", "hostpath", "release_agent", "source=/,"]
        r"docker\s+run\b[^\n]*(--privileged|--pid[= ]host|-v\s+/:/|--volume[= ]/:/|source=/,|cap-add[= ](all|sys_admin|sys_ptrace))|\bnsenter\b[^\n]*(-t\s*1\b|--target\s*1\b)|\bchroot\s+/(host|mnt)|release_agent|hostpid:\s*true|hostpath:\s*\n?\s*path:\s*/\s*$";
    /// Protection is taken away.
    LOWERS_GUARD ["setenforce", "ufw disable", "iptables -f", "iptables -p", "firewalld", "apparmor", "auditd", "clamav", "crowdstrike", "selinux", "netsh advfirewall", "set-executionpolicy", "disable-windowsoptionalfeature", "mppreference", "spctl", "csrutil", "enablelua", "stricthostkeychecking"]
        r"\bsetenforce\s+0|selinux\s*=\s*(disabled|permissive)|ufw\s+disable|iptables\s+(-F|--flush|-P\s+\w+\s+accept)|systemctl\s+(stop|disable|mask)(\s+--now)?\s+\S*(firewalld|ufw|apparmor|auditd|clamav|falcon|osquery|fail2ban)|netsh\s+advfirewall[^\n]*off|set-mppreference[^\n]*-disable|enablelua[^\n]*0|set-executionpolicy[^\n]*(unrestricted|bypass)[^\n]*(localmachine|-force)|spctl\s+--(master|global)-disable|csrutil\s+disable";
    /// Traces are removed.
    COVERS_TRACKS ["history -c", "histfile", ".bash_history", ".zsh_history", "/var/log", "wevtutil", "clear-eventlog", "journalctl --vacuum", "histsize=0", "touch -r", "clear-history"]
        r"\bhistory\s+-c\b|unset\s+histfile|histfile\s*=\s*/dev/null|histsize\s*=\s*0|(>|rm\s+-\w*f?|truncate\s+-s\s*0|shred\s)\s*\S*\.(bash|zsh)_history|rm\s+-\w+\s+/var/log|wevtutil\s+cl|clear-eventlog|ln\s+-\w*s\w*\s+/dev/null\s+\S*history";
    /// Files are encrypted.
    ENCRYPTS_FILES ["fernet", "aes-", "aes.", "aes_", "aes(", "openssl enc", "gpg -c", "gpg --symmetric", "createcipheriv", "cryptography", "age -p", "7z a -p", "ransom"]
        r"\bfernet\s*\(|aes\.new\s*\(|openssl\s+enc\s[^\n]*-(aes|e\b)|gpg\s+(-c\b|--symmetric)|createcipheriv|\bransom\b";
    /// Originals are removed.
    REMOVES_ORIGINAL []
        r"os\.(remove|unlink|replace)\s*\(|\.unlink\s*\(|unlinksync|\brm\s+-?\w*\s*[\x22']?\$|\bshred\b|remove-item|rmsync";
    /// Money or data is moved without being asked.
    MOVES_MONEY ["transfer all", "send all", "withdraw all", "move all", "sweep", "drain", "the entire", "entire balance", "full balance", "all funds", "remaining funds", "whole balance", "all tokens", "all assets", "remaining balance"]
        r"\b(transfer|send|withdraw|move|sweep|drain)\b[^.\n]*\b(all|entire|full|remaining|whole)\b[^.\n]{0,20}\b(balance|funds|tokens|coins|eth|btc|sol|usdc|usdt|wallet|assets)\b[^.\n]*\b(to|into)\b";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "destruction/deletes-all",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "everything is deleted",
        why: "the command deletes a home folder, a system folder or a disk",
        fix: "delete only what the skill made, by its full path",
        triggers: &[
            Trigger::critical(&[&[DELETES_ALL]]).unless_asked(),
            Trigger::critical(&[&[TOLD_TO_DESTROY], &[NO_CONFIRM, CONCEAL]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "destruction/raises-rights",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "rights are raised for good",
        why: "passwordless or world-wide rights outlive the task they were meant for",
        fix: "ask for rights for the one command that needs them",
        triggers: &[Trigger::critical(&[&[RAISES_RIGHTS]])],
    },
    ScanRule {
        id: "destruction/breaks-out",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "a container gets the whole machine",
        why: "a privileged container, or one with the root mounted, does not isolate anything",
        fix: "mount the folder that is needed, without extra rights",
        triggers: &[Trigger::critical(&[&[BREAKS_OUT]])],
    },
    ScanRule {
        id: "destruction/lowers-guard",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "protection is disabled",
        why: "firewalls, mandatory access control and scanners are what limits the damage of everything else",
        fix: "leave protection on; open the one port or path that is needed",
        triggers: &[
            Trigger::critical(&[&[LOWERS_GUARD], &[FETCH, CONCEAL, NO_CONFIRM, RAISES_RIGHTS]]),
            Trigger::warn(&[&[LOWERS_GUARD]]),
        ],
    },
    ScanRule {
        id: "destruction/covers-tracks",
        category: Category::Destruction,
        severity: ScanSeverity::Warn,
        title: "traces are removed",
        why: "history and logs are what an investigation needs",
        fix: "leave history and logs alone",
        triggers: &[Trigger::warn(&[&[COVERS_TRACKS]]).only(Kinds::RUN)],
    },
    ScanRule {
        id: "destruction/ransom",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "files are encrypted and the originals removed",
        why: "that is what ransomware does",
        fix: "write encrypted copies beside the originals, of files the user names",
        triggers: &[Trigger::critical(&[&[ENCRYPTS_FILES], &[REMOVES_ORIGINAL], &[WALKS_HOME]])
            .within(Scope::File)
            .only(Kinds::RUN)],
    },
    ScanRule {
        id: "destruction/moves-money",
        category: Category::Destruction,
        severity: ScanSeverity::Critical,
        title: "funds are moved without asking",
        why: "a transfer cannot be undone",
        fix: "confirm amount and payee each time",
        triggers: &[
            Trigger::critical(&[&[MOVES_MONEY], &[CONCEAL, NO_CONFIRM, REMOTE_URL]]).only(Kinds::READ)
        ],
    },
];
