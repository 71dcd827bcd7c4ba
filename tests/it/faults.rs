//! Faults of the machine: nothing recorded is lost, nothing half-written is read, no student is
//! charged, and whoever runs again gets what an undisturbed run gives.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rusqlite::Connection;
use serde_json::Value;
use softmark::clock::Clock;
use softmark::store::Store;

use crate::support::grade::{Desk, HOME, Ran};
use crate::support::notice::skipped;
use crate::support::pack::{cache, pack};
use crate::support::processes;
use crate::support::results::{Results, results, rows, whole};
use crate::tidy::sources;

/// All points, some, none, and no program: what is graded fast.
const CLASS: [&str; 4] = ["amara", "bao", "chiara", "dilnoza"];

/// A class, and a folder for scratch of its own, so that what is left there can be seen.
fn desk() -> Desk {
    // Else whoever is first would build the libraries.
    pack();
    let desk = Desk::new().class(&CLASS).file("scratch/readme", "");
    let scratch = desk.path("scratch");
    desk.env("TMPDIR", scratch)
}

/// What an undisturbed run prints and keeps, and how long it takes.
struct Undisturbed {
    stdout: String,
    kept: Results,
    took: Duration,
}

impl Undisturbed {
    fn run() -> Self {
        let desk = desk();
        let clock = Clock::start();
        let ran = desk.grade("class --format json").exit(0);
        let took = clock.elapsed();
        Self { stdout: ran.stdout, kept: results(&desk.path("results")), took }
    }

    /// Whether a run over results that were disturbed came to the same in the end.
    #[track_caller]
    fn is_reached_by(&self, ran: Ran, desk: &Desk) {
        let ran = ran.exit(0);
        assert_eq!(ran.stdout, self.stdout);
        assert_eq!(results(&desk.path("results")), self.kept);
        assert_eq!(desk.list("scratch"), ["readme"], "what was left behind is cleaned up");
        assert_eq!(processes::within(&desk.path("")), Vec::<String>::new());
    }
}

/// Numbers that are the same in every run of the tests, by way of `SplitMix64`.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % limit
    }
}

