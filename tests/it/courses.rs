//! Courses outside this project: made, built and graded as an instructor does it, in an empty folder.
//!
//! `SOFTMARK_TEMPLATES=write` renews the recorded answers in `templates/`, which belong to the diagnostic cases of derived
//! tasks.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark::build::{Pack, ProgramSpec, Source, StudentCrates};

use crate::support::cargo::cargo;
use crate::support::grade::{Desk, HOME, Ran, copy};
use crate::support::pack::{cache, program, tools};

/// The program of the course, under a name of its own: it lies in the target folder of this project, so that libraries
/// are compiled once.
const PROGRAM: &str = "course-grade";

/// A course on a desk.
struct Course {
    desk: Desk,
    program: PathBuf,
}

impl Course {
    /// Makes a course, and builds its grader.
    fn new() -> Self {
        let desk = Desk::new();
        let made = desk.grade("new course lab --title Laboratory").exit(0);
        assert!(
            made.stdout.starts_with("made       lab: a course with the assignment `residual`\n"),
            "{made}"
        );
        let manifest = desk.path("lab/Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        let renamed = text.replace("name = \"grade\"", &format!("name = \"{PROGRAM}\""));
        assert_ne!(renamed, text);
        fs::write(manifest, renamed).unwrap();
        let program = Path::new(env!("CARGO_BIN_EXE_grade")).with_file_name(PROGRAM);
        Self { desk, program }
    }

    /// Runs cargo in the course.
    fn cargo(&self, args: &str) -> Ran {
        let target = Path::new(env!("CARGO_BIN_EXE_grade")).ancestors().nth(2).unwrap();
        let mut command = cargo(args, &self.desk.path("lab"));
        command.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
        Ran::of(&command.output().unwrap())
    }

    /// Copies the recorded answers of the course back into the templates.
    fn renew_templates(&self) {
        let to = Path::new(HOME).join("templates/assignment/solutions/sample-id/mistakes");
        for mutant in ["residual-missing", "scale-ignored"] {
            let from =
                format!("lab/solutions/residual/mistakes/residual-{mutant}/{mutant}.answers.json");
            let to = to.join(format!("sample-id-{mutant}/{mutant}.answers.json"));
            fs::copy(self.desk.path(&from), to).unwrap();
        }
    }

    /// Runs the grader of the course in one of its folders, from which it finds the course.
    fn grade(&self, args: &str) -> Ran {
        let folder = self.desk.path("lab/assignments");
        let mut command = self.desk.other(self.program.to_str().unwrap());
        command
            .args(args.split(' '))
            .current_dir(folder)
            // Other libraries are the same as those of this project, so they are not compiled again.
            .env_remove("SOFTMARK_HOME");
        Ran::of(&command.output().unwrap())
    }
}

/// Everything in one test: a course is built once.
#[test]
fn a_course_is_made_built_graded_audited_and_gets_another_assignment() {
    let course = Course::new();
    course.cargo("build --quiet").exit(0);
    if std::env::var_os("SOFTMARK_TEMPLATES").is_some_and(|it| it == "write") {
        course.grade("audit residual --record").exit(0);
        course.renew_templates();
        course.cargo("build --quiet").exit(0);
    }

    for (name, from) in [
        ("right", "solutions/residual"),
        ("skeleton", "assignments/residual"),
        ("broken", "solutions/residual"),
    ] {
        let from = course.desk.path(&format!("lab/{from}"));
        let to = course.desk.path(&format!("lab/submissions/{name}"));
        copy(&from.join("src"), &to.join("src"));
        fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).unwrap();
    }
    let file = course.desk.path("lab/submissions/broken/src/residual.rs");
    let right = fs::read_to_string(&file).unwrap();
    let wrong = right.replace("x + branch.broadcast_mul(&self.scale)?", "x + branch");
    assert_ne!(wrong, right);
    fs::write(file, wrong).unwrap();

    let graded = course.grade("../submissions --format csv").exit(0);
    let points = |name: &str| {
        let row = graded.stdout.lines().find(|row| row.starts_with(name)).unwrap();
        row.split(',').nth(4).unwrap().to_owned()
    };
    assert_eq!(["right", "skeleton", "broken"].map(points), ["5.00", "0.00", "1.25"], "{graded}");
    let shown = course.grade("show broken");
    assert!(shown.stdout.contains("residual-scale-ignored"), "{shown}");

    let audited = course.grade("audit residual --seeds 2").exit(0);
    assert!(audited.stdout.contains("To add next"), "{audited}");

    let made = course.grade("new assignment lab-2").exit(0);
    assert!(made.stdout.contains("changed    src/main.rs"), "{made}");
    course.cargo("build --quiet").exit(0);
    course.cargo("fmt --all --check").exit(0);
    let tests = course.cargo("test --quiet -p lab-2-solution");
    assert_eq!(tests.code, 0, "{tests}");
    let listed = course.grade("explain").exit(0);
    assert!(listed.stdout.contains("lab-2-scale-ignored"), "{listed}");
    fs::remove_file(&course.program).unwrap();
    copies_do_not_get_the_libraries_of_each_other(&course.desk);
}

