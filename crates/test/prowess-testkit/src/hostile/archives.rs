//! Archives that are hostile to installers.

use super::Expect::{Either, Extract, ExtractFlat, ExtractMasked, RefuseAll, RefuseOrTell};
use super::pack::{Entry, Record, end, tar_gz, zip};
use super::{Expect, front};

/// One hostile archive, as bytes.
#[derive(Clone, Debug)]
pub struct HostileArchive {
    /// Its name, whose suffix tells its kind.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What must happen.
    pub expect: Expect,
    /// What is hostile about it.
    pub why: &'static str,
}

/// Every hostile archive. Entries that leave their folder point to `outside/`, or to files that do not exist.
pub fn archives() -> Vec<HostileArchive> {
    let mut made = Made::default();
    escapes(&mut made);
    names(&mut made);
    bombs(&mut made);
    damage(&mut made);
    tapes(&mut made);
    made.archives
}

#[derive(Default)]
struct Made {
    archives: Vec<HostileArchive>,
}

impl Made {
    fn archive(&mut self, name: &'static str, bytes: impl AsRef<[u8]>, expect: Expect, why: &'static str) {
        self.archives.push(HostileArchive { name, bytes: bytes.as_ref().to_vec(), expect, why });
    }
}

fn good() -> Entry {
    Entry::new("good/SKILL.md", front("good", "x"))
}

fn with(entries: impl IntoIterator<Item = Entry>) -> Vec<u8> {
    zip(&[good()].into_iter().chain(entries).collect::<Vec<_>>(), true)
}

/// Bytes that do not compress, the same in every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(length).collect()
}

fn escapes(made: &mut Made) {
    made.archive("ok.zip", with([Entry::new("good/scripts/a.sh", "echo hi\n")]), Extract, "a good archive");
    for (case, name) in [
        ("slip-dotdot.zip", "../outside/owned.txt"),
        ("slip-deep.zip", "good/a/../../../outside/owned.txt"),
        ("slip-abs.zip", "/etc/owned.txt"),
        ("slip-backslash.zip", "..\\outside\\owned.txt"),
        ("slip-drive.zip", "C:/owned.txt"),
        ("slip-unc.zip", "//server/share/owned.txt"),
    ] {
        made.archive(case, with([Entry::new(name, "x")]), RefuseAll, "an entry that leaves the folder");
    }
    let link = Entry::with_mode("good/l", "../../outside", 0o120_777);
    made.archive(
        "link-then-write.zip",
        with([link, Entry::new("good/l/owned.txt", "x")]),
        RefuseAll,
        "a link, then a file through it",
    );
    made.archive(
        "link-abs.zip",
        with([Entry::with_mode("good/pw", "/etc/passwd", 0o120_777)]),
        RefuseAll,
        "an absolute link",
    );
    made.archive(
        "setuid.zip",
        with([Entry::with_mode("good/su", "x", 0o104_755)]),
        ExtractMasked,
        "the setuid bit must be dropped",
    );
}

fn names(made: &mut Made) {
    let two = |left: &str, right: &str| with([Entry::new(left, "1"), Entry::new(right, "2")]);
    made.archive(
        "dup-names.zip",
        two("good/a.sh", "good/a.sh"),
        RefuseAll,
        "scanner and extractor may see different bytes",
    );
    made.archive("case-collide.zip", two("good/A.sh", "good/a.sh"), RefuseOrTell, "paths equal but for case");
    made.archive(
        "nfc-collide.zip",
        two("good/caf\u{e9}", "good/cafe\u{301}"),
        RefuseOrTell,
        "paths equal after normalisation",
    );
    made.archive("file-as-dir.zip", two("good/x", "good/x/y"), RefuseAll, "a file is also a folder");
    let reserved = ["good/NUL", "good/aux.md", "good/trail. "].map(|name| Entry::new(name, "x"));
    made.archive("win-names.zip", with(reserved), RefuseOrTell, "reserved and trailing-dot names");
    made.archive(
        "nul-name.zip",
        with([Entry::new("good/a\0b.sh", "x")]),
        RefuseAll,
        "a NUL in an entry name",
    );
    made.archive(
        "long-name.zip",
        with([Entry::new(&format!("good/{}", "n".repeat(5000)), "x")]),
        RefuseAll,
        "a name of 5,000 bytes",
    );
    made.archive(
        "deep-name.zip",
        with([Entry::new(&format!("good/{}f", "d/".repeat(500)), "x")]),
        RefuseOrTell,
        "500 nested folders",
    );
}

fn bombs(made: &mut Made) {
    made.archive(
        "bomb-flat.zip",
        with([Entry::new("good/z", vec![0; 60 << 20])]),
        RefuseAll,
        "grows a thousand times",
    );
    let mut inner = zip(&[Entry::new("i", vec![0; 20 << 20])], true);
    for _ in 0..3 {
        inner = zip(
            &(0..8).map(|number| Entry::new(&format!("n{number}.zip"), &inner)).collect::<Vec<_>>(),
            true,
        );
    }
    made.archive(
        "bomb-nested.zip",
        with([Entry::new("good/n.zip", inner)]),
        ExtractFlat,
        "what is packed inside stays packed",
    );
    let many: Vec<Entry> = [good()]
        .into_iter()
        .chain((0..60_000).map(|number| Entry::new(&format!("good/e{number}"), "")))
        .collect();
    made.archive("many-entries.zip", zip(&many, false), RefuseAll, "60,000 entries");
    made.archive("bomb-overlap.zip", overlapping(), RefuseAll, "200 entries share one block");
    let lying = with([Entry::new("good/lie", vec![b'A'; 100_000])]);
    made.archive(
        "lying-size.zip",
        replace(&lying, &100_000_u32.to_le_bytes(), &10_u32.to_le_bytes()),
        RefuseAll,
        "says 10 bytes, holds 100,000",
    );
}

