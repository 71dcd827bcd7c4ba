//! Measures the cost of grading a class of 300 different submissions: the sample class and the accepted variants of `attention`.
//!
//! `cargo bench --profile dev --bench class [-- SUBMISSIONS [PYTHON]]`
//!
//! PYTHON, `python3` unless given, runs the peers that it has: otter-grader, and pytest with torch, each with five tests of
//! one attention in PyTorch (`benches/peer/class/`). They alternate with grading one submission.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints times, reads the clock, and stops where it cannot go on"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use softmark::build::Source;
use softmark::fixtures;
use softmark::suite::{Catalog, Project};
use tempfile::TempDir;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const ASSIGNMENT: &str = "attention";
const SUBMISSIONS: usize = 300;

/// Pattern of all checks but those of trainings.
const NO_TRAINING: &str = "[!t]*/*";

/// Interval in which the memory of the grader is read.
const LOOK: Duration = Duration::from_millis(100);

/// Times that each peer is run.
const ROUNDS: usize = 5;

fn main() {
    // Cargo passes `--bench`.
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let count = args.next().map_or(SUBMISSIONS, |count| count.parse().unwrap());
    let python = args.next().unwrap_or_else(|| "python3".to_owned());
    let desk = Desk::new(count);
    // The libraries are compiled now, if they are not there yet.
    desk.grade(&["one", "--only", NO_TRAINING]);
    println!("{count} submissions, as many at a time as there are processors");
    let ways = [("without training", vec!["--only", NO_TRAINING]), ("with training", Vec::new())];
    for (name, options) in ways {
        let graded = desk
            .grade(&[&["class", "--fresh", "--timings", "--out", "results"], &*options].concat());
        graded.print(name);
    }
    let unchanged = desk.grade(&["class", "--out", "results"]);
    let each = unchanged.wall.as_secs_f64() * 1e3 / as_f64(count);
    println!("unchanged: {each:.1} ms each");
    peers(&desk, &python);
}

#[expect(clippy::cast_precision_loss, reason = "numbers of submissions are small")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

/// Folder with the class and its results.
struct Desk(TempDir);

impl Desk {
    /// Makes a class of so many submissions, and one more beside it.
    fn new(count: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sources = sources();
        for (number, source) in sources.iter().cycle().take(count).enumerate() {
            submission(&dir.path().join(format!("class/s{number:03}")), source, number);
        }
        submission(&dir.path().join("one"), sources.last().unwrap(), count);
        Self(dir)
    }

    /// Runs the grader.
    fn grade(&self, args: &[&str]) -> Graded {
        let errors = self.0.path().join("stderr");
        let clock = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_grade"));
        command.args(args).args(["--format", "csv"]).current_dir(self.0.path());
        command.env("SOFTMARK_HOME", HOME).stdout(Stdio::null());
        let mut child = command.stderr(File::create(&errors).unwrap()).spawn().unwrap();
        let mut memory = Vec::new();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => memory.extend(resident_mebibytes(child.id())),
            }
            thread::sleep(LOOK);
        };
        let wall = clock.elapsed();
        let errors = fs::read_to_string(errors).unwrap();
        assert!(status.success(), "{args:?}: {errors}");
        Graded { wall, cpu: processor_seconds(&errors), memory }
    }
}

/// Cost of a run of the grader.
struct Graded {
    wall: Duration,
    /// Seconds of processor time of each submission that was compiled, ascending.
    cpu: Vec<f64>,
    /// Memory of the grader itself, in MiB, at regular moments.
    memory: Vec<f64>,
}

impl Graded {
    fn print(&self, name: &str) {
        let third = self.memory.len() / 3;
        let most = |memory: &[f64]| memory.iter().copied().fold(0.0, f64::max);
        println!(
            "{name}: {:.0} s, {:.2} s of processor time each in the median, {:.2} s at most; the grader itself takes {:.0} \
             MiB in the first third and {:.0} MiB in the last",
            self.wall.as_secs_f64(),
            median(&self.cpu),
            most(&self.cpu),
            most(self.memory.get(..third).unwrap_or_default()),
            most(self.memory.get(2 * third..).unwrap_or_default()),
        );
    }
}

/// Returns the sources of the sample class, and of all accepted variants.
fn sources() -> Vec<Source> {
    let class = Path::new(HOME).join("fixtures/class");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(class).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut sources: Vec<Source> =
        folders.iter().map(|folder| files(&folder.join("src"))).collect();
    let project = Project {
        home: Path::new(HOME),
        catalog: const { Catalog::new(&[attention_exam::SUITE]) },
    };
    let variants = fixtures::variants(project, ASSIGNMENT).unwrap();
    sources.extend(variants.into_iter().map(|variant| variant.source));
    sources
}

fn files(src: &Path) -> Source {
    let each = fs::read_dir(src).unwrap().map(|entry| entry.unwrap());
    each.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// Writes a submission that differs from all others by a comment in each file.
fn submission(to: &Path, source: &Source, number: usize) {
    fs::create_dir_all(to.join("src")).unwrap();
    for (name, text) in source {
        let marked = [text.as_slice(), format!("// {number}\n").as_bytes()].concat();
        fs::write(to.join("src").join(name), marked).unwrap();
    }
    let manifest = Path::new(HOME).join("assignments").join(ASSIGNMENT).join("Cargo.toml");
    fs::copy(manifest, to.join("Cargo.toml")).unwrap();
}

/// Returns the resident memory of a process in MiB.
fn resident_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// Returns the last column of the table of `--timings`, ascending, without the line of sums.
fn processor_seconds(errors: &str) -> Vec<f64> {
    let rows = errors.lines().filter(|line| line.starts_with("  s") || line.starts_with("  one"));
    let mut seconds: Vec<f64> =
        rows.filter_map(|row| row.split_whitespace().last()?.parse().ok()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

/// Returns the middle one of ascending numbers.
fn median(ascending: &[f64]) -> f64 {
    ascending.get(ascending.len() / 2).copied().unwrap_or_default()
}

/// Runs the peers that Python has, in turn with grading one submission.
fn peers(desk: &Desk, python: &str) {
    let folder = Path::new(HOME).join("benches/peer/class");
    let all = [
        ("pytest with torch", "pytest, torch", "with_pytest.py"),
        ("otter-grader", "otter, torch", "with_otter.py"),
    ];
    let has = |modules: &str| {
        let mut command = Command::new(python);
        command.args(["-c", &format!("import {modules}")]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let (present, missing): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, modules, _)| has(modules));
    for (name, modules, _) in missing {
        println!("SKIPPED: {name}: {python} has not all of {modules}");
    }
    if present.is_empty() {
        return;
    }
    let (mut own, mut theirs) = (Vec::new(), vec![Vec::new(); present.len()]);
    for _ in 0..ROUNDS {
        own.extend(desk.grade(&["one", "--fresh", "--timings", "--out", "alone"]).cpu);
        for ((name, _, script), seconds) in present.iter().zip(&mut theirs) {
            let output = Command::new(python).arg(folder.join(script)).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let parsed = text.trim().parse::<f64>();
            seconds.push(
                parsed.unwrap_or_else(|_| {
                    panic!("{name}: {}", String::from_utf8_lossy(&output.stderr))
                }),
            );
        }
    }
    own.sort_by(f64::total_cmp);
    println!("one submission alone: {:.2} s of processor time", median(&own));
    for ((name, ..), mut seconds) in present.into_iter().zip(theirs) {
        seconds.sort_by(f64::total_cmp);
        println!(
            "{name}: {:.2} s of processor time, {:.1} times as much",
            median(&seconds),
            median(&seconds) / median(&own)
        );
    }
}
