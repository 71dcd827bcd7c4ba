//! What is isolated reaches nothing, at every level that this machine has.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use softmark_sandbox::{
    Access, CompletedProcess, ExitReason, Job, Level, Limits, Sandbox, verify_level,
};

use crate::support::grade::Desk;
use crate::support::notice::skipped;
use crate::support::pack::{grade, pack, program};

const LIMITS: Limits = Limits {
    cpu_seconds: 5,
    wall: Duration::from_secs(20),
    memory_mebibytes: 1024,
    file_mebibytes: 1,
    output_bytes: 64 * 1024,
    flood_bytes: 1024 * 1024,
    open_files: 64,
    threads: 64,
};

/// The levels of this machine that isolate at all.
fn levels() -> Vec<Level> {
    let isolating = Level::ALL.into_iter().filter(|level| *level != Level::None);
    let (had, wanting): (Vec<_>, Vec<_>) =
        isolating.partition(|level| verify_level(&grade(), *level).is_ok());
    for level in wanting {
        skipped(&format!("isolation at level `{level}`, which this machine does not have"));
    }
    assert!(!had.is_empty(), "nothing isolates submissions on this machine");
    had
}

/// A program of this text, which may use system calls as it likes.
fn built(main: &str) -> (PathBuf, tempfile::TempDir) {
    let scratch = tempfile::tempdir().unwrap();
    let source = BTreeMap::from([("lib.rs".to_owned(), Vec::new())]);
    let programs = [program("attacker", main, &["libc"])];
    let built = pack().compile(&source, &programs, scratch.path()).unwrap().into_result().unwrap();
    let program = built.programs.into_values().next().unwrap();
    (program, scratch)
}

fn run(level: Level, program: &Path, access: Access, limits: Limits) -> CompletedProcess {
    let job = Job {
        program: program.to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
        dir: program.parent().unwrap().to_owned(),
        limits,
        access,
    };
    Sandbox::new(grade(), level).run(&job).unwrap()
}

fn lines(finished: &CompletedProcess) -> Vec<String> {
    String::from_utf8(finished.log.clone()).unwrap().lines().map(str::to_owned).collect()
}

/// What is tried: each prints a line if it can be done.
const TRIES: &str = r#"
use std::fs;

fn tell(what: &str, done: bool) {
    if done { println!("{what}"); }
}

#[allow(unused)]
fn call(what: &str, number: i64, args: [i64; 5]) -> i64 {
    let [a, b, c, d, e] = args;
    let done = unsafe { libc::syscall(number, a, b, c, d, e, 0) };
    tell(what, done != -1);
    done
}

#[allow(unused)]
fn main() {
    println!("it runs");
    let pid = unsafe { libc::getppid() } as i64;
    let here = libc::AT_FDCWD as i64;
    let root = c"/".as_ptr() as i64;
    let marker = c"MARKER".as_ptr() as i64;
    BODY
    println!("to the end");
}
"#;

/// What does no harm where it succeeds.
const HARMLESS: &str = r#"
    tell("reads a file", fs::read("/etc/passwd").is_ok());
    tell("reads a file of the grader's", fs::read("MARKER").is_ok());
    tell("sees a file of the grader's", fs::metadata("MARKER").is_ok());
    tell("lists the root", fs::read_dir("/").is_ok_and(|all| all.count() > 0));
    tell("opens its memory", fs::OpenOptions::new().write(true).open("/proc/self/mem").is_ok());
    tell("lists descriptors", fs::read_dir("/proc/self/fd").is_ok());
    tell("changes a mode", call("chmod", libc::SYS_chmod, [marker, 0o600, 0, 0, 0]) == 0);
    call("changes times", libc::SYS_utimensat, [here, marker, 0, 0, 0]);
    call("truncates", libc::SYS_truncate, [marker, 3, 0, 0, 0]);
    tell("writes a file", fs::write("MARKER", "x").is_ok());
    tell("removes a file", fs::remove_file("MARKER").is_ok());
    tell("connects", std::net::TcpStream::connect("127.0.0.1:PORT").is_ok());
    tell("listens", std::net::TcpListener::bind("127.0.0.1:0").is_ok());
    tell("sends", std::net::UdpSocket::bind("127.0.0.1:0").is_ok());
    tell("makes a socket", std::os::unix::net::UnixDatagram::unbound().is_ok());
    let program = std::process::Command::new("/bin/true").spawn();
    tell("starts a program", program.and_then(|mut child| child.wait()).is_ok());
    call("signals its parent", libc::SYS_kill, [pid, 0, 0, 0, 0]);
    call("signals a thread of another", libc::SYS_tgkill, [pid, pid, 0, 0, 0]);
    call("reads another's limits", libc::SYS_prlimit64, [pid, 7, 0, 0, 0]);
    call("opens a process", libc::SYS_pidfd_open, [pid, 0, 0, 0, 0]);
    call("gets a signal by a file", libc::SYS_fcntl, [1, libc::F_SETOWN as i64, pid, 0, 0]);
    call("makes a file of memory", libc::SYS_memfd_create, [root, 0, 0, 0, 0]);
    let shared = call("shares memory", libc::SYS_shmget, [0, 4096, 0o1600, 0, 0]);
    if shared >= 0 { call("", libc::SYS_shmctl, [shared, libc::IPC_RMID as i64, 0, 0, 0]); }
