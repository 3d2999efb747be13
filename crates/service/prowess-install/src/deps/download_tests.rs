use std::fs;
use std::io;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use prowess_net::{Client, NetOptions};
use prowess_testkit::hostile;
use prowess_testkit::web::{Answer, Fault, Web};

use super::*;
use crate::deps::test_support::{Machine, download_spec, loopback, run};
use crate::deps::{install, prepare};

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn serve(body: Vec<u8>) -> Web {
    Web::start(move |_| Answer::ok(body.clone()))
}

fn get(machine: &Machine, url: &str, change: impl FnOnce(&mut DownloadRecipe)) -> InstallResult {
    let plan = prepare(&download_spec(url, change), "demo", &machine.host()).unwrap();
    machine.install(&plan).0
}

/// Every file below the folder of tools, with what is in it.
fn tools(machine: &Machine) -> Vec<(String, String)> {
    let listing = prowess_fs::list_all(&machine.path("tools"), 1000, 10);
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    listing.entries.iter().map(|entry| (entry.relative.clone(), read(&entry.path))).collect()
}

#[test]
fn a_file_is_put_into_the_folder_of_its_skill() {
    let (machine, web) = (Machine::with(&[]), serve(b"#!/bin/sh\n".to_vec()));
    let result = get(&machine, &web.url("/d/tool.sh?token=1"), |_| {});
    let to = machine.path("tools/demo/tool.sh");
    assert_eq!(result.message, format!("Downloaded to {}", to.display()));
    assert_eq!((result.ok, result.stdout.as_str(), result.code), (true, "downloaded=10", Some(0)));
    assert_eq!(tools(&machine), [("demo/tool.sh".to_owned(), "#!/bin/sh\n".to_owned())]);
    // Once more replaces it.
    assert!(get(&machine, &web.url("/d/tool.sh"), |_| {}).ok);
    let result = get(&machine, &web.url("/"), |recipe| recipe.target_dir = Some("deep/er".to_owned()));
    assert!(result.ok && machine.path("tools/demo/deep/er/download").is_file(), "{result:?}");
}

#[test]
fn an_archive_is_unpacked_beside_what_is_there() {
    let machine = Machine::with(&[]);
    let web = serve(zip(&[("tool-1.0/bin/tool", "new"), ("tool-1.0/README", "read")]));
    fs::create_dir_all(machine.path("tools/demo/bin")).unwrap();
    fs::write(machine.path("tools/demo/bin/tool"), "old").unwrap();
    fs::write(machine.path("tools/demo/kept"), "kept").unwrap();
    let result = get(&machine, &web.url("/tool.ZIP"), |recipe| recipe.strip_components = Some(1));
    let into = machine.path("tools/demo");
    assert_eq!(
        (result.ok, result.message),
        (true, format!("Downloaded and extracted to {}", into.display()))
    );
    let expected = [("demo/README", "read"), ("demo/bin/tool", "new"), ("demo/kept", "kept")];
    assert_eq!(tools(&machine), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(machine.path("tools/demo/bin/tool")).unwrap().permissions().mode();
        assert_ne!(mode & 0o100, 0, "it can be run");
    }
    let result = get(&machine, &web.url("/whatever"), |recipe| {
        recipe.archive = Some(" ZIP ".to_owned());
        recipe.target_dir = Some("again".to_owned());
    });
    assert!(result.ok && machine.path("tools/demo/again/tool-1.0/README").is_file(), "{result:?}");
}

#[test]
fn kinds_of_archives() {
    let kind = |url: &str, archive: Option<&str>| {
        let recipe = DownloadRecipe {
            url: url.to_owned(),
            archive: archive.map(str::to_owned),
            ..DownloadRecipe::default()
        };
        super::kind(&recipe, &file_name(url)).map_err(|failure| failure.to_string())
    };
    let table = [
        ("https://x.example/a.tar.gz", None, Ok(ArchiveKind::TarGz)),
        ("https://x.example/a.TGZ?b", None, Ok(ArchiveKind::TarGz)),
        ("https://x.example/a.tar.bz2#c", None, Ok(ArchiveKind::TarBz2)),
        ("https://x.example/a.tbz2", None, Ok(ArchiveKind::TarBz2)),
        ("https://x.example/a", Some("tar.bz2"), Ok(ArchiveKind::TarBz2)),
        ("https://x.example/a.zip", Some("rar"), Err("unsupported archive type: rar".to_owned())),
        (
            "https://x.example/zip",
            None,
            Err("extract requested but archive type could not be detected".to_owned()),
        ),
    ];
    for (url, archive, expected) in table {
        assert_eq!(kind(url, archive), expected, "{url} {archive:?}");
    }
    assert_eq!(file_name("https://x.example"), "download");
    assert_eq!(file_name("https://x.example/a/.."), "download");
    assert_eq!(file_name("https://x.example/a/b c\\d"), "b-c-d");
}

