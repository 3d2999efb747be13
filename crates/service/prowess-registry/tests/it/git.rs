//! Real repositories, read by the real git.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use prowess_registry::{Fetched, GitError, GitOptions, SourceContext, SourceError, SourceReference, fetch};
use tempfile::TempDir;

use crate::support::{paths, with_context};

/// A repository with several skills, a link, a script and things that must have no effect.
struct Repository(TempDir);

impl Repository {
    fn new(files: &[(&str, &str)]) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.commit(files);
        repository
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.0.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, files: &[(&str, &str)]) -> String {
        for (path, text) in files {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "--quiet", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn url(&self) -> String {
        format!("git+file://{}", self.0.path().display())
    }
}

fn get(reference: &str) -> Result<Fetched, SourceError> {
    let reference: SourceReference = reference.parse().unwrap();
    with_context("http://127.0.0.1:1", Path::new("/"), |context| fetch(&reference, context, &mut |_, _| {}))
}

fn with_git<T>(
    change: impl FnOnce(&mut GitOptions<'_>),
    reference: &str,
    check: impl FnOnce(SourceError) -> T,
) -> T {
    let reference: SourceReference = reference.parse().unwrap();
    with_context("http://127.0.0.1:1", Path::new("/"), |context| {
        let mut git = context.git;
        change(&mut git);
        let context = SourceContext { git, ..*context };
        check(fetch(&reference, &context, &mut |_, _| {}).unwrap_err())
    })
}

#[test]
fn a_skill_at_the_root_with_its_modes() {
    let repository =
        Repository::new(&[("SKILL.md", "# A"), ("run.sh", "echo"), (".gitattributes", "*.md filter=evil")]);
    repository.commit(&[("b/x.bin", "\0\u{1}")]);
    repository.git(&["update-index", "--chmod=+x", "run.sh"]);
    repository.git(&["commit", "--quiet", "-m", "x"]);
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let fetched = get(&repository.url()).unwrap();
    assert_eq!(paths(&fetched.bundle), [".gitattributes", "SKILL.md", "b/x.bin", "run.sh"]);
    let executable: Vec<&str> =
        fetched.bundle.files.iter().filter(|file| file.executable).map(|file| file.path.as_str()).collect();
    assert_eq!(executable, ["run.sh"]);
    assert_eq!(fetched.resolved.commit, Some(commit));
    assert_eq!(fetched.resolved.path, None);
}

#[test]
fn branches_tags_and_commits() {
    let repository = Repository::new(&[("SKILL.md", "one")]);
    let first = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["tag", "-a", "v1", "-m", "v1"]);
    repository.git(&["checkout", "--quiet", "-b", "feature/x"]);
    repository.commit(&[("SKILL.md", "two")]);
    repository.git(&["checkout", "--quiet", "main"]);
    let text = |revision: &str| {
        let fetched = get(&format!("{}{revision}", repository.url())).unwrap();
        String::from_utf8(fetched.bundle.files[0].bytes.clone()).unwrap()
    };
    assert_eq!(text(""), "one");
    assert_eq!(text("#v1"), "one");
    assert_eq!(text("#feature/x"), "two");
    assert_eq!(text(&format!("#{first}")), "one");
    let error = get(&format!("{}#none", repository.url())).unwrap_err();
    assert!(
        matches!(error, SourceError::Git(GitError::Failed { action: "fetch the repository", .. })),
        "{error}"
    );
}

#[test]
fn one_of_several_skills() {
    let files = [
        ("README.md", ""),
        ("skills/a/SKILL.md", "# A"),
        ("skills/b/SKILL.md", "# B"),
        ("skills/b/r/x", "1"),
    ];
    let repository = Repository::new(&files);
    // A server that leaves the files out until they are asked for.
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    repository.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let fetched = get(&format!("{}#:skills/b", repository.url())).unwrap();
    assert_eq!(paths(&fetched.bundle), ["SKILL.md", "r/x"]);
    assert_eq!(fetched.bundle.files[0].bytes, b"# B");
    assert_eq!((fetched.resolved.name.as_str(), fetched.resolved.path.as_deref()), ("b", Some("skills/b")));
    let error = get(&repository.url()).unwrap_err();
    assert!(matches!(error, SourceError::Several { .. }));
    assert!(error.to_string().contains(&format!("`{}#:skills/a`", repository.url())), "{error}");
    let error = get(&format!("{}#main:other/b", repository.url())).unwrap_err();
    let SourceError::NotASkill { candidates, .. } = error else { panic!("{error}") };
    assert_eq!(candidates, [format!("{}#main:skills/b", repository.url())]);
}

#[cfg(unix)]
#[test]
fn links_and_submodules_are_left_out_and_hooks_do_not_run() {
    let repository = Repository::new(&[("SKILL.md", "# A")]);
    let canary = repository.0.path().join("canary");
    std::os::unix::fs::symlink("/etc/passwd", repository.0.path().join("link")).unwrap();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},module")]);
    fs::write(
        repository.0.path().join(".gitmodules"),
        "[submodule \"module\"]\n\tpath = module\n\turl = ./x\n",
    )
    .unwrap();
    repository.git(&["add", "link", ".gitmodules"]);
    repository.git(&["commit", "--quiet", "-m", "x"]);
    for hook in ["post-checkout", "post-merge", "reference-transaction"] {
        let hook = repository.0.path().join(".git/hooks").join(hook);
        fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", canary.display())).unwrap();
        fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let fetched = get(&repository.url()).unwrap();
    assert_eq!(paths(&fetched.bundle), [".gitmodules", "SKILL.md"]);
    let left_out: Vec<&str> = fetched.left_out.iter().map(|left_out| left_out.path.as_str()).collect();
    assert_eq!(left_out, ["link", "module"]);
    assert!(!canary.exists());
}

#[test]
fn files_on_this_machine_are_refused_unless_allowed() {
    let repository = Repository::new(&[("SKILL.md", "# A")]);
    with_git(
        |git| git.allow_local = false,
        &repository.url(),
        |error| {
            assert!(matches!(error, SourceError::Git(GitError::Refused { .. })), "{error}");
        },
    );
}

#[test]
fn the_environment_of_git_is_its_own() {
    let repository = Repository::new(&[("SKILL.md", "# A")]);
    let canary = repository.0.path().join("canary");
    let path = ("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned());
    let hostile = [
        path,
        ("GIT_TRACE".to_owned(), canary.display().to_string()),
        ("git_exec_path".to_owned(), "/nowhere".to_owned()),
        ("GIT_CONFIG_COUNT".to_owned(), "broken".to_owned()),
    ];
    let reference: SourceReference = repository.url().parse().unwrap();
    let fetched = with_context("http://127.0.0.1:1", Path::new("/"), |context| {
        let mut git = GitOptions::new(Path::new("git"), &hostile);
        git.allow_local = true;
        let context = SourceContext { git, ..*context };
        fetch(&reference, &context, &mut |_, _| {})
    });
    assert!(fetched.is_ok(), "{fetched:?}");
    assert!(!canary.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_git_that_hangs_is_ended() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("git");
    let started = place.path().join("started");
    fs::write(&program, format!("#!/bin/sh\necho $$ > {}\nsleep 600 & wait\n", started.display())).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let reference: SourceReference = "a/b".parse().unwrap();
    with_context("http://127.0.0.1:1", Path::new("/"), |context| {
        let mut git = context.git;
        git.program = &program;
        git.time_limit = Duration::from_millis(1500);
        let context = SourceContext { git, ..*context };
        let error = fetch(&reference, &context, &mut |_, _| {}).unwrap_err();
        assert!(matches!(error, SourceError::Git(GitError::TimedOut { .. })), "{error}");
    });
    // On a busy machine it may not even have begun.
    if let Ok(id) = fs::read_to_string(started) {
        assert!(!Path::new("/proc").join(id.trim()).exists());
    }
}

#[test]
fn a_git_that_is_not_there() {
    with_git(
        |git| git.program = Path::new("/nowhere/git"),
        "a/b",
        |error| assert!(error.to_string().contains("is git installed?"), "{error}"),
    );
}
