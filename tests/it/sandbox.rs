//! What is started is limited, told apart by how it ends, and gone afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use softmark::clock::Clock;
use softmark_sandbox::{
    Access, CompletedProcess, ExitReason, Job, Level, Limits, Sandbox, SandboxError,
};

const LIMITS: Limits = Limits {
    cpu_seconds: 5,
    wall: Duration::from_secs(20),
    memory_mebibytes: 256,
    file_mebibytes: 1,
    output_bytes: 1024,
    flood_bytes: 1024 * 1024,
    open_files: 64,
    threads: 64,
};

fn sandbox() -> Sandbox {
    Sandbox::new(PathBuf::from(env!("CARGO_BIN_EXE_grade")), Level::None)
}

/// A shell script to be run in `dir`.
fn script(dir: &Path, script: &str, limits: Limits) -> Job {
    Job {
        program: PathBuf::from("/bin/sh"),
        args: vec!["-c".into(), script.into()],
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        dir: dir.to_owned(),
        limits,
        access: Access::Unrestricted,
    }
}

fn run_within(text: &str, limits: Limits) -> CompletedProcess {
    let dir = tempfile::tempdir().unwrap();
    sandbox().run(&script(dir.path(), text, limits)).unwrap()
}

fn run(text: &str) -> CompletedProcess {
    run_within(text, LIMITS)
}

fn text(finished: &CompletedProcess) -> String {
    String::from_utf8(finished.log.clone()).unwrap()
}

/// The process ids in a file, once there are `count` of them.
fn pids(file: &Path, count: usize) -> Vec<u32> {
    let clock = Clock::start();
    loop {
        let pids = fs::read_to_string(file).unwrap_or_default();
        if pids.ends_with('\n') && pids.lines().count() == count {
            return pids.lines().map(|pid| pid.trim().parse().unwrap()).collect();
        }
        assert!(clock.elapsed() < Duration::from_secs(10), "{pids:?}");
        sleep(Duration::from_millis(5));
    }
}

fn lives(pid: u32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

#[test]
fn an_exit_code_comes_back_with_both_outputs() {
    let finished = run("echo out; echo err >&2; exit 7");
    assert_eq!(finished.exit, ExitReason::Exited(7));
    assert_eq!(text(&finished), "out\nerr\n");
    assert!(!finished.log_truncated);
    assert!(finished.usage.peak_bytes > 0);
}

#[test]
fn a_code_that_shells_use_for_a_missing_program_is_only_a_code() {
    assert_eq!(run("exit 127").exit, ExitReason::Exited(127));
}

#[test]
fn nothing_but_the_given_environment_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let mut job = script(dir.path(), "", LIMITS);
    job.program = PathBuf::from("/usr/bin/env");
    job.args = Vec::new();
    assert_eq!(text(&sandbox().run(&job).unwrap()), "PATH=/usr/bin:/bin\n");
    job.env = BTreeMap::new();
    assert_eq!(text(&sandbox().run(&job).unwrap()), "");
}

#[test]
fn no_other_descriptor_is_inherited() {
    // `ls` itself opens the folder that it lists, as 3.
    assert_eq!(text(&run("exec ls /proc/self/fd")), "0\n1\n2\n3\n");
}

#[test]
fn the_limits_hold() {
    let limits = text(&run("ulimit -t; ulimit -v; ulimit -n; ulimit -c"));
    assert_eq!(limits, "5\n262144\n64\n0\n");
}

#[test]
fn a_loop_ends_at_its_processor_time() {
    let limits = Limits { cpu_seconds: 1, ..LIMITS };
    let finished = run_within("while :; do :; done", limits.clone());
    assert_eq!(finished.exit, ExitReason::CpuLimit);
    // The limit counts by the clock's ticks, which on a busy machine fall unevenly.
    assert!(finished.usage.cpu > Duration::from_millis(500), "{:?}", finished.usage);
    let stubborn = "trap '' XCPU; while :; do :; done";
    assert_eq!(run_within(stubborn, limits).exit, ExitReason::CpuLimit);
}

#[test]
fn a_sleeper_ends_at_the_deadline() {
    let limits = Limits { wall: Duration::from_millis(300), ..LIMITS };
    assert_eq!(run_within("sleep 60", limits).exit, ExitReason::WallLimit);
}

#[test]
fn what_computes_is_ended_by_its_processor_time_and_not_by_the_deadline() {
    let limits = Limits { cpu_seconds: 1, wall: Duration::from_millis(900), ..LIMITS };
    assert_eq!(run_within("while :; do :; done", limits.clone()).exit, ExitReason::CpuLimit);
    // So does what its children compute.
    let child = "sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done'; exit 3";
    assert_eq!(run_within(child, limits).exit, ExitReason::Exited(3));
}

