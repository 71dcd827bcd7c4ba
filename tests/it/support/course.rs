//! A course of any size, made from `fixtures/course`: what an instructor has before and while it is graded.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use softmark::assignment;
use softmark::build::Source;
use softmark::fixtures::{self, Fixture};
use softmark::suite::Project;
use softmark_common::rng::Stream;

use super::archive::{ZipEntry, zip};

/// Size of a course.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) students: usize,
    /// Most submissions to each assignment.
    pub(crate) submissions: usize,
}

/// Course in a folder.
#[derive(Debug)]
pub(crate) struct GeneratedCourse {
    /// Folder with `softmark.toml`.
    pub(crate) home: PathBuf,
    /// Archive of all submissions, by the id of the assignment.
    pub(crate) downloads: BTreeMap<&'static str, PathBuf>,
    /// Number of submissions in each archive.
    pub(crate) submissions: BTreeMap<&'static str, usize>,
    /// Gradebook as Canvas exports it.
    pub(crate) gradebook: PathBuf,
}

/// Assignments with their due dates.
const ASSIGNMENTS: [(&str, &str); 5] = [
    ("attention", "2026-10-15T23:59:00+02:00"),
    ("encoder", "2026-11-05T23:59:00+01:00"),
    ("debugging", "2026-11-19T23:59:00+01:00"),
    ("prefix-tuning", "2026-12-03T23:59:00+01:00"),
    ("modern", "2026-12-17T23:59:00+01:00"),
];

/// Students in a group.
const GROUP: usize = 3;

#[derive(Debug)]
struct Student {
    id: String,
    first: String,
    last: String,
    /// Number on the platform.
    number: usize,
}

impl Student {
    /// Name at the beginning of the student's entries in an archive of Canvas.
    fn key(&self) -> String {
        let name = format!("{}{}", self.last, self.first).to_lowercase();
        let ascii = |c: char| if c.is_ascii_alphanumeric() { Some(c) } else { None };
        name.chars().filter_map(ascii).collect()
    }
}

impl GeneratedCourse {
    /// Makes a course in an empty folder; `project` is this repository.
    pub(crate) fn generate(folder: &Path, project: Project<'_>, size: Size) -> Self {
        let home = folder.join("course");
        fs::create_dir_all(&home).unwrap();
        link_project(project.home, &home);
        let students = students(project.home, size.students);
        fs::write(home.join("softmark.toml"), settings(&students)).unwrap();
        fs::write(home.join("roster.csv"), roster(&students)).unwrap();
        let gradebook = folder.join("gradebook.csv");
        fs::write(&gradebook, exported(project.home, &students)).unwrap();
        let (mut downloads, mut submissions) = (BTreeMap::new(), BTreeMap::new());
        for (id, _) in ASSIGNMENTS {
            let entries = download(project, id, &students, size.submissions);
            let path = folder.join(format!("{id}.zip"));
            submissions.insert(id, entries.len());
            fs::write(&path, zip(&entries)).unwrap();
            downloads.insert(id, path);
        }
        Self { home, downloads, submissions, gradebook }
    }
}

/// Makes a folder that holds what this repository does, but for the file of its course: the libraries of submissions are built
/// from it.
fn link_project(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        let is_own = ["softmark.toml", "target", ".git"].iter().any(|own| name == *own);
        if !is_own {
            symlink(from.join(&name), to.join(&name)).unwrap();
        }
    }
}

fn students(home: &Path, count: usize) -> Vec<Student> {
    let read = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(home.join("fixtures/course").join(name)).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let (first, last) = (read("first-names.txt"), read("last-names.txt"));
    let student = |n: usize| {
        let round = n / (first.len() * last.len());
        // After all pairs of names, students have a second family name.
        let more = if round > 0 { format!("-{}", last[round % last.len()]) } else { String::new() };
        Student {
            id: format!("s{n:04}"),
            first: first[n % first.len()].clone(),
            last: format!("{}{more}", last[(n / first.len() + n) % last.len()]),
            number: 70_000 + n,
        }
    };
    (0..count).map(student).collect()
}

fn settings(students: &[Student]) -> String {
    let mut text = String::from(
        "title = \"A generated course\"\nroster = \"roster.csv\"\n\n[late]\npercent_per_day = 10\n\
         grace_minutes = 15\nlate_days = 5\nhard_stop_days = 7\n",
    );
    for (place, (id, due)) in ASSIGNMENTS.iter().enumerate() {
        write!(text, "\n[assignments.{id}]\ndue = {due}\ncolumn = \"{}\"\n", 4711 + place).unwrap();
        if *id == "encoder" {
            text.push_str("groups = true\n");
        }
    }
    for student in students.iter().step_by(17) {
        write!(
            text,
            "\n[[extensions]]\nstudent = \"{}\"\nassignment = \"attention\"\ndays = 3\nreason = \"illness\"\n",
            student.id
        )
        .unwrap();
    }
    text
}

