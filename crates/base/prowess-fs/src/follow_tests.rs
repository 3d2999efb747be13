use super::*;

const LIMITS: FollowLimits = FollowLimits { timeout: Duration::from_mins(1), kept: 1000 };

fn shell(script: &str, limits: FollowLimits, cancel: &AtomicBool) -> (Followed, Vec<(Stream, String)>) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    let mut told = Vec::new();
    let mut on_piece =
        |stream: Stream, piece: &[u8]| told.push((stream, String::from_utf8_lossy(piece).into_owned()));
    let followed = follow(command, limits, cancel, &mut on_piece).expect("it starts");
    (followed, told)
}

fn run(script: &str, limits: FollowLimits) -> Followed {
    shell(script, limits, &AtomicBool::new(false)).0
}

#[test]
fn what_it_says_is_passed_on_and_kept() {
    let (followed, told) = shell("echo out; echo err >&2; exit 3", LIMITS, &AtomicBool::new(false));
    let expected = Followed { end: FollowEnd::Exited(3), stdout: "out\n".into(), stderr: "err\n".into() };
    assert_eq!(followed, expected);
    assert!(told.contains(&(Stream::Output, "out\n".to_owned())), "{told:?}");
    assert!(told.contains(&(Stream::Errors, "err\n".to_owned())), "{told:?}");
    assert!(follow(Command::new("/nonexistent"), LIMITS, &AtomicBool::new(false), &mut |_, _| {}).is_err());
}

#[test]
fn it_reads_nothing_and_leads_its_own_group() {
    let followed = run("cat; ps -o pgid= -p $$ | tr -d ' '; echo $$", LIMITS);
    let lines: Vec<&str> = followed.stdout.lines().collect();
    assert_eq!(lines.first(), lines.last(), "{followed:?}");
}

#[test]
fn only_the_end_is_kept() {
    let followed = run("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done", LIMITS);
    assert!(followed.stdout.starts_with("[… ") && followed.stdout.ends_with("line 1999\n"), "{followed:?}");
    assert!(followed.stdout.len() < 1100);
}

#[test]
fn it_is_ended_with_everything_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let script = format!("sleep 600 & echo $! >> {0}; echo $$ >> {0}; wait", pids.display());
    let short = FollowLimits { timeout: Duration::from_millis(300), ..LIMITS };
    assert_eq!(run(&script, short).end, FollowEnd::TimedOut);
    assert_gone(&pids);
    // One that does not listen, and has a child that does not either.
    let deaf = format!("trap '' TERM; {script}");
    assert_eq!(run(&deaf, short).end, FollowEnd::TimedOut);
    assert_gone(&pids);
}

#[test]
fn it_is_ended_when_nobody_wants_it() {
    let cancel = AtomicBool::new(false);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "echo started; sleep 600"]);
    // Whoever hears the first word has heard enough.
    let mut on_piece = |_: Stream, _: &[u8]| cancel.store(true, Ordering::Relaxed);
    let followed = follow(command, LIMITS, &cancel, &mut on_piece).expect("it starts");
    assert_eq!((followed.end, followed.stdout.as_str()), (FollowEnd::Cancelled, "started\n"));
}

#[test]
fn what_stays_behind_does_not_hold_us() {
    let folder = tempfile::tempdir().expect("a folder");
    let pids = folder.path().join("pids");
    let followed = run(&format!("sleep 600 & echo $! >> {}; echo done", pids.display()), LIMITS);
    assert_eq!((followed.end, followed.stdout.as_str()), (FollowEnd::Exited(0), "done\n"));
    assert_gone(&pids);
    assert_eq!(run("exec >&- 2>&-; exit 4", LIMITS).end, FollowEnd::Exited(4));
    assert_eq!(run("kill -9 $$", LIMITS).end, FollowEnd::Killed);
}

/// Waits until none of the processes runs; one that nobody waited for yet does not run any more.
fn assert_gone(pids: &std::path::Path) {
    let text = std::fs::read_to_string(pids).expect("pids");
    for pid in text.split_whitespace() {
        let runs = || {
            let shown = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps");
            let state = String::from_utf8_lossy(&shown.stdout).trim().to_owned();
            !state.is_empty() && !state.starts_with('Z')
        };
        prowess_testkit::wait_until("the end of a process", || !runs());
    }
}