/// Makes all files of a folder an hour older.
fn age(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            age(&path);
        } else {
            let file = fs::File::options().write(true).open(&path).unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            file.set_modified(modified - Duration::from_hours(1)).unwrap();
        }
    }
}

/// Cargo would take the second copy's crates for those of the first, because their files are older than the first build.
fn copies_do_not_get_the_libraries_of_each_other(desk: &Desk) {
    for (name, mark) in [("first", "1"), ("second", "2")] {
        let home = desk.path(name);
        copy(&desk.path("lab"), &home);
        let file = home.join("solutions/residual/src/lib.rs");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(
            &file,
            format!("{text}\n/// Number of the copy.\npub const COPY: u8 = {mark};\n"),
        )
        .unwrap();
        age(&home);
        let pack = Pack::prepare(&tools(), &home, &cache(), &mut |_| ()).unwrap();
        let main =
            format!("const _: () = assert!(residual_solution::COPY == {mark});\nfn main() {{}}");
        let program = program("copy", &main, &["residual_solution"]);
        let crates = StudentCrates { kit: "residual_spec".to_owned(), ..program.crates };
        let program = ProgramSpec { crates, ..program };
        let source = Source::from([("lib.rs".to_owned(), Vec::new())]);
        let scratch = desk.path(&format!("scratch-{name}"));
        fs::create_dir(&scratch).unwrap();
        let built = pack.compile(&source, &[program], &scratch).unwrap();
        assert!(built.into_result().is_ok(), "{name}");
    }
}

/// Names that are refused leave nothing behind.
#[test]
fn what_cannot_be_made_is_told_and_nothing_is_written() {
    let desk = Desk::new();
    let refused = desk.grade("new course x --assignment serde").exit(64);
    assert!(refused.stderr.contains("there is a package `serde` already"), "{refused}");
    let refused = desk.grade("new course x --softmark /nowhere").exit(64);
    assert!(refused.stderr.contains("is no checkout of Softmark"), "{refused}");
    assert_eq!(desk.list("."), Vec::<String>::new());
    let desk = desk.file("full/mine", "mine").file("outer/softmark.toml", "title = 'T'");
    let made = desk.grade("new course outer/inner").exit(0);
    assert!(made.stderr.contains("which of the two courses is meant"), "{made}");
    let refused = desk.grade("new course full").exit(64);
    assert!(refused.stderr.contains("full is not empty"), "{refused}");
    assert_eq!(desk.list("full"), ["mine"]);
}

/// A student who hands in a whole course would decide what is asked and built, if somebody ran the program in that folder.
#[test]
fn a_submission_is_no_course() {
    let desk = Desk::new()
        .submission("amara", "fixtures/class/amara")
        .file("amara/softmark.toml", "title = \"mine\"\n")
        .file("amara/assignments/attention/assignment.toml", "id = \"attention\"\n")
        .file("amara/solutions/readme", "");
    for (folder, submission) in [("amara", "."), ("amara/src", ".."), ("amara", "../amara")] {
        let mut command = desk.command();
        command.env_remove("SOFTMARK_HOME").current_dir(desk.path(folder)).arg(submission);
        let ran = Ran::of(&command.output().unwrap()).exit(64);
        assert!(
            ran.stderr.contains("holds the softmark.toml by which the course is found"),
            "{ran}"
        );
        assert!(ran.stderr.contains("never in a submission"), "{ran}");
        assert_eq!(desk.list("amara/results"), Vec::<String>::new());
    }
    // What lies in a submission is nothing to a grader that is run elsewhere.
    desk.grade("amara").exit(0);
    // In a submission that is kept in the folder of a course, it is unclear which of them is meant.
    let desk = desk.file("softmark.toml", "title = \"ours\"\n");
    for args in ["audit attention", "doctor", "."] {
        let mut command = desk.command();
        command.env_remove("SOFTMARK_HOME").current_dir(desk.path("amara"));
        let ran = Ran::of(&command.args(args.split(' ')).output().unwrap()).exit(64);
        assert!(ran.stderr.contains("which of the two courses is meant"), "{ran}");
        assert!(ran.stderr.contains("set SOFTMARK_HOME to its folder"), "{ran}");
    }
}
