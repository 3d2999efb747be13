use std::sync::atomic::Ordering;

use prowess_types::InstallKind;

use super::*;
use crate::deps::prepare;
use crate::deps::test_support::{Machine, loopback, package_spec};

fn plan(machine: &Machine, kind: InstallKind, package: &str) -> InstallPlan {
    prepare(&package_spec(kind, package), "demo", &machine.host()).unwrap()
}

#[test]
fn limits_are_sensible() {
    let seconds = |wanted: Option<u64>| clamp_timeout(wanted.map(Duration::from_secs)).as_secs();
    assert_eq!([seconds(None), seconds(Some(0)), seconds(Some(60)), seconds(Some(9999))], [300, 1, 60, 900]);
}

#[test]
fn an_installer_gets_exactly_its_arguments_and_variables() {
    let machine = Machine::with(&[]);
    machine.program("npm", "echo added 1 package");
    let (result, heard) = machine.install(&plan(&machine, InstallKind::Node, "semver@7.6.0"));
    assert_eq!((result.ok, result.message.as_str(), result.code), (true, "Installed", Some(0)));
    assert_eq!(result.stdout, "added 1 package");
    assert!(heard.starts_with("> NPM_CONFIG_PREFIX=") && heard.ends_with("added 1 package\n"), "{heard}");
    let log = machine.log();
    let lines: Vec<&str> =
        log.lines().filter(|line| !line.starts_with("_=") && !line.starts_with("SHLVL=")).collect();
    let expected = [
        "run npm [install] [-g] [--ignore-scripts] [semver@7.6.0]",
        "[ROOT]/tools",
        "HOME=[ROOT]/home",
        "NPM_CONFIG_PREFIX=[ROOT]/tools/node/npm",
        "PATH=[ROOT]/bin",
        "PWD=[ROOT]/tools",
        "npm_config_prefix=[ROOT]/tools/node/npm",
    ];
    assert_eq!(lines, expected);
    assert!(machine.path("tools/node/npm").is_dir());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(machine.path("tools/node/npm")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[test]
fn a_failure_is_told_in_its_best_line() {
    let machine = Machine::with(&[]);
    machine
        .program("brew", "echo trying; echo 'Warning: old' >&2; echo 'Error: No formula \"x\"' >&2; exit 1");
    let (result, _) = machine.install(&plan(&machine, InstallKind::Brew, "x"));
    assert_eq!(result.message, "Install failed (exit 1): Error: No formula \"x\"");
    assert_eq!((result.ok, result.code, result.stdout.as_str()), (false, Some(1), "trying"));
}

#[test]
fn what_has_to_be_there_first_is_installed_first() {
    let machine = Machine::with(&[]);
    machine.program("brew", "[ \"$2\" = uv ] && /bin/cp \"$0\" \"${0%/*}/uv\"");
    let (result, heard) = machine.install(&plan(&machine, InstallKind::Uv, "nano-pdf"));
    // The copy that stands for uv does not know `nano-pdf`.
    assert_eq!((result.ok, result.message.as_str()), (false, "Install failed (exit 1)"));
    assert_eq!(machine.calls(), ["brew [install] [uv]", "uv [tool] [install] [nano-pdf]"]);
    assert_eq!(heard, "> brew install uv\n> uv tool install nano-pdf\n");

    let machine = Machine::with(&[]);
    machine.program("brew", "echo no >&2; exit 7");
    let (result, _) = machine.install(&plan(&machine, InstallKind::Uv, "nano-pdf"));
    assert_eq!(
        (result.message.as_str(), result.code, result.stderr.as_str()),
        ("Failed to install uv (brew)", Some(7), "no")
    );
    let (result, _) = machine.install(&plan(&machine, InstallKind::Go, "x@v1"));
    assert_eq!(result.message, "Failed to install go (brew)");
    assert_eq!(machine.calls(), ["brew [install] [uv]", "brew [install] [go]"]);
}

#[test]
fn go_comes_from_apt_if_it_is_recent_enough() {
    let machine = Machine::with(&[]);
    machine.program(
        "apt-get",
        "[ \"$1\" = update ] && exit 100; /bin/cp \"${0%/*}/go-when-there\" \"${0%/*}/go\"",
    );
    machine.program("go-when-there", "");
    machine.program("apt-cache", "printf 'golang-go:\\n  Installed: (none)\\n  Candidate: 2:1.22~3\\n'");
    let plan_go = plan(&machine, InstallKind::Go, "x@v1");
    let (result, _) = machine.install(&plan_go);
    assert_eq!((result.ok, result.message.as_str()), (true, "Installed"), "{result:?}");
    let calls = [
        "apt-get [update] [-qq]",
        "apt-cache [policy] [golang-go]",
        "apt-get [install] [-y] [golang-go]",
        "go [install] [x@v1]",
    ];
    assert_eq!(machine.calls(), calls, "a refresh that fails is no reason to stop");
    assert!(machine.log().contains("GOBIN=[ROOT]/home/.local/bin\n"));

    machine.program("apt-cache", "echo '  Candidate: 1.19.8-2'");
    let (result, _) = machine.install(&plan_go);
    let old = "go not installed — apt does not provide a usable Go 1.21+ package. Install manually: https://go.dev/doc/install";
    assert_eq!((result.message.as_str(), result.skip_reason), (old, Some(SkipReason::Go)));
    machine.program("apt-cache", "exit 3");
    let (result, _) = machine.install(&plan_go);
    assert_eq!(
        result.message,
        "go not installed — automatic install via apt failed. Install manually: https://go.dev/doc/install"
    );
}

#[test]
fn versions_of_candidates() {
    let table = [
        ("Candidate: 2:1.22~3", Some((1, 22))),
        ("x\n  Candidate: 1.19.8-2\n", Some((1, 19))),
        ("Candidate: (none)", None),
        ("", None),
    ];
    for (policy, version) in table {
        assert_eq!(candidate_version(policy), version, "{policy}");
    }
}

#[test]
fn a_go_that_is_too_old_is_a_reason_of_its_own() {
    let machine = Machine::with(&[]);
    let says = "go: x@v1 requires go >= 1.24 (running go 1.21.0; GOTOOLCHAIN=local)";
    machine.program("go", &format!("echo '{says}' >&2; exit 1"));
    let (result, _) = machine.install(&plan(&machine, InstallKind::Go, "x@v1"));
    assert_eq!(
        (result.message, result.skip_reason),
        (format!("Install failed (exit 1): {says}"), Some(SkipReason::Go))
    );
    machine.program("go", "echo 'no such module' >&2; exit 1");
    assert_eq!(machine.install(&plan(&machine, InstallKind::Go, "x@v1")).0.skip_reason, None);
}

#[test]
fn a_changed_plan_is_not_run() {
    let machine = Machine::with(&["npm"]);
    let good = plan(&machine, InstallKind::Node, "semver");
    let mut other_package = good.clone();
    other_package.package = Some("--registry=http://x".to_owned());
    let mut other_command = good;
    if let InstallStep::Command(step) = &mut other_command.steps[0] {
        step.argv.push("--unsafe-perm".to_owned());
    }
    for changed in [other_package, other_command] {
        let (result, _) = machine.install(&changed);
        assert!(!result.ok && result.code.is_none(), "{result:?}");
    }
    assert_eq!(machine.calls(), Vec::<String>::new());
}

#[test]
fn a_program_that_is_gone_by_now_is_named() {
    let machine = Machine::with(&["pipx"]);
    let plan = plan(&machine, InstallKind::Pipx, "black");
    std::fs::remove_file(machine.path("bin/pipx")).unwrap();
    let (result, _) = machine.install(&plan);
    assert_eq!(result.message, "pipx not found on PATH");
    // Nor is one that lies in whatever folder one happens to be in.
    let mut host = machine.host();
    host.environment[1].1 = "bin:.".to_owned();
    assert_eq!(host.find("pipx"), None);
}

#[test]
fn time_runs_out_and_people_change_their_minds() {
    let machine = Machine::with(&[]);
    machine.program("brew", "echo working; exec /bin/sleep 600");
    let plan = plan(&machine, InstallKind::Brew, "gh");
    let client = loopback();
    let mut quiet = |_: InstallEvent<'_>| {};
    let mut short =
        InstallRun { timeout: Duration::from_secs(1), ..crate::deps::test_support::run(&client, &mut quiet) };
    let result = install(&plan, &machine.host(), &mut short);
    assert_eq!(
        (result.ok, result.message.as_str(), result.code),
        (false, "Install failed (timed out after 1 s): working", None)
    );

    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let mut stop = move |event: InstallEvent<'_>| {
        if matches!(event, InstallEvent::Says(..)) {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let mut run = InstallRun { cancel, ..crate::deps::test_support::run(&client, &mut stop) };
    let result = install(&plan, &machine.host(), &mut run);
    assert_eq!((result.ok, result.message.as_str(), result.code), (false, "Install cancelled", None));
}
