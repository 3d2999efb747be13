//! Programs that change files.

use super::{ProgramArguments, judge_target};
use crate::shell::CallWord;
use crate::tags::{EffectTags, host_of};

pub(super) const PROGRAMS: &[&str] = &[
    "7z",
    "7za",
    "7zz",
    "bsdtar",
    "bunzip2",
    "bzip2",
    "chattr",
    "chflags",
    "chgrp",
    "chmod",
    "chown",
    "convert",
    "cp",
    "cpio",
    "csplit",
    "dd",
    "ditto",
    "ed",
    "emacs",
    "ex",
    "exiftool",
    "ffmpeg",
    "gunzip",
    "gzip",
    "install",
    "link",
    "ln",
    "lz4",
    "magick",
    "mkdir",
    "mkfifo",
    "mknod",
    "mktemp",
    "mv",
    "nano",
    "pandoc",
    "patch",
    "perl",
    "pv",
    "rar",
    "rename",
    "rm",
    "rmdir",
    "rsync",
    "ruby",
    "scp",
    "setfacl",
    "sftp",
    "shred",
    "split",
    "sponge",
    "srm",
    "symlink",
    "tar",
    "tee",
    "touch",
    "trash",
    "trash-put",
    "truncate",
    "unlink",
    "unrar",
    "unxz",
    "unzip",
    "unzstd",
    "vi",
    "vim",
    "nvim",
    "wipe",
    "xattr",
    "xz",
    "zip",
    "zstd",
    "mkfs",
    "wkhtmltopdf",
    "rimraf",
];

/// Adds the effects of a program on files. False for other programs.
pub(super) fn judge(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) -> bool {
    if name.starts_with("mkfs.") {
        delete_all(arguments.operands(), tags);
        tags.shell(name);
        return true;
    }
    if !PROGRAMS.contains(&name) {
        return false;
    }
    let mut own = EffectTags::default();
    judge_own(name, arguments, &mut own);
    if own.is_empty()
        && matches!(
            name,
            "tar"
                | "bsdtar"
                | "unzip"
                | "tee"
                | "gzip"
                | "gunzip"
                | "xz"
                | "zstd"
                | "bzip2"
                | "dd"
                | "7z"
                | "7za"
                | "7zz"
                | "unrar"
                | "mktemp"
                | "pv"
        )
    {
        tags.read(name);
    } else {
        own.shell(name);
        tags.merge(own);
    }
    true
}

fn judge_own(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    match name {
        "rm" | "rmdir" | "unlink" | "shred" | "srm" | "trash" | "trash-put" | "wipe" | "mkfs" | "rimraf" => {
            delete_all(arguments.operands_without(&["-n", "-s"]).into_iter(), own);
        }
        "tee" | "sponge" => arguments.operands().for_each(|file| judge_target(file, own)),
        "mkdir" | "touch" | "truncate" | "mkfifo" | "mknod" | "vi" | "vim" | "nvim" | "nano" | "emacs"
        | "ed" | "ex" | "xattr" => {
            let valued = ["-m", "--mode", "-s", "--size", "-r", "-t", "-d", "--reference", "-c"];
            write_all(arguments.operands_without(&valued), own);
        }
        "mktemp" => own.write("/tmp"),
        "chmod" | "chown" | "chgrp" | "setfacl" | "chattr" | "chflags" => {
            write_all(arguments.operands().skip(1).collect(), own);
        }
        "cp" | "mv" | "install" | "ditto" | "link" | "ln" | "symlink" | "rsync" | "scp" => {
            copies(name, arguments, own);
        }
        "dd" => {
            let outputs = arguments.texts().filter_map(|word| word.strip_prefix("of="));
            outputs.for_each(|file| judge_target(&CallWord::constant(file), own));
        }
        "tar" | "bsdtar" => judge_tar(arguments, own),
        "unzip"
            if !["l", "t", "p", "Z", "v", "z"]
                .iter()
                .any(|letter| letter.chars().all(|letter| arguments.has_letter(letter))) =>
        {
            write_to(arguments.value(&["-d"]), own);
        }
        "7z" | "7za" | "7zz" | "unrar" | "rar"
            if !matches!(arguments.first(), Some("l" | "t" | "v" | "vb" | "lb")) =>
        {
            own.write(".");
        }
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" | "lz4" => {
            let says = ['c', 't', 'l'].iter().any(|letter| arguments.has_letter(*letter))
                || arguments.has(&["--stdout", "--to-stdout", "--test", "--list"]);
            if !says {
                arguments.operands().for_each(|file| judge_target(file, own));
            }
        }
        "zip" => write_all(arguments.operands().take(1).collect(), own),
        "perl" | "ruby" => {
            let in_place = arguments.texts().any(|word| {
                word.starts_with('-')
                    && !word.starts_with("--")
                    && word
                        .bytes()
                        .skip(1)
                        .take_while(u8::is_ascii_alphanumeric)
                        .take(6)
                        .any(|byte| byte == b'i')
            });
            if in_place {
                // `-pe CODE`: the word after a cluster that ends with `e` is code.
                let clusters: Vec<&str> = arguments
                    .texts()
                    .filter(|word| word.starts_with('-') && word.ends_with(['e', 'E']))
                    .collect();
                let files = arguments.operands_without(&clusters);
                if files.is_empty() {
                    own.write("unknown");
                }
                for file in files {
                    judge_target(file, own);
                }
            }
        }
        "split" | "csplit" | "cpio" | "patch" | "sftp" => own.write("."),
        "pandoc" | "wkhtmltopdf" => {
            if let Some(file) = arguments.value(&["-o", "--output"]) {
                judge_target(&file, own);
            }
        }
        "ffmpeg" | "convert" | "magick" | "rename" | "exiftool" => {
            if let Some(last) = arguments.operands().last().filter(|_| arguments.operands().nth(1).is_some())
            {
                judge_target(last, own);
            }
        }
        _ => {}
    }
}