fn roster(students: &[Student]) -> String {
    let mut text = String::from("id,name,email,group\n");
    for (place, Student { id, first, last, .. }) in students.iter().enumerate() {
        writeln!(text, "{id},{first} {last},{id}@example.org,g{:03}", place / GROUP).unwrap();
    }
    text
}

/// The gradebook of the course, in which no assignment has points.
fn exported(home: &Path, students: &[Student]) -> String {
    let mut head = String::from("Student,ID,SIS User ID,SIS Login ID,Section");
    let mut most = String::from("    Points Possible,,,,");
    for (place, (id, _)) in ASSIGNMENTS.iter().enumerate() {
        let assignment = assignment::load(home, id).unwrap();
        let written = assignment.written.iter().map(|it| it.points);
        let points = written.fold(assignment.points, |sum, it| sum + it);
        write!(head, ",{id} ({})", 4711 + place).unwrap();
        write!(most, ",{points}").unwrap();
    }
    let mut text = format!("{head}\r\n{most}\r\n");
    for Student { id, first, last, number } in students {
        let cells = ",".repeat(ASSIGNMENTS.len());
        write!(text, "\"{last}, {first}\",{number},{id},{id},S1{cells}\r\n").unwrap();
    }
    text
}

/// The sources that submissions of an assignment are made of.
struct Kinds {
    right: Vec<Fixture>,
    mutants: Vec<Fixture>,
    idle: Vec<Fixture>,
    skeleton: Source,
}

impl Kinds {
    fn of(project: Project<'_>, id: &str) -> Self {
        let mut right = fixtures::variants(project, id).unwrap();
        right.push(fixtures::solution(project.home, id).unwrap());
        Self {
            right,
            mutants: fixtures::mutants(project, id).unwrap(),
            idle: fixtures::idle(project, id).unwrap(),
            skeleton: assignment::load(project.home, id).unwrap().skeleton,
        }
    }
}

/// The entries of the archive of an assignment's submissions, each an archive itself.
fn download(
    project: Project<'_>,
    id: &'static str,
    students: &[Student],
    most: usize,
) -> Vec<ZipEntry> {
    let kinds = Kinds::of(project, id);
    let manifest = fs::read(project.home.join("assignments").join(id).join("Cargo.toml")).unwrap();
    let mut entries = Vec::new();
    let step = if id == "encoder" { GROUP } else { 1 };
    for (place, student) in students.iter().enumerate().step_by(step) {
        let mut random = Stream::derive(2026, id, place as u64);
        let is_missing = random.below(10) == 0;
        if entries.len() >= most || is_missing {
            continue;
        }
        let late = if random.below(8) == 0 { "_LATE" } else { "" };
        let number = 5_550_000 + place;
        let name =
            |file: &str| format!("{}{late}_{}_{number}_{file}", student.key(), student.number);
        let packed = |fixture: &Fixture| {
            let Fixture { source, answers, uploads, .. } = fixture;
            pack((&manifest, &student.id), [source, answers, uploads])
        };
        let mut chosen = |all: &[Fixture]| {
            let at = random.below(all.len() as u64);
            packed(&all[usize::try_from(at).unwrap()])
        };
        let none = Source::new();
        let skeleton = |source: &Source| pack((&manifest, &student.id), [source, &none, &none]);
        let kind = Stream::derive(2026, "kind", (place * 5 + number) as u64).below(100);
        let bytes = match kind {
            0..35 => chosen(&kinds.right),
            35..80 => chosen(&kinds.mutants),
            80..88 => skeleton(&kinds.skeleton),
            88..92 if !kinds.idle.is_empty() => chosen(&kinds.idle),
            88..96 => skeleton(&broken(&kinds.skeleton)),
            96..98 => {
                entries.push(ZipEntry::stored(&name("report.pdf"), b"%PDF"));
                continue;
            }
            _ => {
                entries.push(ZipEntry::stored(&name("work.zip"), &skeleton(&kinds.skeleton)));
                entries.push(ZipEntry::stored(&name("work-1.zip"), &chosen(&kinds.right)));
                continue;
            }
        };
        entries.push(ZipEntry::stored(&name("work.zip"), &bytes));
    }
    entries
}

/// The source with an error in its first file.
fn broken(source: &Source) -> Source {
    let mut source = source.clone();
    if let Some(text) = source.values_mut().next() {
        text.extend_from_slice(b"\nfn unfinished( {\n");
    }
    source
}

/// An archive of a submission, whose files differ from those of all other students by a comment.
fn pack((manifest, student): (&[u8], &str), [source, answers, uploads]: [&Source; 3]) -> Vec<u8> {
    let mut entries = vec![ZipEntry::packed("work/Cargo.toml", manifest)];
    for (name, text) in source {
        let own = [text.as_slice(), format!("// {student}\n").as_bytes()].concat();
        entries.push(ZipEntry::packed(&format!("work/src/{name}"), &own));
    }
    for (name, bytes) in answers.iter().chain(uploads) {
        entries.push(ZipEntry::packed(&format!("work/{name}"), bytes));
    }
    zip(&entries)
}