"#;

/// What only an isolated program may try.
const HARMFUL: &str = r#"
    for place in ["/tmp", "/dev/shm", "/var/tmp", ".", "/"] {
        let file = format!("{place}/softmark-mark");
        tell(&format!("writes in {place}"), fs::write(file, "x").is_ok());
    }
    tell("starts itself", std::process::Command::new("/proc/self/exe").spawn().is_ok());
    call("signals everyone", libc::SYS_kill, [-1, 0, 0, 0, 0]);
    let own = unsafe { libc::getpid() } as i64;
    let thread = unsafe { libc::gettid() } as i64;
    for signal in [1, 2, 3, 9, 15, 19, 24] {
        call("signals itself", libc::SYS_tgkill, [own, thread, signal, 0, 0]);
    }
    let limit = [0_u64; 2];
    call("lowers a limit", libc::SYS_prlimit64, [0, 0, limit.as_ptr() as i64, 0, 0]);
    call("traces", libc::SYS_ptrace, [libc::PTRACE_ATTACH as i64, pid, 0, 0, 0]);
    call("is traced", libc::SYS_ptrace, [libc::PTRACE_TRACEME as i64, 0, 0, 0, 0]);
    call("renices", libc::SYS_setpriority, [0, pid, 5, 0, 0]);
    call("moves a process", libc::SYS_sched_setaffinity, [pid, 8, root, 0, 0]);
    call("creates a namespace", libc::SYS_unshare, [libc::CLONE_NEWUSER as i64, 0, 0, 0, 0]);
    call("mounts", libc::SYS_mount, [root, root, 0, libc::MS_BIND as i64, 0]);
    call("changes the root", libc::SYS_chroot, [root, 0, 0, 0, 0]);
    call("makes a link", libc::SYS_symlink, [root, c"/tmp/softmark-mark".as_ptr() as i64, 0, 0, 0]);
    call("makes a queue", libc::SYS_msgget, [0, 0o1600, 0, 0, 0]);
    call("makes a semaphore", libc::SYS_semget, [0, 1, 0o1600, 0, 0]);
    call("loads a filter", libc::SYS_bpf, [0, 0, 0, 0, 0]);
    call("makes a ring", libc::SYS_io_uring_setup, [1, root, 0, 0, 0]);
    call("counts events", libc::SYS_perf_event_open, [root, 0, -1, -1, 0]);
    call("keeps a key", libc::SYS_keyctl, [0, -1, 0, 0, 0]);
    call("makes a vsock", libc::SYS_socket, [40, 1, 0, 0, 0]);
    call("makes a netlink", libc::SYS_socket, [16, 3, 0, 0, 0]);
    call("names the host", libc::SYS_sethostname, [root, 1, 0, 0, 0]);
    if call("forks", libc::SYS_clone, [libc::SIGCHLD as i64, 0, 0, 0, 0]) == 0 { return; }
    call("forks anew", libc::SYS_clone3, [0, 0, 0, 0, 0]);
    for descriptor in 3..64 {
        let what = format!("has descriptor {descriptor}");
        tell(&what, unsafe { libc::fcntl(descriptor, libc::F_GETFD) } != -1);
    }
    tell("has an environment", std::env::vars().count() > 0);
"#;

#[test]
fn a_worker_reaches_nothing() {
    let outside = tempfile::tempdir().unwrap();
    let marker = outside.path().join("marker");
    fs::write(&marker, "secret").unwrap();
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = door.local_addr().unwrap().port().to_string();
    let text = |body: &str| {
        let text = TRIES.replace("BODY", body);
        text.replace("MARKER", marker.to_str().unwrap()).replace("PORT", &port)
    };
    // The tries are real: one that is not isolated can do all that does no harm.
    let (program, _scratch) = built(&text(HARMLESS));
    let free = lines(&run(Level::None, &program, Access::ComputeOnly, LIMITS));
    let tries = HARMLESS.matches("tell(").count() + HARMLESS.matches("call(").count();
    assert!(free.len() >= tries, "{tries} tries, of which succeeded: {free:#?}");
    assert!(!marker.exists());
    let (program, _scratch) = built(&text(&[HARMLESS, HARMFUL].concat()));
    for level in levels() {
        fs::write(&marker, "secret").unwrap();
        let finished = run(level, &program, Access::ComputeOnly, LIMITS);
        assert_eq!(lines(&finished), ["it runs", "to the end"], "{level}");
        assert_eq!(finished.exit, ExitReason::Exited(0));
        assert_eq!(fs::read_to_string(&marker).unwrap(), "secret");
    }
    door.set_nonblocking(true).unwrap();
    assert!(door.accept().is_ok(), "the one that was not isolated");
    assert!(door.accept().is_err());
}

