//! Measures a course: each assignment from the archive of all submissions to the filled gradebook in one command, and a regrade
//! after one changed check.
//!
//! ```text
//! cargo bench --profile dev --bench course [-- STUDENTS [SUBMISSIONS]]
//! cargo bench --profile dev --bench course -- memory [SUBMISSIONS…]
//! ```
//!
//! SUBMISSIONS is the most to each assignment; `300 300` makes 1,396 in all. All checks are run, with the trainings; the regrade is of
//! `attention`, for at most thirty submissions. `memory` measures `attention` alone, with 30 and with 3,000 submissions unless
//! other numbers are given.

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

/// Returns this repository.
fn project() -> Project<'static> {
    Project { home: Path::new(HOME), catalog: CATALOG }
}

/// Most submissions that are graded again.
const WHOLE: usize = 30;

/// Check that is run again.
const CHECK: &str = "multi-head/unequal-lengths";

/// Assignment and numbers of submissions of `memory`.
const MEASURED: &str = "attention";
const NUMBERS: [usize; 2] = [30, 3_000];

/// Interval in which the memory of the grader is read.
const LOOK: Duration = Duration::from_millis(20);

fn main() {
    // Cargo passes `--bench`.
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    match args.next().as_deref() {
        Some("memory") => {
            let given: Vec<usize> = args.map(|count| count.parse().unwrap()).collect();
            for submissions in if given.is_empty() { NUMBERS.to_vec() } else { given } {
                // Some do not hand in.
                let size = Size { students: submissions + submissions / 20 + 10, submissions };
                measure(size, &|desk| desk.fill_gradebook(MEASURED));
            }
        }
        students => {
            let students = students.map_or(12, |count| count.parse().unwrap());
            let submissions = args.next().map_or(students, |count| count.parse().unwrap());
            let size = Size { students, submissions };
            measure(size, &|desk| {
                println!("{} submissions to all assignments", GeneratedCourse::submissions(size));
                GeneratedCourse::assignments().for_each(|id| desk.fill_gradebook(id));
                desk.regrade();
            });
        }
    }
}

/// Makes a course in a folder of its own, and measures it.
fn measure(size: Size, work: &dyn Fn(&Desk<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Instant::now();
    let made = GeneratedCourse::generate(folder.path(), project(), size);
    println!("a course of {} students, made in {:.1} s", size.students, seconds(clock));
    let desk = Desk { folder: folder.path(), course: &made };
    desk.prepare();
    work(&desk);
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
                None => memory = memory.max(peak_mebibytes(child.id()).unwrap_or(0.0)),
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

    /// Grades the archive of an assignment and fills the gradebook, in one command.
    fn fill_gradebook(&self, id: &str) {
        let out = format!("results/{id}");
        let download = self.course.download(project(), id);
        self.mark(&out, id, &download.submissions);
        let fill = format!("canvas={}", self.course.gradebook.display());
        let graded = self.grade(&[
            "run",
            download.path.to_str().unwrap(),
            "--assignment",
            id,
            "--out",
            &out,
            "--fill",
            &fill,
            "--format",
            "csv",
        ]);
        let filled = self.folder.join(&out).join(format!("{id}.canvas.csv"));
        let text = fs::read_to_string(filled).unwrap();
        let cells = text.lines().skip(2).filter(|line| !line.ends_with(",,,,,")).count();
        let count = download.submissions.len();
        println!(
            "{id}: {count} submissions, from the download to the gradebook {:.1} s, {:.2} s each, peak {:.0} MiB; {cells} cells filled",
            graded.wall.as_secs_f64(),
            graded.wall.as_secs_f64() / as_f64(count),
            graded.memory,
        );
    }

    /// Gives points to every written answer before it is graded, as a person would afterwards in `marks.csv`: a submission with an
    /// answer that nobody has marked fills no cell.
    fn mark(&self, out: &str, id: &str, submissions: &[String]) {
        let assignment = assignment::load(Path::new(HOME), id).unwrap();
        let mut marks = String::from("submission,question,points\n");
        for name in submissions {
            for question in &assignment.written {
                writeln!(marks, "{name},{},{}", question.id, question.points).unwrap();
            }
        }
        let out = self.folder.join(out);
        fs::create_dir_all(&out).unwrap();
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
        let file = File::open(self.course.download(project(), "attention").path).unwrap();
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

/// Returns the largest memory of a process so far, in MiB.
fn peak_mebibytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}