fn overlapping() -> Vec<u8> {
    let whole = zip(&[Entry::new("good/o", vec![0; 4 << 20])], true);
    let place = |mark: &[u8]| whole.windows(4).position(|window| window == mark).expect("the mark");
    let (list, stop) = (place(b"PK\x01\x02"), place(b"PK\x05\x06"));
    let record = &whole[list..stop];
    let records: Vec<u8> = (0..200)
        .flat_map(|number| {
            let name = format!("good/o{number:03}");
            let mut copy = record[..46].to_vec();
            copy[28..30].copy_from_slice(&u16::try_from(name.len()).expect("short").to_le_bytes());
            copy.extend(name.as_bytes());
            copy
        })
        .collect();
    end(whole[..list].to_vec(), &records, 200)
}

fn replace(bytes: &[u8], from: &[u8; 4], to: &[u8; 4]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for at in 0..changed.len().saturating_sub(3) {
        if &changed[at..at + 4] == from {
            changed[at..at + 4].copy_from_slice(to);
        }
    }
    changed
}

fn damage(made: &mut Made) {
    let mut flipped = zip(&[good(), Entry::new("good/a", noise(64))], false);
    flipped[60] ^= 0xff;
    made.archive("bad-crc.zip", flipped, RefuseAll, "the checksum does not match");
    let cut = with([Entry::new("good/a", noise(5000))]);
    made.archive("truncated.zip", &cut[..cut.len() - 900], RefuseAll, "no entry list");
    let cut = with([Entry::new("good/a", noise(50_000))]);
    made.archive("truncated-mid.zip", &cut[..20_000], RefuseAll, "cut in the middle of an entry");
    made.archive(
        "prefix-junk.zip",
        [b"#!/bin/sh\nexit 0\n".as_slice(), &with([])].concat(),
        Either,
        "something in front",
    );
    let other = zip(&[Entry::new("good/SKILL.md", front("other", "y"))], true);
    made.archive(
        "two-eocd.zip",
        [with([Entry::new("good/a", "1")]), other].concat(),
        RefuseAll,
        "two archives glued together",
    );
    let mut encrypted = with([Entry::new("good/enc", "secret")]);
    for (mark, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> =
            (0..encrypted.len() - 4).filter(|start| &encrypted[*start..start + 4] == mark).collect();
        for start in places {
            encrypted[start + at] |= 1;
        }
    }
    made.archive("encrypted.zip", encrypted, RefuseAll, "encrypted entries");
    made.archive("comment-inject.zip", with([]), Extract, "the same bytes as a good one");
    made.archive("empty.zip", zip(&[], true), RefuseAll, "nothing inside");
    made.archive(
        "not-a-zip.zip",
        [b"PK\x03\x04".as_slice(), &noise(400)].concat(),
        RefuseAll,
        "noise with a mark in front",
    );
}

fn tapes(made: &mut Made) {
    let text = front("good", "x");
    let skill = || Record::file("good/SKILL.md", text.as_bytes());
    made.archive("ok.tar.gz", tar_gz(&[skill()]), Extract, "a good archive");
    for (case, name) in [
        ("dotdot.tar.gz", "../outside/owned.txt"),
        ("abs.tar.gz", "/etc/owned.txt"),
        ("strip-escape.tar.gz", "a/../../outside/owned.txt"),
    ] {
        made.archive(
            case,
            tar_gz(&[skill(), Record::file(name, b"x")]),
            RefuseAll,
            "an entry that leaves the folder",
        );
    }
    let through =
        [skill(), Record::special("good/l", b'2', "../../outside"), Record::file("good/l/owned.txt", b"x")];
    made.archive("sym-then-write.tar.gz", tar_gz(&through), RefuseAll, "a link, then a file through it");
    let hard =
        [skill(), Record::special("good/h", b'1', "../outside/canary.txt"), Record::file("good/h", b"x")];
    made.archive("hardlink.tar.gz", tar_gz(&hard), RefuseAll, "a hard link out, then a file through it");
    made.archive("fifo.tar.gz", tar_gz(&[skill(), Record::special("good/f", b'6', "")]), RefuseAll, "a pipe");
    made.archive(
        "device.tar.gz",
        tar_gz(&[skill(), Record::special("good/d", b'3', "")]),
        RefuseAll,
        "a device",
    );
    let path = b"29 path=../outside/owned.txt\n";
    let extended = Record { name: "good/x", kind: b'x', target: "", content: path, mode: 0o644 };
    made.archive(
        "pax-path.tar.gz",
        tar_gz(&[skill(), extended, Record::file("good/ok.txt", b"x")]),
        RefuseAll,
        "an extended header changes the path",
    );
    let setuid = Record { mode: 0o6755, ..Record::file("good/su", b"x") };
    made.archive("setuid.tar.gz", tar_gz(&[skill(), setuid]), ExtractMasked, "setuid");
    made.archive(
        "bomb.tar.gz",
        tar_gz(&[skill(), Record::file("good/z", &vec![0; 60 << 20])]),
        RefuseAll,
        "grows a thousand times",
    );
    let cut = tar_gz(&[skill(), Record::file("good/r", &noise(40_000))]);
    made.archive("truncated.tar.gz", &cut[..20_000], RefuseAll, "a cut stream");
    let tail = tar_gz(&[Record::file("../outside/owned.txt", b"x")]);
    made.archive(
        "gzip-tail.tar.gz",
        [tar_gz(&[skill()]), tail].concat(),
        RefuseAll,
        "a second stream behind the first",
    );
}