#[test]
fn a_signal_is_told() {
    assert_eq!(run("kill -TERM $$").exit, ExitReason::Signaled(15));
    // A signal that has only a number.
    assert_eq!(run("kill -40 $$").exit, ExitReason::Signaled(40));
}

#[test]
fn memory_is_limited() {
    // `tail` keeps what has no line end; the shell tells its exit code on.
    let finished = run("head -c 400000000 /dev/zero | tail; exit $?");
    assert_eq!(finished.exit, ExitReason::Exited(1), "{}", text(&finished));
    assert!(finished.usage.peak_bytes < 256 << 20, "{:?}", finished.usage);
    assert!(finished.usage.peak_bytes > 64 << 20, "{:?}", finished.usage);
}

#[test]
fn files_are_limited() {
    let finished = run("head -c 2000000 /dev/zero > big; exit $?");
    assert_ne!(finished.exit, ExitReason::Exited(0));
}

#[test]
fn a_long_output_is_capped() {
    let finished = run("head -c 100000 /dev/zero | tr '\\0' x; echo; echo the end");
    assert_eq!(finished.exit, ExitReason::Exited(0));
    assert!(finished.log_truncated);
    let log = text(&finished);
    assert!(log.starts_with("xxx") && log.ends_with("\nthe end\n"), "{log}");
    assert!(log.len() < 1100, "{}", log.len());
}

#[test]
fn output_is_observed_while_the_program_runs_and_kept_as_well() {
    let dir = tempfile::tempdir().unwrap();
    // The program goes on only once its first line was observed.
    let text = "echo one; while [ ! -e seen ]; do sleep 0.01; done; sleep 1.5; echo two >&2";
    let (mut observed, mut empty) = (Vec::new(), 0);
    let mut observer = |piece: &[u8]| {
        observed.extend_from_slice(piece);
        empty += usize::from(piece.is_empty());
        fs::write(dir.path().join("seen"), &observed).unwrap();
    };
    let finished =
        sandbox().run_observed(&script(dir.path(), text, LIMITS), &mut observer).unwrap();
    assert_eq!(finished.exit, ExitReason::Exited(0));
    assert_eq!(observed, b"one\ntwo\n");
    assert_eq!(finished.log, observed);
    assert!(empty > 0, "a silent program is observed, too");
}

#[test]
fn an_observed_program_has_the_same_limits() {
    let dir = tempfile::tempdir().unwrap();
    let mut observed = 0;
    let flood = script(dir.path(), "yes", LIMITS);
    let mut observer = |piece: &[u8]| observed += piece.len() as u64;
    let finished = sandbox().run_observed(&flood, &mut observer).unwrap();
    assert_eq!(finished.exit, ExitReason::OutputLimit);
    assert!(observed > LIMITS.flood_bytes, "{observed}");
    let sleeper = Limits { wall: Duration::from_millis(300), ..LIMITS };
    let job = script(dir.path(), "sleep 60", sleeper);
    assert_eq!(sandbox().run_observed(&job, &mut |_| ()).unwrap().exit, ExitReason::WallLimit);
}

#[test]
fn a_flood_ends_everything() {
    assert_eq!(run("while :; do echo flood; done").exit, ExitReason::OutputLimit);
    // Over the line is over the line, even if it ends by itself.
    assert_eq!(run("head -c 1048577 /dev/zero").exit, ExitReason::OutputLimit);
    assert_eq!(run("head -c 1048576 /dev/zero").exit, ExitReason::Exited(0));
}

#[test]
fn a_daemon_does_not_outlive_its_program() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = "(setsid sh -c 'echo $$ >> pids; sleep 60' & ) ; sleep 0.3";
    let finished = sandbox().run(&script(dir.path(), daemon, LIMITS)).unwrap();
    assert_eq!(finished.exit, ExitReason::Exited(0));
    assert!(!lives(pids(&dir.path().join("pids"), 1)[0]));
}

#[test]
fn a_tree_that_keeps_growing_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { wall: Duration::from_millis(500), ..LIMITS };
    let growing = "while :; do (setsid sh -c 'echo $$ >> pids; sleep 60' &); sleep 0.01; done";
    let finished = sandbox().run(&script(dir.path(), growing, limits)).unwrap();
    assert_eq!(finished.exit, ExitReason::WallLimit);
    let pids = fs::read_to_string(dir.path().join("pids")).unwrap();
    assert!(pids.lines().count() > 1);
    assert!(!pids.lines().any(|pid| lives(pid.parse().unwrap())));
}

