//! A course of any size, made from `fixtures/course`: what an instructor has before and while it is graded.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use softmark::assignment;
use softmark::build::Source;
use softmark::course::{CivilTime, Moment, Reading, WallClock};
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
    /// Gradebook as Canvas exports it.
    pub(crate) gradebook: PathBuf,
    folder: PathBuf,
    size: Size,
    students: Vec<Student>,
}

/// Bulk download of the submissions to an assignment, as Canvas makes it.
#[derive(Debug)]
pub(crate) struct Download {
    /// Archive, with a file for each submission; some students handed in two.
    pub(crate) path: PathBuf,
    /// Names of the submissions: one for each student or group.
    pub(crate) submissions: Vec<String>,
}

/// Assignment with its due date.
struct Dated {
    id: &'static str,
    due: &'static str,
}

/// Assignments in the order of their due dates.
const ASSIGNMENTS: [Dated; 5] = [
    Dated { id: "attention", due: "2026-10-15T23:59:00+02:00" },
    Dated { id: "encoder", due: "2026-11-05T23:59:00+01:00" },
    Dated { id: "debugging", due: "2026-11-19T23:59:00+01:00" },
    Dated { id: "prefix-tuning", due: "2026-12-03T23:59:00+01:00" },
    Dated { id: "modern", due: "2026-12-17T23:59:00+01:00" },
];

/// Assignment to which groups hand in together.
const TOGETHER: &str = "encoder";

/// The first students of each ten are a group; the others work alone.
const TEN: usize = 10;
const GROUP: usize = 3;

/// One of this number of students does not hand in.
const ABSENT: usize = 33;

const HOUR: i64 = 3600;

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

impl Student {
    /// Name of a submission, as the name of the file in Canvas's archive gives it.
    fn submission(&self) -> String {
        format!("{}_{}", self.key(), self.number)
    }
}

impl GeneratedCourse {
    /// Makes a course in an empty folder; `project` is this repository.
    pub(crate) fn generate(folder: &Path, project: Project<'_>, size: Size) -> Self {
        let home = folder.join("course");
        fs::create_dir_all(home.join("times")).unwrap();
        link_project(project.home, &home);
        let students = students(project.home, size.students);
        fs::write(home.join("softmark.toml"), settings(&students)).unwrap();
        fs::write(home.join("roster.csv"), roster(&students)).unwrap();
        for dated in &ASSIGNMENTS {
            let path = home.join(format!("times/{}.csv", dated.id));
            fs::write(path, times(dated, &hand_ins(dated.id, size), &students)).unwrap();
        }
        let gradebook = folder.join("gradebook.csv");
        fs::write(&gradebook, exported(project.home, &students)).unwrap();
        Self { home, gradebook, folder: folder.to_owned(), size, students }
    }

    /// Returns the ids of the assignments.
    pub(crate) fn assignments() -> impl Iterator<Item = &'static str> {
        ASSIGNMENTS.into_iter().map(|it| it.id)
    }

    /// Returns the number of submissions to all assignments of a course.
    pub(crate) fn submissions(size: Size) -> usize {
        Self::assignments().map(|id| hand_ins(id, size).len()).sum()
    }

    /// Makes the archive of the submissions to an assignment.
    pub(crate) fn download(&self, project: Project<'_>, id: &str) -> Download {
        let hand_ins = hand_ins(id, self.size);
        let path = self.folder.join(format!("{id}.zip"));
        fs::write(&path, zip(&entries(project, id, &hand_ins, &self.students))).unwrap();
        let name = |it: &HandIn| self.students[it.place].submission();
        Download { path, submissions: hand_ins.iter().map(name).collect() }
    }
}

/// Submission of a student, or of the group whose first member the student is.
struct HandIn {
    /// Number of the student.
    place: usize,
    /// Hours after the due date; less than 0 if it is in time.
    hours_late: i64,
    /// Number from 0 to 99 that decides of which kind its work is.
    kind: u64,
}

/// True if the student at `place` hands in, alone or for the group.
fn hands_in(id: &str, place: usize) -> bool {
    id != TOGETHER || !(1..GROUP).contains(&(place % TEN))
}

/// Returns the students for whom the student at `place` hands in.
fn team(id: &str, place: usize) -> Range<usize> {
    let is_group = id == TOGETHER && place.is_multiple_of(TEN);
    place..place + if is_group { GROUP } else { 1 }
}

