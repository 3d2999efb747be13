//! What a confined program can do, where the kernel confines; that nothing starts where it must and cannot.
#![allow(clippy::print_stderr, reason = "a test that cannot run here says so")]

use prowess_run::ProtectedPlaces;
use prowess_run::process::{End, Program, ProgramInput, Sandbox, SandboxMode};

use super::{finish, shell, usual};

struct Place {
    folder: tempfile::TempDir,
    sandbox: Sandbox,
}

/// A folder with a workspace, an outside, and a hidden place with a skill in it.
fn place(mode: SandboxMode) -> Place {
    let folder = tempfile::tempdir().unwrap();
    for sub in ["workspace", "outside", "state/skills/tea"] {
        std::fs::create_dir_all(folder.path().join(sub)).unwrap();
    }
    std::fs::write(folder.path().join("outside/note"), "a note").unwrap();
    std::fs::write(folder.path().join("state/config"), "planted-secret").unwrap();
    std::fs::write(folder.path().join("state/skills/tea/SKILL.md"), "how to make tea").unwrap();
    let sandbox = Sandbox {
        mode,
        writable: vec![folder.path().join("workspace")],
        protected: ProtectedPlaces {
            hidden: vec![folder.path().join("state")],
            open: vec![folder.path().join("state/skills/tea")],
            secrets: vec![folder.path().join("state/config")],
        },
    };
    Place { folder, sandbox }
}

impl Place {
    fn shell(&self, command: &str) -> Program {
        shell(command, &self.folder.path().join("workspace")).sandbox(self.sandbox.clone())
    }
}

fn is_supported() -> bool {
    let is_supported = Sandbox::is_supported();
    if !is_supported {
        eprintln!("skipped: this kernel does not confine programs");
    }
    is_supported
}

#[tokio::test]
async fn a_confined_program_writes_only_where_it_may() {
    if !is_supported() {
        return;
    }
    let place = place(SandboxMode::Require);
    let command = "echo ok > inside && echo ok > /dev/null; echo no > ../outside/new; echo no >> ../outside/note; \
        rm -f ../outside/note; mv inside ../outside/moved; ln -s /etc/passwd link && cat ../outside/note";
    for input in [ProgramInput::None, ProgramInput::Terminal] {
        let (_, output) = finish(&place.shell(command).input(input), &usual()).await;
        assert!(output.text.ends_with("a note"), "reading is allowed: {}", output.text);
        assert!(!place.folder.path().join("outside/new").exists());
        assert!(!place.folder.path().join("outside/moved").exists());
        assert_eq!(std::fs::read_to_string(place.folder.path().join("outside/note")).unwrap(), "a note");
        assert_eq!(std::fs::read_to_string(place.folder.path().join("workspace/inside")).unwrap(), "ok\n");
        std::fs::remove_file(place.folder.path().join("workspace/link")).unwrap();
    }
}

#[tokio::test]
async fn a_confined_program_does_not_read_what_is_hidden() {
    if !is_supported() {
        return;
    }
    let place = place(SandboxMode::Auto);
    let command = "cat ../state/config; ln -s ../state/config way; cat way; cat ../state/skills/tea/SKILL.md";
    let (end, output) = finish(&place.shell(command), &usual()).await;
    assert_eq!(end, End::Exited(0));
    assert!(!output.text.contains("planted"), "{}", output.text);
    assert!(output.text.ends_with("how to make tea"), "a skill's folder is readable: {}", output.text);
}

#[tokio::test]
async fn the_engine_itself_is_never_confined() {
    let place = place(SandboxMode::Auto);
    let (end, _) = finish(&place.shell("true"), &usual()).await;
    assert_eq!(end, End::Exited(0));
    std::fs::write(place.folder.path().join("outside/note"), "changed").unwrap();
    let (_, output) =
        finish(&shell("echo more >> note; cat note", &place.folder.path().join("outside")), &usual()).await;
    assert_eq!(output.text, "changedmore\n", "nor is what it starts without a sandbox");
    let off = Sandbox { mode: SandboxMode::Off, ..place.sandbox.clone() };
    let (_, output) = finish(&place.shell("cat ../state/config").sandbox(off), &usual()).await;
    assert_eq!(output.text, "planted-secret");
}

#[tokio::test]
async fn a_required_sandbox_holds_or_nothing_starts() {
    let place = place(SandboxMode::Require);
    let started = place.shell("true").spawn(&usual()).await;
    assert_eq!(started.is_ok(), Sandbox::is_supported());
    if let Err(error) = started {
        assert!(error.to_string().starts_with("programs must be confined, but "), "{error}");
    }
}

#[tokio::test]
async fn a_wished_sandbox_says_when_it_does_not_hold() {
    let place = place(SandboxMode::Auto);
    let started = place.shell("true").spawn(&usual()).await.unwrap();
    assert_eq!(started.why_not_confined().is_none(), Sandbox::is_supported());
}

#[tokio::test]
async fn what_is_hidden_stays_hidden_in_a_writable_folder() {
    if !is_supported() {
        return;
    }
    let mut place = place(SandboxMode::Require);
    // The whole tree may be changed, as if the home were the workspace.
    place.sandbox.writable = vec![place.folder.path().to_owned()];
    let command = "cat ../state/config; echo no >> ../state/config; echo no > ../state/new; rm -f ../state/config; \
        mv ../state ../moved; ln ../state/config inside; cat inside; cat /proc/self/root$PWD/../state/config; \
        cat /proc/$PPID/root$PWD/../state/config; (cd ../state && cat config; cat /proc/self/cwd/config); \
        cp -r ../state copy; cat copy/config; (exec 3< ../state/config; cat <&3); \
        echo changed > ../outside/note; echo tea > ../state/skills/tea/new; cat ../state/skills/tea/SKILL.md";
    let (_, output) = finish(&place.shell(command), &usual()).await;
    assert!(!output.text.contains("planted"), "{}", output.text);
    let text_of = |file: &str| std::fs::read_to_string(place.folder.path().join(file)).unwrap();
    assert_eq!(text_of("state/config"), "planted-secret");
    assert_eq!(text_of("outside/note"), "changed\n", "the rest of the folder is writable: {}", output.text);
    assert!(!place.folder.path().join("state/new").exists());
    assert!(!place.folder.path().join("moved").exists());
    assert!(!place.folder.path().join("workspace/copy/config").exists());
}

#[tokio::test]
async fn nothing_starts_while_a_secret_has_a_second_name() {
    if !is_supported() {
        return;
    }
    for mode in [SandboxMode::Require, SandboxMode::Auto] {
        let place = place(mode);
        let (secret, copy) = (place.folder.path().join("state/config"), place.folder.path().join("copy"));
        std::fs::hard_link(&secret, &copy).unwrap();
        let Err(error) = place.shell("cat ../copy").spawn(&usual()).await else { panic!("it started") };
        let text = error.to_string();
        assert!(text.contains("has 2 names (hard links)") && text.contains("state/config"), "{text}");
        std::fs::remove_file(&copy).unwrap();
        let (end, _) = finish(&place.shell("true"), &usual()).await;
        assert_eq!(end, End::Exited(0));
    }
}