#[test]
fn a_dropped_process_is_dead() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let text = "echo $$ >> pids; (setsid sh -c 'echo $$ >> pids; sleep 60' &) ; sleep 60";
    let process = sandbox().start(&script(dir.path(), text, LIMITS)).unwrap();
    let pids = pids(&file, 2);
    assert!(pids.iter().all(|&pid| lives(pid)));
    drop(process);
    assert!(!pids.iter().any(|&pid| lives(pid)));
}

#[test]
fn the_channel_goes_both_ways() {
    let dir = tempfile::tempdir().unwrap();
    let echo = script(dir.path(), "read line; echo \"got $line\" >&0; sleep 60", LIMITS);
    let mut process = sandbox().start(&echo).unwrap();
    let channel = process.channel();
    channel.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    channel.write_all(b"this\n").unwrap();
    let mut answer = [0; 9];
    channel.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"got this\n");
    let finished = process.end().unwrap();
    assert_eq!(finished.exit, ExitReason::Stopped);
    assert_eq!(text(&finished), "");
}

#[test]
fn a_program_that_dies_closes_its_channel_and_says_how() {
    for (text, ending) in
        [("exit 3", ExitReason::Exited(3)), ("kill -ABRT $$", ExitReason::Signaled(6))]
    {
        let dir = tempfile::tempdir().unwrap();
        let mut process = sandbox().start(&script(dir.path(), text, LIMITS)).unwrap();
        let channel = process.channel();
        channel.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        assert_eq!(channel.read(&mut [0; 8]).unwrap(), 0);
        assert_eq!(process.end().unwrap().exit, ending);
    }
}

#[test]
fn a_program_that_closes_its_channel_and_stays_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let text = "exec </dev/null; sleep 60";
    let mut process = sandbox().start(&script(dir.path(), text, LIMITS)).unwrap();
    assert_eq!(process.channel().read(&mut [0; 8]).unwrap(), 0);
    assert_eq!(process.end().unwrap().exit, ExitReason::Stopped);
}

#[test]
fn what_cannot_be_started_is_the_graders_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut job = script(dir.path(), "", LIMITS);
    job.program = PathBuf::from("/no/such/program");
    let error = sandbox().run(&job).unwrap_err();
    assert!(error.to_string().starts_with("cannot start /no/such/program: "), "{error}");
    // It is there and may be executed, but what should run it is not.
    job.program = dir.path().join("text");
    fs::write(&job.program, "#!/no/such/interpreter\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&job.program, mode).unwrap();
    let error = sandbox().run(&job).unwrap_err();
    assert!(matches!(error, SandboxError::Launch { .. }), "{error:?}");
    let error = sandbox().start(&job).unwrap().end().unwrap_err();
    assert!(matches!(error, SandboxError::Launch { .. }), "{error:?}");
    job.dir = PathBuf::from("/no/such/folder");
    assert!(matches!(sandbox().run(&job).unwrap_err(), SandboxError::WorkingDirectory { .. }));
}

#[test]
fn nothing_of_the_sandbox_is_left_behind() {
    let dir = tempfile::tempdir().unwrap();
    // The supervisor is the parent.
    let text = "echo $PPID >> pids; sleep 60";
    let process = sandbox().start(&script(dir.path(), text, LIMITS)).unwrap();
    let supervisor = pids(&dir.path().join("pids"), 1)[0];
    assert!(lives(supervisor));
    process.end().unwrap();
    assert!(!lives(supervisor));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "plays a grader that is killed")]
fn without_a_grader_everything_ends() {
    let dir = tempfile::tempdir().unwrap();
    let (grader, orders) = UnixStream::pair().unwrap();
    let text = "echo $$ >> pids; (setsid sh -c 'echo $$ >> pids; sleep 60' &) ; sleep 60";
    let mut supervisor = Command::new(env!("CARGO_BIN_EXE_grade"))
        .args(["__supervise", "level=none", "access=unrestricted"])
        .arg(format!("dir={}", dir.path().display()))
        .args(["--", "/bin/sh", "-c", text])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(OwnedFd::from(orders)))
        .spawn()
        .unwrap();
    let pids = pids(&dir.path().join("pids"), 2);
    assert!(pids.iter().all(|&pid| lives(pid)));
    drop(grader);
    supervisor.wait().unwrap();
    assert!(!pids.iter().any(|&pid| lives(pid)));
}