/// How many times the grader is killed: `SOFTMARK_KILLS`, or a few.
#[expect(clippy::disallowed_methods, reason = "whoever asks for more says so")]
fn kills() -> u32 {
    env::var("SOFTMARK_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

#[test]
fn a_grader_that_is_killed_at_any_moment_loses_nothing() {
    let undisturbed = Undisturbed::run();
    let most = u64::try_from(undisturbed.took.as_micros()).unwrap();
    let mut numbers = Numbers(1);
    let (mut killed, mut rounds, mut found) = (0, 0, [0; CLASS.len() + 1]);
    while killed < kills() {
        let desk = desk();
        rounds += 1;
        // Some are killed again while they take up what another has left.
        for _ in 0..=numbers.below(3) {
            let jobs = (1 + numbers.below(2)).to_string();
            let moment = Duration::from_micros(numbers.below(most));
            let mut command = desk.command();
            command.args(["class", "--format", "json", "--jobs", &jobs]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(moment);
            let too_late = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            child.wait().unwrap();
            killed += u32::from(!too_late);
            whole(&desk.path("results"));
            let kept = desk.list("results/records").len();
            *found.get_mut(kept.min(CLASS.len())).unwrap() += 1;
        }
        undisturbed.is_reached_by(desk.grade("class --format json"), &desk);
    }
    println!("killed {killed} times in {rounds} rounds; with so many records kept: {found:?}");
    if killed >= 100 {
        assert!(found.iter().all(|count| *count > 0), "not at any moment: {found:?}");
    }
}

#[test]
fn two_graders_at_once_lose_nothing() {
    const GRADERS: usize = 3;
    let undisturbed = Undisturbed::run();
    let desk = desk();
    let mut children: Vec<_> = (0..GRADERS)
        .map(|number| {
            let stdout = fs::File::create(desk.path(&format!("stdout-{number}"))).unwrap();
            let mut command = desk.command();
            command.args(["class", "--format", "json", "--fresh", "--jobs", "1"]);
            command.stdout(stdout).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        // Whoever looks at the results meanwhile finds them whole.
        whole(&desk.path("results"));
        thread::sleep(Duration::from_millis(20));
    }
    for (number, mut child) in children.into_iter().enumerate() {
        assert!(child.wait().unwrap().success());
        assert_eq!(desk.read(&format!("stdout-{number}")), undisturbed.stdout);
    }
    assert_eq!(results(&desk.path("results")), undisturbed.kept);
    assert_eq!(rows(&desk.path("results")), GRADERS * CLASS.len());
    assert_eq!(desk.list("scratch"), ["readme"]);
}

#[test]
fn two_graders_of_different_submissions_make_one_gradebook() {
    let undisturbed = Undisturbed::run();
    let desk = desk();
    let children: Vec<_> = CLASS
        .iter()
        .map(|name| {
            let mut command = desk.command();
            command.arg(format!("class/{name}")).args(["--jobs", "1"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(results(&desk.path("results")), undisturbed.kept);
}

/// Grades a class of two, one after the other, and kills processes below the grader that `fit`, at
/// most so many, until the first submission has its record.
fn killing(desk: &Desk, most: usize, fit: fn(&str) -> bool) -> (Ran, usize) {
    let stdout = fs::File::create(desk.path("stdout")).unwrap();
    let stderr = fs::File::create(desk.path("stderr")).unwrap();
    let mut command = desk.command();
    command.args(["class", "--format", "json", "--jobs", "1"]).stdout(stdout).stderr(stderr);
    let mut child = command.spawn().unwrap();
    let mut killed = BTreeSet::new();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap();
        }
        if !desk.path("results/records/amara.json").exists() {
            for pid in processes::below(child.id(), fit) {
                if killed.len() < most && killed.insert(pid) {
                    let pid = Pid::from_raw(pid.try_into().unwrap());
                    kill(pid, Signal::SIGKILL).ok();
                }
            }
        }
        thread::sleep(Duration::from_micros(200));
    };
    let (stdout, stderr) = (desk.read("stdout"), desk.read("stderr"));
    (Ran { code, stdout, stderr }, killed.len())
}

/// A worker is called as its program is.
fn is_worker(line: &str) -> bool {
    line.trim() == "own" || line.trim() == "with_reference"
}

fn is_guard(line: &str) -> bool {
    line.contains(" __guard ")
}

fn is_compiler(line: &str) -> bool {
    line.contains("--crate-name=submission") && !line.contains(" __")
}

fn two() -> Desk {
    pack();
    let desk = Desk::new().class(&["amara", "bao"]).file("scratch/readme", "");
    let scratch = desk.path("scratch");
    desk.env("TMPDIR", scratch)
}

/// What nobody was disturbed in grading.
fn record_of(stdout: &str, submission: &str) -> Value {
    let document: Value = serde_json::from_str(stdout).unwrap();
    let records = document.get("records").and_then(Value::as_array).unwrap();
    records
        .iter()
        .find(|record| record.get("submission").is_some_and(|name| name == submission))
        .unwrap()
        .clone()
}

#[test]
fn a_worker_that_is_killed_from_outside_costs_no_points() {
    let undisturbed = two().grade("class --format json").exit(0).stdout;
    if undisturbed.contains("\"sandbox\": \"none\"") {
        return skipped("workers are not isolated here: what kills one cannot be told");
    }
    for (name, fit) in [("worker", is_worker as fn(&str) -> bool), ("compiler", is_compiler)] {
        let (ran, killed) = killing(&two(), 2, fit);
        assert!((1..=2).contains(&killed), "{killed} of {name}");
        assert_eq!(ran.exit(0).stdout, undisturbed, "{name}");
        // Whoever kills all of them keeps a grade from being given, and gives none himself.
        let desk = two();
        let (ran, killed) = killing(&desk, usize::MAX, fit);
        assert!(killed >= 3, "{killed} of {name}");
        let ran = ran.exit(2);
        let amara = record_of(&ran.stdout, "amara");
        assert_eq!(amara["outcome"], "no_grade", "{name}: {ran}");
        let reason = amara["reason"].as_str().unwrap();
        assert!(reason.contains("ended from outside") && reason.contains("--jobs"), "{reason}");
        assert_eq!(record_of(&ran.stdout, "bao"), record_of(&undisturbed, "bao"), "{name}");
        assert!(desk.read("results/gradebook.csv").contains("amara,,attention,no_grade,,30.00"));
        assert_eq!(desk.grade("class --format json").exit(0).stdout, undisturbed);
        assert_eq!(desk.list("scratch"), ["readme"]);
    }
}

#[test]
fn a_guard_that_is_killed_costs_no_points() {
    let undisturbed = two().grade("class --format json").exit(0).stdout;
    let desk = two();
    // Not the guards of the compiler's version and the like, which are there before the scratch is.
    let (ran, killed) = killing(&desk, usize::MAX, |line| {
        is_guard(line) && (line.contains("/own") || line.contains("/with_reference"))
    });
    assert!(killed >= 1);
    let ran = ran.exit(2);
    let amara = record_of(&ran.stdout, "amara");
    assert_eq!(amara["outcome"], "no_grade");
    let reason = amara["reason"].as_str().unwrap();
    assert!(reason.contains("guard") && reason.contains("gone without a report"), "{reason}");
    assert_eq!(record_of(&ran.stdout, "bao"), record_of(&undisturbed, "bao"));
    assert_eq!(desk.grade("class --format json").exit(0).stdout, undisturbed);
    assert_eq!(processes::within(&desk.path("")), Vec::<String>::new());
}

/// Runs a script of `sh` in which `mount` works and is seen by nobody else, with `GRADE` set to the
/// program; `None` where the machine does not let anybody do that.
fn mounting(desk: &Desk, script: &str) -> Option<Ran> {
    let spaces = ["--user", "--map-root-user", "--mount", "--propagation", "private"];
    let run = |script: &str| {
        let mut command = desk.other("unshare");
        command.args(spaces).args(["sh", "-euc", script]).output()
    };
    if !run("mount -t tmpfs -o size=64k none scratch").is_ok_and(|output| output.status.success()) {
        skipped("no name space of mounts here: no small disk can be filled");
        return None;
    }
    Some(Ran::of(&run(script).unwrap()))
}

#[test]
fn a_full_disk_of_results_loses_no_record() {
    let undisturbed = Undisturbed::run();
    let mut kept_some = false;
    for kibibytes in [160, 288, 416] {
        let desk = desk();
        fs::create_dir(desk.path("results")).unwrap();
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none results
             code=0
             \"$GRADE\" class --jobs 1 --format json > full.json 2> full.txt || code=$?
             cp -a results full
             mount -o remount,size=64m results
             \"$GRADE\" class --format json
             cp -a results after
             exit $code"
        );
        let Some(ran) = mounting(&desk, &script) else { return };
        let told = desk.read("full.txt");
        assert_eq!(ran.code, 2, "{kibibytes} KiB are not full: {told}\n{ran}");
        assert!(told.contains("not full?") || told.contains("is there room"), "{told}");
        assert!(told.contains("results/"), "where: {told}");
        whole(&desk.path("full"));
        kept_some |= !desk.list("full/records").is_empty();
        assert_eq!(ran.stdout, undisturbed.stdout);
        assert_eq!(results(&desk.path("after")), undisturbed.kept);
        assert_eq!(desk.list("scratch"), ["readme"]);
    }
    assert!(kept_some, "all disks were full before the first record");
}

#[test]
fn a_full_scratch_is_no_students_fault() {
    let undisturbed = Undisturbed::run();
    let mut kinds = BTreeSet::new();
    // Full before anything is compiled, at the library, and at one of the programs.
    for kibibytes in [8, 64, 1024, 4096] {
        let desk = desk();
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none scratch
             : > scratch/readme
             code=0
             \"$GRADE\" class --jobs 1 --format json > full.json 2> full.txt || code=$?
             umount scratch
             \"$GRADE\" class --format json
             exit $code"
        );
        let Some(ran) = mounting(&desk, &script) else { return };
        let told = desk.read("full.txt");
        assert_eq!(ran.code, 2, "{kibibytes} KiB are not full: {told}\n{ran}");
        let document: Value = serde_json::from_str(&desk.read("full.json")).unwrap_or_default();
        for record in document["records"].as_array().into_iter().flatten() {
            let outcome = record["outcome"].as_str().unwrap();
            kinds.insert(outcome.to_owned());
            assert_eq!(outcome, "no_grade", "{kibibytes} KiB: {record}");
            let reason = record["reason"].as_str().unwrap();
            assert!(reason.contains("room"), "what to do: {reason}");
        }
        assert_eq!(ran.stdout, undisturbed.stdout, "{kibibytes} KiB");
        assert_eq!(results(&desk.path("results")), undisturbed.kept);
    }
    assert_eq!(kinds.len(), 1, "no disk was full in the middle of anything");
}

/// A copy of the project, without what was built of it.
fn project(desk: Desk) -> Desk {
    let desk = ["assignments", "benches", "crates", "solutions"]
        .iter()
        .fold(desk, |desk, folder| desk.submission(&format!("project/{folder}"), folder))
        .submission("class/amara", "fixtures/class/amara");
    for file in ["Cargo.toml", "Cargo.lock"] {
        fs::copy(Path::new(HOME).join(file), desk.path("project").join(file)).unwrap();
    }
    // The grader itself is a member of the workspace, too.
    for (file, text) in [("src/lib.rs", ""), ("src/main.rs", "fn main() {}\n")] {
        fs::create_dir_all(desk.path("project/src")).unwrap();
        fs::write(desk.path("project").join(file), text).unwrap();
    }
    fs::create_dir_all(desk.path("project/tests/it")).unwrap();
    fs::write(desk.path("project/tests/it/main.rs"), "").unwrap();
    let home = desk.path("project");
    desk.env("SOFTMARK_HOME", home)
}

#[test]
fn a_first_run_without_network_says_what_it_needs() {
    let desk = project(Desk::new()).env("CARGO_NET_OFFLINE", "true");
    fs::create_dir(desk.path("empty")).unwrap();
    let empty = desk.path("empty");
    let ran = desk.env("CARGO_HOME", empty).grade("class").exit(2);
    assert!(ran.stderr.contains("cannot fetch the libraries"), "{ran}");
    assert!(ran.stderr.contains("cargo fetch --locked"), "what to do: {ran}");
}

#[test]
fn a_full_disk_of_libraries_says_so() {
    let desk = project(Desk::new());
    fs::create_dir(desk.path("project/target")).unwrap();
    let script = "mount -t tmpfs -o size=1m none project/target; exec \"$GRADE\" class";
    let Some(ran) = mounting(&desk.file("scratch/readme", ""), script) else { return };
    let ran = ran.exit(2);
    assert!(ran.stderr.contains("is there room on the disk"), "what to do: {ran}");
}

#[test]
fn what_is_built_needs_neither_network_nor_a_home_to_write_in() {
    let undisturbed = Undisturbed::run();
    let desk = desk();
    let home = format!("mount --bind '{HOME}' '{HOME}'; mount -o remount,bind,ro '{HOME}'");
    let script = format!("{home}; ! touch '{HOME}/x' 2> no; exec \"$GRADE\" class --format json");
    let Some(ran) = mounting(&desk, &script) else { return };
    assert_eq!(ran.exit(0).stdout, undisturbed.stdout);
    // Results that cannot be written are an error before anything is graded.
    let script = "mkdir results; mount --bind results results; mount -o remount,bind,ro results; \
                  exec \"$GRADE\" class";
    let Some(ran) = mounting(&two(), script) else { return };
    let ran = ran.exit(2);
    assert!(ran.stderr.contains("results") && ran.stderr.contains("writable"), "{ran}");
}

#[test]
fn a_machine_without_rust_says_what_is_missing() {
    let ran = two().env("PATH", "/usr/bin:/bin").grade("class").exit(2);
    assert!(ran.stderr.contains("rustc is not on the PATH"), "{ran}");
    assert!(ran.stderr.contains("https://rustup.rs"), "what to do: {ran}");
}

/// A compiler that says it is another than the one that the libraries were built with is not asked
/// to use them, and neither is one that has become another by the time that a build fails.
#[test]
fn a_compiler_that_was_replaced_is_no_students_fault() {
    let desk = two().submission("class/dilnoza", "fixtures/class/dilnoza");
    let undisturbed = desk.grade("class/dilnoza --format json --out before").exit(0);
    assert!(undisturbed.stdout.contains("build_failed"), "{undisturbed}");
    let sysroot = desk.other("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    // Calls itself by another name once it has compiled something.
    let real = format!("{}/bin/rustc", sysroot.trim());
    let flag = desk.path("replaced").display().to_string();
    let root = desk.path("rust").display().to_string();
    let compiler = format!(
        "#!/bin/sh\nfor arg in \"$@\"; do case $arg in sysroot) echo '{root}'; exit;; esac; done\n\
         if [ -e '{flag}' ] && [ \"$1\" = -vV ]; then echo 'rustc 9.9.9'; exit; fi\n\
         exec '{real}' \"$@\"\n"
    );
    let desk = desk.file("rust/bin/rustc", &compiler).file("replaced", "");
    let cargo = "#!/bin/sh\necho 'it would be built again' >&2\nexit 1\n";
    let desk = desk.file("rust/bin/cargo", cargo);
    for tool in ["rust/bin/rustc", "rust/bin/cargo"] {
        fs::set_permissions(desk.path(tool), Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", desk.path("rust/bin").display());
    let desk = desk.env("PATH", path);
    let ran = desk.grade("class/dilnoza").exit(2);
    assert!(ran.stderr.contains("it would be built again"), "{ran}");
}

#[test]
fn a_damaged_library_is_no_students_fault() {
    let desk = desk();
    // The pack is everybody's here: a copy is damaged, at the place of the original.
    let packs = cache().join("packs").join(pack().key());
    let packs = packs.display();
    let script = format!(
        "mkdir pack; cp -r '{packs}/.' pack; mount --bind pack '{packs}'
         file=$(ls pack/student/libcandle_core-*.rlib)
         size=$(stat -c %s \"$file\")
         tail -c +4097 \"$file\" | tr '\\000-\\377' '\\001-\\377\\000' > turned
         dd if=turned of=\"$file\" bs=4096 seek=1 conv=notrunc 2> dd
         [ $(stat -c %s \"$file\") = $size ]
         exec \"$GRADE\" class --format json"
    );
    let Some(ran) = mounting(&desk, &script) else { return };
    let ran = ran.exit(2);
    for name in CLASS {
        let record = record_of(&ran.stdout, name);
        assert_eq!(record["outcome"], "no_grade", "{record}");
        let reason = record["reason"].as_str().unwrap();
        assert!(reason.contains("libcandle_core") && reason.contains("is damaged"), "{reason}");
        assert!(reason.contains("the next run builds"), "what to do: {reason}");
    }
}

#[test]
fn a_database_that_cannot_be_used_loses_no_record() {
    let undisturbed = Undisturbed::run();
    let desk = desk();
    desk.grade("class --format json").exit(0);
    let database = desk.path("results/softmark.db");
    let whole = fs::read(&database).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let overwritten = [&whole[..100], &vec![0xaa; whole.len() - 100]].concat();
    let later = |connection: &Connection| connection.pragma_update(None, "user_version", 99);
    for (damaged, advice) in [
        (b"no database at all, but long enough to be looked at".repeat(40), "move it away"),
        (cut, "move it away"),
        (overwritten, "move it away"),
    ] {
        fs::write(&database, &damaged).unwrap();
        let ran = desk.grade("class --format json").exit(2);
        assert!(ran.stderr.contains(advice), "{ran}");
        // What was graded is still there, and graded again where the database is gone.
        let shown = desk.grade("show amara --format json").exit(0).stdout;
        assert_eq!(record_of(&shown, "amara"), record_of(&undisturbed.stdout, "amara"));
        fs::rename(&database, desk.path("results/damaged.db")).unwrap();
        undisturbed.is_reached_by(desk.grade("class --format json"), &desk);
    }
    later(&Connection::open(&database).unwrap()).unwrap();
    let ran = desk.grade("class --format json").exit(2);
    assert!(ran.stderr.contains("update this grader"), "{ran}");
}

#[test]
fn a_database_that_another_holds_is_waited_for_and_then_named() {
    let desk = two();
    desk.grade("class").exit(0);
    let connection = Connection::open(desk.path("results/softmark.db")).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let ran = desk.grade("class").exit(2);
    assert!(ran.stderr.contains("another grader is writing"), "{ran}");
    assert!(ran.stderr.contains("wait for it, or end it, and run again"), "{ran}");
    connection.execute_batch("ROLLBACK").unwrap();
    desk.grade("class").exit(0);
}

/// A grader that was killed while it brought a database up to date leaves the old one, to be brought
/// up to date again.
#[test]
fn an_interrupted_migration_is_undone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("softmark.db");
    let connection = Connection::open(&path).unwrap();
    // As little is kept in memory as can be, so that half of the work is on the disk already.
    connection
        .execute_batch(
            "PRAGMA cache_size = 1; PRAGMA application_id = 1936680564; BEGIN IMMEDIATE;
             CREATE TABLE runs (x); CREATE TABLE records (x);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
             INSERT INTO records SELECT hex(randomblob(100)) FROM n;
             PRAGMA user_version = 1;",
        )
        .unwrap();
    let after = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dir.path()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), after.path().join(entry.file_name())).unwrap();
    }
    let path = after.path().join("softmark.db");
    assert!(after.path().join("softmark.db-journal").exists());
    assert!(fs::metadata(&path).unwrap().len() > 100_000, "nothing was on the disk yet");
    let store = Store::open(&path).unwrap();
    assert!(store.latest("amara").unwrap().is_none());
    let tables = Connection::open(&path).unwrap().query_row(
        "SELECT count(*) FROM pragma_table_info('records') WHERE name = 'document'",
        [],
        |row| row.get::<_, u32>(0),
    );
    assert_eq!(tables, Ok(1), "the real table, and not the half-made one");
}

/// Records of a later grader are neither read as if they were this one's nor written over.
#[test]
fn results_of_a_later_grader_are_left_alone() {
    let desk = two();
    desk.grade("class").exit(0);
    let path = desk.path("results/records/zoe.json");
    let later = desk.read("results/records/amara.json");
    let later = later.replacen("\"format_version\": 1", "\"format_version\": 2", 1);
    fs::write(&path, &later).unwrap();
    let ran = desk.grade("class").exit(0);
    assert!(ran.stderr.contains("zoe.json"), "{ran}");
    assert_eq!(fs::read_to_string(&path).unwrap(), later);
    let ran = desk.grade("show zoe").exit(2);
    assert!(ran.stderr.contains("format version 2"), "{ran}");
}

/// Whatever the clock says, the last record is the one that was saved last, and no record tells the
/// time.
#[test]
fn a_clock_that_jumps_changes_no_grade() {
    let desk = two();
    let first = desk.grade("class --format json").exit(0).stdout;
    let database = desk.path("results/softmark.db");
    let connection = Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "INSERT INTO runs (started_at, grader_version, seed, device, sandbox)
             VALUES ('2999-12-31T23:59:59Z', '0', '1', 'cpu', 'full'),
                    ('1970-01-01T00:00:00Z', '0', '1', 'cpu', 'full')",
        )
        .unwrap();
    drop(connection);
    assert_eq!(desk.grade("class --format json").exit(0).stdout, first);
    assert_eq!(desk.grade("class --format json --fresh").exit(0).stdout, first);
    // The one use of the time of day is what a run's row says of when it began; all that is
    // measured is measured by clocks that never jump.
    let mut users = Vec::new();
    for (name, text) in sources("src") {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if code.contains("clock::now(") || code.contains("CLOCK_REALTIME") {
            users.push(name.clone());
        }
        for jumps in ["SystemTime", "UNIX_EPOCH", ".timestamp("] {
            assert!(!code.contains(jumps), "{name}: {jumps}");
        }
    }
    assert_eq!(users, ["src/clock.rs", "src/pipeline/archive.rs"]);
}

/// Every disk is full to a report.
#[test]
fn a_report_that_cannot_be_written_is_told() {
    let desk = two();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = desk.command();
    let output = command.args(["class", "--format", "json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("No space left on device"), "{told}");
    assert_eq!(desk.list("results/records"), ["amara.json", "bao.json"], "it is kept all the same");
}
