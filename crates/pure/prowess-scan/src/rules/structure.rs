//! Rules about names, files and declarations: found by parsing, not by words.

use crate::rule::ScanRule;
use crate::{Category, ScanSeverity};

macro_rules! parsed {
    ($($id:literal, $category:ident, $severity:ident, $title:literal, $why:literal, $fix:literal;)+) => {
        pub(crate) static RULES: &[ScanRule] = &[$(ScanRule {
            id: $id,
            category: Category::$category,
            severity: ScanSeverity::$severity,
            title: $title,
            why: $why,
            fix: $fix,
            triggers: &[],
        },)+];
    };
}

parsed! {
    "install-spec/option", InstallSpec, Critical, "an installer's value is an option",
        "a value that starts with a dash, or holds blanks or shell characters, changes what the installer does",
        "give the plain name of a package";
    "install-spec/address", InstallSpec, Critical, "a package is given as an address or a path",
        "an address, a file or a repository is not the package that its registry knows",
        "give the name of a package in the registry";
    "install-spec/private-address", InstallSpec, Critical, "a download from this machine or its network",
        "the address is private, local, or written so that checks miss that it is",
        "download from a public host with a name";
    "install-spec/unprotected", InstallSpec, Critical, "an unprotected download",
        "plain http without a hash: any host on the route decides what is installed",
        "use https, and give a sha256";
    "install-spec/disguised-host", InstallSpec, Critical, "a download address that looks like another",
        "a user part, an encoded name or a look-alike hides the real host",
        "give the real host";
    "install-spec/traversal", InstallSpec, Critical, "a target outside the skill's folder",
        "the path leaves the folder that belongs to the skill",
        "give a path below the skill's tools folder";
    "install-spec/shell", InstallSpec, Warn, "an installer that is a shell command",
        "a command in the metadata is not an install spec, but an agent may still run it",
        "use a package manager's kind";
    "install-spec/bad-hash", InstallSpec, Warn, "an invalid hash",
        "a sha256 that is not 64 hex digits checks nothing",
        "give the real hash";
    "identity/look-alike", Identity, Critical, "the name looks like another",
        "letters of other scripts or invisible characters make the name pass for a known one",
        "write the name in plain letters";
    "identity/near-miss", Identity, Warn, "the name is one letter away from a known skill",
        "people who mistype, or do not look twice, get this skill instead",
        "choose a name that cannot be mistaken";
    "identity/borrowed-authority", Identity, Warn, "the skill claims to be official",
        "it speaks for a vendor, but its addresses are not the vendor's",
        "say who made it";
    "identity/look-alike-host", Identity, Warn, "an address that looks like another",
        "the name of a well-known host is part of a longer name with another owner",
        "give the real host";
    "structure/command-injection", Structure, Warn, "a command runs before the skill is read",
        "`!` and a command in backticks puts its output into the prompt without confirmation",
        "let the agent run the command as a step";
    "structure/allowed-tools", Structure, Info, "every tool is pre-approved",
        "a wildcard in `allowed-tools` takes away the questions that protect the user",
        "list the tools that are needed";
    "structure/link-outside", Structure, Warn, "a link leaves the skill",
        "what is read or written through it lies outside the skill",
        "ship a copy of the file";
    "structure/hard-link", Structure, Warn, "a file has another name elsewhere",
        "the same bytes can be changed through another name",
        "ship a copy of the file";
    "structure/unread", Structure, Info, "something could not be read",
        "what is not read is not judged",
        "make it a plain file of ordinary size";
    "structure/too-much", Structure, Warn, "more than can be read",
        "a file over the limit, or files beyond their number, are not judged",
        "split the skill, or leave data out of it";
    "structure/special-file", Structure, Warn, "a pipe, socket or device",
        "reading it can block or have effects",
        "remove it";
    "structure/program", Structure, Warn, "a compiled program",
        "its behavior cannot be reviewed",
        "ship the source, or declare an install spec with a hash";
    "structure/disguised", Structure, Warn, "a file is not what its name says",
        "a program under the name of a picture is meant to be overlooked",
        "name the file after what it is";
    "structure/archive", Structure, Info, "an archive inside the skill",
        "its entry list was read, its content was not",
        "ship the files as they are";
    "structure/archive-nested", Structure, Info, "an archive inside an archive",
        "only the outer entry list was read",
        "ship the files as they are";
    "structure/archive-mode", Structure, Info, "an archive entry with special rights",
        "a setuid or setgid bit must be dropped when the archive is unpacked",
        "pack the file with ordinary rights";
    "structure/archive-escape", Structure, Critical, "an archive that writes outside its folder",
        "an entry leaves the folder, or is a link or device",
        "remove the entry";
    "structure/archive-encrypted", Structure, Critical, "an encrypted archive",
        "its content cannot be reviewed without the password",
        "ship the files as they are";
    "structure/archive-broken", Structure, Warn, "an archive that readers disagree on",
        "two entries share a name, sizes lie, or two archives are glued together",
        "build the archive again";
    "structure/archive-bomb", Structure, Critical, "an archive that unpacks to far more than it holds",
        "unpacking it fills the disk",
        "ship the files as they are";
    "structure/archive-program", Structure, Warn, "a program inside an archive",
        "a look at the folder does not show it",
        "ship the source, or declare an install spec with a hash";
    "structure/git-metadata", Structure, Critical, "a git repository inside the skill",
        "git runs the programs that `.git/config` names, even at a `git status` of a shell prompt or an editor",
        "remove it; a skill is installed without its history";
    "structure/control-characters", Structure, Warn, "control characters in the name or description",
        "they can forge lines in logs, prompts and terminals",
        "remove them";
    "structure/literal-secret", Structure, Warn, "a secret is written out",
        "every copy of the skill contains the secret",
        "revoke it, and read it from a variable";
    "structure/too-long", Structure, Warn, "a name, description or file beyond the format's limits",
        "oversize fields are used to push other text out of view or out of the prompt",
        "stay within 64 characters for a name and 1,024 for a description";
    "structure/bad-name", Structure, Critical, "the name is a path",
        "a name with slashes or dots can become a path outside the skills folder",
        "use letters, digits and dashes";
    "structure/not-text", Structure, Warn, "text in an encoding that hides it",
        "readers disagree on what the bytes say",
        "save the file as UTF-8";
}