/// A worker may start no other program; its own start needs the call, so it seals itself.
#[test]
fn a_sealed_worker_starts_no_program() {
    let main = |seal: &str| {
        let body = format!(
            "{seal} let empty = [0_usize; 1]; let all = empty.as_ptr() as i64; \
             for flags in [0, libc::AT_EMPTY_PATH as i64] {{ \
             let path = c\"/bin/sh\".as_ptr() as i64; \
             call(\"starts a program\", libc::SYS_execveat, [here, path, all, all, flags]); }}"
        );
        TRIES.replace("BODY", &body).replace("MARKER", "/")
    };
    let built = |seal: &str| {
        let scratch = tempfile::tempdir().unwrap();
        let source = BTreeMap::from([("lib.rs".to_owned(), Vec::new())]);
        let programs = [program("attacker", &main(seal), &["libc", "softmark_worker"])];
        let built =
            pack().compile(&source, &programs, scratch.path()).unwrap().into_result().unwrap();
        (built.programs.into_values().next().unwrap(), scratch)
    };
    let (open, _open) = built("");
    let (sealed, _sealed) = built("softmark_worker::seal().unwrap();");
    for level in levels() {
        let finished = run(level, &sealed, Access::ComputeOnly, LIMITS);
        assert_eq!(lines(&finished), ["it runs", "to the end"], "{level}");
    }
    // The call is real: where no file is kept from it, one that is not sealed is another program then.
    let finished = run(Level::Strict, &open, Access::ComputeOnly, LIMITS);
    assert!(!lines(&finished).contains(&"to the end".to_owned()), "{:?}", lines(&finished));
}

#[test]
fn a_compiler_reaches_its_files_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for folder in ["shown", "open", "hidden"] {
        fs::create_dir(at(folder)).unwrap();
        fs::write(at(folder).join("file"), folder).unwrap();
    }
    let script = "cat shown/file; cat open/file; echo more > open/new; cat open/new; \
        cat hidden/file; ls hidden; cat /etc/passwd; echo x > shown/new; echo x > hidden/new; \
        rm shown/file; chmod 777 shown/file; kill -9 $PPID; kill -9 -1; \
        (echo < /dev/tcp/127.0.0.1/9); echo the end";
    let system = ["/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib", "/usr/lib64"];
    let mut read: Vec<PathBuf> = system.iter().map(PathBuf::from).collect();
    read.retain(|path| path.exists());
    read.push(at("shown"));
    for level in levels().into_iter().filter(|level| *level > Level::Strict) {
        fs::remove_file(at("open/new")).ok();
        let job = Job {
            program: PathBuf::from("/bin/bash"),
            args: vec!["-c".into(), format!("cd {}; {script}", dir.path().display()).into()],
            env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
            dir: at("shown"),
            limits: LIMITS,
            access: Access::Files { read: read.clone(), write: vec![at("open")] },
        };
        let finished = Sandbox::new(grade(), level).run(&job).unwrap();
        let said: Vec<String> =
            lines(&finished).into_iter().filter(|line| !line.contains(": ")).collect();
        assert_eq!(said, ["shownopenmore", "the end"], "{level}: {:?}", lines(&finished));
        assert_eq!(fs::read_to_string(at("shown/file")).unwrap(), "shown");
        assert!(!at("shown/new").exists() && !at("hidden/new").exists());
        assert_eq!(fs::read_to_string(at("open/new")).unwrap(), "more\n");
    }
}