fn delete_all<'c>(files: impl Iterator<Item = &'c CallWord>, own: &mut EffectTags) {
    let mut count = 0;
    for file in files {
        own.delete(&file.text);
        count += 1;
    }
    if count == 0 {
        own.delete("unknown");
    }
}

fn write_all(files: Vec<&CallWord>, own: &mut EffectTags) {
    if files.is_empty() {
        own.write("unknown");
    }
    for file in files {
        judge_target(file, own);
    }
}

fn write_to(folder: Option<CallWord>, own: &mut EffectTags) {
    own.write(folder.map_or(".".to_owned(), |folder| folder.text).as_str());
}

fn copies(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let valued = match name {
        "rsync" => {
            &["-e", "--rsh", "--exclude", "--include", "--files-from", "-f", "--filter", "-T", "--bwlimit"]
                as &[&str]
        }
        "scp" => &["-P", "-i", "-o", "-F", "-l", "-J", "-c", "-S"],
        "install" => &["-m", "-o", "-g", "-S", "--mode", "--owner", "--group"],
        _ => &["-S", "--suffix"],
    };
    let target =
        if matches!(name, "rsync" | "scp") { None } else { arguments.value(&["-t", "--target-directory"]) };
    let operands = arguments.operands_without(valued);
    match (target, operands.as_slice()) {
        (Some(folder), _) => own.write(&folder.text),
        (None, [.., last]) if operands.len() > 1 => judge_target(last, own),
        (None, _) => own.write("."),
    }
    if matches!(name, "rsync" | "scp") {
        for operand in &operands {
            let remote =
                operand.text.split_once(':').filter(|(host, _)| !host.contains('/') && host.len() > 1);
            if let Some(host) = remote.and_then(|(host, _)| host_of(host)) {
                own.network(host);
            }
        }
        let deletes = arguments
            .texts()
            .any(|word| word.starts_with("--delete") || word == "--del" || word == "--remove-source-files");
        if let Some(last) = operands.last().filter(|_| deletes) {
            own.delete(&last.text);
        }
    }
}

fn judge_tar(arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let first = arguments.texts().next().unwrap_or_default();
    let old = if first.starts_with('-') { "" } else { first };
    let mode = |letter: char, long: &[&str]| {
        old.contains(letter) || arguments.has_letter(letter) || arguments.has(long)
    };
    let runs = arguments.has(&[
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "-I",
        "--info-script",
        "-F",
    ]);
    if runs {
        own.shell("tar");
    }
    let file = arguments.value(&["-f", "--file"]).or_else(|| {
        let place = arguments
            .texts()
            .position(|word| word == old || (word.starts_with('-') && word.ends_with('f')))?;
        arguments.texts().nth(place + 1).map(CallWord::constant)
    });
    if mode('x', &["--extract", "--get"]) {
        if !mode('O', &["--to-stdout"]) {
            write_to(arguments.value(&["-C", "--directory", "--one-top-level"]), own);
        }
    } else if mode('c', &["--create"])
        || mode('r', &["--append"])
        || mode('u', &["--update"])
        || mode('A', &["--concatenate"])
    {
        match file.filter(|file| file.text != "-") {
            Some(file) => judge_target(&file, own),
            None => own.shell("tar"),
        }
    } else if arguments.has(&["--delete"]) {
        own.delete("unknown");
    }
}