/// Returns who hands in, when, and what.
fn hand_ins(id: &str, size: Size) -> Vec<HandIn> {
    let index = ASSIGNMENTS.iter().position(|it| it.id == id).unwrap();
    let is_there = |place: &usize| (place + 7 * index) % ABSENT != ABSENT - 2;
    let hands_in = |place: &usize| hands_in(id, *place) && is_there(place);
    let hand_in = |place| {
        let hours_late = hours_late(place);
        let kind = Stream::derive(2026, "kind", place as u64).below(100);
        // What is late is right, so that its mark without the policy is known.
        HandIn { place, hours_late, kind: if hours_late > 0 { kind % 35 } else { kind } }
    };
    (0..size.students).filter(hands_in).take(size.submissions).map(hand_in).collect()
}

/// Some students are always late: by a day and two hours, by more than three days, or by more than a week.
fn hours_late(place: usize) -> i64 {
    match place {
        _ if place % 64 == 20 => 9 * 24,
        _ if place % 16 == 4 => 80,
        _ if place.is_multiple_of(8) => 26,
        _ => -1 - i64::try_from(place % 70).unwrap(),
    }
}

/// The times of submission of an assignment. Canvas exports none with its submissions, so that an instructor of a course on Canvas has
/// them in a plain file.
fn times(Dated { id, due }: &Dated, hand_ins: &[HandIn], students: &[Student]) -> String {
    let due = CivilTime::parse(due).unwrap();
    let due: Moment = due.moment(&WallClock::UTC, Reading::Later);
    let mut text = String::from("id,submitted\n");
    for HandIn { place, hours_late, .. } in hand_ins {
        for student in team(id, *place).filter_map(|member| students.get(member)) {
            writeln!(text, "{},{}", student.id, due.plus(hours_late * HOUR)).unwrap();
        }
    }
    text
}

/// Makes a folder that holds what this repository does, but for the file of its course: the libraries of submissions are built
/// from it.
pub(crate) fn link_project(from: &Path, to: &Path) {
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
         grace_minutes = 15\nlate_days = 3\nlate_days_per_assignment = 2\nhard_stop_days = 7\n",
    );
    for (place, Dated { id, due }) in ASSIGNMENTS.iter().enumerate() {
        let column = column(place);
        write!(text, "\n[assignments.{id}]\ndue = {due}\ncolumn = \"{column}\"\n").unwrap();
        writeln!(text, "times = \"times/{id}.csv\"").unwrap();
        if *id == TOGETHER {
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

/// Returns the number of an assignment's column on the platform.
fn column(place: usize) -> usize {
    4711 + place
}

fn roster(students: &[Student]) -> String {
    let mut text = String::from("id,name,email,group\n");
    for (place, Student { id, first, last, .. }) in students.iter().enumerate() {
        let is_member = place % TEN < GROUP;
        let group = if is_member { format!("g{:03}", place / TEN) } else { String::new() };
        writeln!(text, "{id},{first} {last},{id}@example.org,{group}").unwrap();
    }
    text
}

/// The gradebook of the course, in which no assignment has points.
fn exported(home: &Path, students: &[Student]) -> String {
    let mut head = String::from("Student,ID,SIS User ID,SIS Login ID,Section");
    let mut most = String::from("    Points Possible,,,,");
    for (place, Dated { id, .. }) in ASSIGNMENTS.iter().enumerate() {
        let assignment = assignment::load(home, id).unwrap();
        write!(head, ",{id} ({})", column(place)).unwrap();
        write!(most, ",{}", assignment.points + assignment.written_points()).unwrap();
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
fn entries(
    project: Project<'_>,
    id: &str,
    hand_ins: &[HandIn],
    students: &[Student],
) -> Vec<ZipEntry> {
    let kinds = Kinds::of(project, id);
    let manifest = fs::read(project.home.join("assignments").join(id).join("Cargo.toml")).unwrap();
    let mut entries = Vec::new();
    for HandIn { place, hours_late, kind } in hand_ins {
        let student = &students[*place];
        let mut random = Stream::derive(2026, id, *place as u64);
        let late = if *hours_late > 0 { "_LATE" } else { "" };
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