#[test]
fn endings_are_told_apart_at_every_level() {
    let body = |body: &str| {
        format!(
            "#[allow(unused)] fn deep(n: u64) -> u64 {{ 1 + deep(n + 1) }}\nfn main() {{ {body} }}"
        )
    };
    let quick = Limits { cpu_seconds: 1, wall: Duration::from_secs(2), ..LIMITS };
    // To fill memory takes processor time.
    let slow = Limits { cpu_seconds: 20, ..LIMITS };
    let cases = [
        ("std::process::exit(7)", ExitReason::Exited(7)),
        ("std::process::abort()", ExitReason::Signaled(6)),
        ("let mut x = 0_u64; loop { x = std::hint::black_box(x + 1); }", ExitReason::CpuLimit),
        ("std::thread::sleep(std::time::Duration::from_secs(60))", ExitReason::WallLimit),
        (
            "let mut all = Vec::new(); loop { all.push(vec![1_u8; 1 << 20]); }",
            ExitReason::OutOfMemory,
        ),
        ("loop { println!(\"{}\", \"x\".repeat(1 << 16)); }", ExitReason::OutputLimit),
        (
            "for _ in 0..1000 { std::thread::Builder::new().stack_size(1 << 14)\
             .spawn(|| std::thread::sleep(std::time::Duration::from_secs(60))); } \
             std::thread::sleep(std::time::Duration::from_secs(60))",
            ExitReason::ThreadLimit,
        ),
    ];
    for (text, ending) in cases {
        let (program, _scratch) = built(&body(text));
        for level in levels() {
            let limits = if ending == ExitReason::OutOfMemory { &slow } else { &quick };
            let finished = run(level, &program, Access::ComputeOnly, limits.clone());
            assert_eq!(finished.exit, ending, "{level}: {text}: {:?}", finished.usage);
            assert!(finished.usage.peak_bytes > 0 && finished.usage.peak_bytes < 1 << 30);
        }
    }
}

/// Most workers are ended from outside: what they used until then is not lost.
#[test]
fn what_a_killed_program_used_is_counted_at_every_level() {
    let (program, _scratch) = built(
        "fn main() { let all = vec![1_u8; 100 << 20]; std::hint::black_box(&all); \
         let mut x = 0_u64; for _ in 0..100_000_000 { x = std::hint::black_box(x + 1); } \
         std::thread::sleep(std::time::Duration::from_secs(60)) }",
    );
    let limits = Limits { cpu_seconds: 20, wall: Duration::from_secs(3), ..LIMITS };
    for level in levels() {
        let finished = run(level, &program, Access::ComputeOnly, limits.clone());
        assert_eq!(finished.exit, ExitReason::WallLimit, "{level}");
        // A cycle for each turn, at the least, on a processor of at most 5 GHz.
        assert!(finished.usage.cpu >= Duration::from_millis(20), "{level}: {:?}", finished.usage);
        assert!(finished.usage.peak_bytes >= 100 << 20, "{level}: {:?}", finished.usage);
    }
}

#[test]
fn a_tree_of_processes_shares_its_memory() {
    // Eight of them, each within the limit for one.
    let script =
        "for i in 1 2 3 4 5 6 7 8; do (x=$(yes | head -c 20000000); sleep 15; :) & done; wait";
    let job = Job {
        program: PathBuf::from("/bin/sh"),
        args: vec!["-c".into(), script.into()],
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        dir: PathBuf::from("/"),
        limits: Limits { memory_mebibytes: 128, ..LIMITS },
        access: Access::Files {
            read: ["/bin", "/usr", "/lib", "/lib64"].into_iter().map(PathBuf::from).collect(),
            write: Vec::new(),
        },
    };
    for level in levels() {
        let ending = Sandbox::new(grade(), level).run(&job).unwrap().exit;
        assert_eq!(ending, ExitReason::OutOfMemory, "{level}");
    }
}

#[test]
fn isolation_that_cannot_be_had_is_refused() {
    // In a user namespace that permits no other, only the levels that need none are left.
    let desk = Desk::new().submission("class/amara", "assignments/attention");
    let inner = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"";
    let run = |args: &[&str]| {
        let grade = desk.command();
        let mut command = unshare();
        command.args(["-Ur", "sh", "-c", inner]).arg(grade.get_program()).args(args);
        for (name, value) in grade.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        let output = command.current_dir(desk.path("")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    if run(&["--version"]).0 != Some(0) {
        skipped("what happens without user namespaces: none can be created here");
        return;
    }
    for level in ["full", "bwrap"] {
        for option in ["--require-isolation", "--isolation"] {
            let (code, said) = run(&["class/amara", option, level]);
            assert_eq!(code, Some(2), "{option} {level}: {said}");
            assert!(said.contains(level) && said.contains("hint: "), "{said}");
        }
    }
    assert_eq!(desk.list("results"), Vec::<String>::new(), "nothing was graded");
    let (code, said) = run(&["class/amara", "--require-isolation", "strict"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("warning: submissions are isolated at level `"), "{said}");
}

#[expect(clippy::disallowed_methods, reason = "plays a system without user namespaces")]
fn unshare() -> Command {
    Command::new("unshare")
}