#[test]
fn only_what_was_promised_is_kept() {
    let (machine, web) = (Machine::with(&[]), serve(b"bytes".to_vec()));
    let digest = prowess_fs::sha256_hex(b"bytes");
    assert!(get(&machine, &web.url("/a"), |recipe| recipe.sha256 = Some(digest.clone())).ok);
    let result = get(&machine, &web.url("/b"), |recipe| recipe.sha256 = Some("0".repeat(64)));
    assert!(!result.ok && result.message.contains(&format!("has the hash {digest}")), "{result:?}");
    assert_eq!((result.code, &result.stderr), (None, &result.message));
    assert_eq!(tools(&machine), [("demo/a".to_owned(), "bytes".to_owned())]);
}

#[test]
fn a_server_that_fails_leaves_nothing() {
    let machine = Machine::with(&[]);
    let cases = [
        Answer::status(404, "gone"),
        Answer::ok("0123456789").with(Fault::DieAfter(4)),
        Answer::ok("0123456789").claiming(300 << 20),
        Answer::ok("0123456789").with(Fault::HangUp),
        Answer::ok("not a zip"),
        Answer::redirect(302, "http://192.168.1.1/tool.zip"),
    ];
    for answer in cases {
        let shown = format!("{answer:?}");
        let web = Web::start(move |_| answer.clone());
        let result = get(&machine, &web.url("/tool.zip"), |_| {});
        assert!(!result.ok && result.code.is_none() && !result.message.is_empty(), "{shown}: {result:?}");
        assert_eq!(tools(&machine), [], "{shown}");
    }
}

#[test]
fn private_and_unencrypted_servers_are_refused() {
    let (machine, web) = (Machine::with(&[]), serve(Vec::new()));
    let strict = Client::new(NetOptions::default()).unwrap();
    let http = Client::new(NetOptions { allow_http: true, ..NetOptions::default() }).unwrap();
    let cases = [
        (&strict, web.url("/x"), "it is not on the public internet"),
        (&strict, "http://93.184.216.34/x".to_owned(), "only https is allowed"),
        (&http, web.url("/x"), "it is not on the public internet"),
        (&http, "http://0x7f000001/x".to_owned(), "its address is written in a misleading way"),
        (&strict, "https://10.1.2.3/x".to_owned(), "it is not on the public internet"),
        (&strict, "https://169.254.169.254/latest".to_owned(), "it is not on the public internet"),
    ];
    for (client, url, reason) in cases {
        let plan = prepare(&download_spec(&url, |_| {}), "demo", &machine.host()).unwrap();
        let result = install(&plan, &machine.host(), &mut run(client, &mut |_| {}));
        assert!(!result.ok && result.message.ends_with(reason), "{url}: {result:?}");
    }
    assert!(web.requests().is_empty() && tools(&machine).is_empty());
}

#[test]
fn hostile_archives_leave_nothing() {
    let mut refused = 0;
    for hostile in hostile::archives().into_iter().filter(|case| case.expect == hostile::Expect::RefuseAll) {
        let machine = Machine::with(&[]);
        let name = hostile.name;
        let web = serve(hostile.bytes);
        let result = get(&machine, &web.url(&format!("/{name}")), |recipe| recipe.extract = Some(true));
        assert!(!result.ok, "{name}: {result:?}");
        assert_eq!(tools(&machine), [], "{name}");
        refused += 1;
    }
    assert!(refused > 20, "{refused} archives");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let (machine, web) = (Machine::with(&[]), serve(zip(&[("bin/tool", "x")])));
    let outside = machine.path("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(machine.path("tools/demo")).unwrap();
    std::os::unix::fs::symlink(&outside, machine.path("tools/demo/bin")).unwrap();
    let result = get(&machine, &web.url("/a.zip"), |_| {});
    assert!(
        !result.ok && result.message.ends_with("demo/bin` already exists and is not a plain folder or file"),
        "{result:?}"
    );
    let result = get(&machine, &web.url("/a.bin"), |recipe| recipe.target_dir = Some("bin/x".to_owned()));
    assert!(
        !result.ok && result.message.ends_with("demo/bin` already exists and is not a plain folder or file"),
        "{result:?}"
    );
    std::os::unix::fs::symlink("/etc/passwd", machine.path("tools/demo/a.bin")).unwrap();
    let result = get(&machine, &web.url("/a.bin"), |_| {});
    assert!(
        !result.ok && result.message.ends_with("a.bin` already exists and is not a plain folder or file"),
        "{result:?}"
    );
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_download_can_be_stopped() {
    let machine = Machine::with(&[]);
    let web =
        Web::start(|_| Answer::ok(vec![b'x'; 1 << 20]).with(Fault::Drip(1024, Duration::from_millis(20))));
    let plan = prepare(&download_spec(&web.url("/big.bin"), |_| {}), "demo", &machine.host()).unwrap();
    let client = loopback();
    let cancel = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let mut stop = move |event: InstallEvent<'_>| {
        if matches!(event, InstallEvent::Received(1.., _)) {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let mut run = InstallRun { cancel, ..run(&client, &mut stop) };
    let result = install(&plan, &machine.host(), &mut run);
    assert_eq!((result.ok, result.message.as_str()), (false, "Install cancelled"));
    assert_eq!(tools(&machine), []);
}
