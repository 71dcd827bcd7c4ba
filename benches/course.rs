//! Measures a course: each assignment from the archive of all submissions to the filled gradebook, and a regrade after one
//! changed check.
//!
//! `cargo bench --profile dev --bench course [-- STUDENTS [SUBMISSIONS]]`
//!
//! SUBMISSIONS is the most to each assignment; `300 300` makes about 1,400 in all. Of each assignment the checks of the first task
//! are run; the regrade is of all checks of `attention`, with its training, for at most thirty submissions.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a benchmark prints times, reads the clock, and stops where it cannot go on"
)]
#![expect(dead_code, reason = "the archives of tests can do more")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use softmark::assignment;
use softmark::store::document;
use softmark::suite::{Catalog, Project};

#[path = "../tests/it/support/archive.rs"]
mod archive;
#[path = "../tests/it/support/course.rs"]
mod course;

use course::{GeneratedCourse, Size};

const HOME: &str = env!("CARGO_MANIFEST_DIR");

const CATALOG: Catalog = Catalog::new(&[
    attention_exam::SUITE,
    encoder_exam::SUITE,
    modern_exam::SUITE,
    debugging_exam::SUITE,
    prefix_tuning_exam::SUITE,
]);

/// Most submissions that are graded with all checks.
const WHOLE: usize = 30;

/// Check that is run again.
const CHECK: &str = "multi-head/unequal-lengths";

/// Interval in which the memory of the grader is read.
const LOOK: Duration = Duration::from_millis(20);

fn main() {
    // Cargo passes `--bench`.
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let students = args.next().map_or(12, |count| count.parse().unwrap());
    let submissions = args.next().map_or(students, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let project = Project { home: Path::new(HOME), catalog: CATALOG };
    let clock = Instant::now();
    let made = GeneratedCourse::generate(folder.path(), project, Size { students, submissions });
    let all: usize = made.submissions.values().sum();
    println!("{students} students, {all} files handed in; made in {:.1} s", seconds(clock));
    let desk = Desk { folder: folder.path(), course: &made };
    desk.prepare();
    for id in made.downloads.keys() {
        desk.fill_gradebook(id);
    }
    desk.regrade();
}

fn seconds(clock: Instant) -> f64 {
    clock.elapsed().as_secs_f64()
}

/// Folder in which the course is graded.
struct Desk<'a> {
    folder: &'a Path,
    course: &'a GeneratedCourse,
}

/// Cost of a run of the grader.
struct Cost {
    wall: Duration,
    /// Largest memory of the grader itself, in MiB.
    memory: f64,
    errors: String,
}

impl Desk<'_> {
    /// Runs the grader.
    fn grade(&self, args: &[&str]) -> Cost {
        let errors = self.folder.join("stderr");
        let clock = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_grade"));
        command.args(args).current_dir(self.folder).env("SOFTMARK_HOME", &self.course.home);
        command.stdout(Stdio::null()).stderr(File::create(&errors).unwrap());
        let mut child = command.spawn().unwrap();
        let mut memory: f64 = 0.0;
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => memory = memory.max(resident_mebibytes(child.id()).unwrap_or(0.0)),
            }
            thread::sleep(LOOK);
        };
        let wall = clock.elapsed();
        let errors = fs::read_to_string(errors).unwrap();
        // 2: some have no grade, such as two archives that nobody can choose between.
        assert!(matches!(status.code(), Some(0 | 2)), "{args:?}: {errors}");
        Cost { wall, memory, errors }
    }

    /// Compiles the libraries, if they are not there yet.
    fn prepare(&self) {
        let solution = Path::new(HOME).join("solutions/attention");
        self.grade(&[solution.to_str().unwrap(), "--only", "masked-pooling/shapes"]);
    }

    /// Grades the archive of an assignment with the checks of its first task, and fills the gradebook.
    fn fill_gradebook(&self, id: &str) {
        let task = &assignment::load(Path::new(HOME), id).unwrap().tasks[0].id;
        let (only, out) = (format!("{task}/*"), format!("results/{id}"));
        let download = self.course.downloads[id].to_str().unwrap();
        let run = ["run", download, "--assignment", id, "--only", &only, "--out", &out];
        let graded = self.grade(&[&run[..], &["--format", "csv"]].concat());
        self.mark(&out);
        let gradebook = self.course.gradebook.to_str().unwrap();
        let filled = format!("filled-{id}.csv");
        let fill = ["course", "grades", id, "--format", "canvas", "--gradebook", gradebook];
        let filled_cost = self.grade(&[&fill[..], &["--scale", "--out", &filled]].concat());
        let text = fs::read_to_string(self.folder.join(&filled)).unwrap();
        let cells = text.lines().skip(2).filter(|line| !line.ends_with(",,,,,")).count();
        let count = self.course.submissions[id];
        println!(
            "{id}: {count} files, {:.1} s, {:.2} s each, {:.0} MiB; gradebook {:.1} s, {cells} cells filled",
            graded.wall.as_secs_f64(),
            graded.wall.as_secs_f64() / as_f64(count),
            graded.memory,
            filled_cost.wall.as_secs_f64()
        );
    }

    /// Gives points to every written answer, as a person would in `marks.csv`: a submission with an answer that nobody has
    /// marked fills no cell.
    fn mark(&self, out: &str) {
        let out = self.folder.join(out);
        let mut marks = String::from("submission,question,points\n");
        for entry in fs::read_dir(out.join("records")).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let (_, record) = document::read_record(&text).unwrap();
            let (name, written) = (record.submission.as_raw(), &record.written);
            let unmarked = written.iter().filter(|answer| answer.points.is_none());
            for answer in unmarked {
                writeln!(marks, "{name},{},{}", answer.id.as_raw(), answer.max_points).unwrap();
            }
        }
        fs::write(out.join("marks.csv"), marks).unwrap();
    }

    /// Grades some submissions with all checks, and then one check of each again.
    fn regrade(&self) {
        let class = self.some();
        let class = class.to_str().unwrap();
        let steps: [(&str, Vec<&str>); 4] = [
            ("all checks", vec!["run", class, "--assignment", "attention"]),
            ("unchanged", vec!["run", class, "--assignment", "attention"]),
            ("one check again", vec!["regrade", "--check", CHECK]),
            ("regrade of nothing", vec!["regrade"]),
        ];
        for (name, args) in steps {
            let cost = self.grade(&[&args[..], &["--out", "whole", "--format", "csv"]].concat());
            let told = cost.errors.lines().find(|line| line.contains("from an earlier run"));
            println!(
                "{name}: {:.1} s, {:.0} MiB; {}",
                cost.wall.as_secs_f64(),
                cost.memory,
                told.unwrap_or("nothing from an earlier run")
            );
        }
    }

    /// Returns a folder with the first submissions to `attention`.
    fn some(&self) -> PathBuf {
        let folder = self.folder.join("some");
        fs::create_dir_all(&folder).unwrap();
        let file = File::open(&self.course.downloads["attention"]).unwrap();
        let mut archive = zip::ZipArchive::new(file).unwrap();
        for place in 0..archive.len().min(WHOLE) {
            let mut entry = archive.by_index(place).unwrap();
            let mut out = File::create(folder.join(&*entry.name().unwrap())).unwrap();
            std::io::copy(&mut entry, &mut out).unwrap();
        }
        folder
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of submissions are small")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

/// Returns the resident memory of a process in MiB.
fn resident_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}
