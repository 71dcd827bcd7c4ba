//! A generated course, from the archives of submissions to filled gradebooks.

use std::fs;

use crate::support::course::{GeneratedCourse, Size};
use crate::support::exams::project;
use crate::support::grade::Desk;
use crate::support::pack::pack;

const SMALL: Size = Size { students: 9, submissions: 6 };

#[test]
fn the_same_size_gives_the_same_bytes() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, other] =
        folders.each_ref().map(|folder| GeneratedCourse::generate(folder.path(), project(), SMALL));
    for (id, path) in &one.downloads {
        assert_eq!(fs::read(path).unwrap(), fs::read(&other.downloads[id]).unwrap(), "{id}");
    }
    let files = |course: &GeneratedCourse| {
        let own = ["softmark.toml", "roster.csv"].map(|name| course.home.join(name));
        let files = own.into_iter().chain([course.gradebook.clone()]);
        files.map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(files(&one), files(&other));
    assert_eq!(one.downloads.len(), 5);
    assert!(one.submissions.values().all(|count| (1..=SMALL.submissions + 1).contains(count)));
}

#[test]
fn a_download_becomes_a_filled_gradebook() {
    pack();
    let desk = Desk::new();
    let course = GeneratedCourse::generate(&desk.path(""), project(), SMALL);
    let desk = desk.env("SOFTMARK_HOME", &course.home);
    desk.grade("course check").exit(0);
    let exported = fs::read_to_string(&course.gradebook).unwrap();
    fs::write(desk.path("other.csv"), exported.replace(",30.00", ",31.00")).unwrap();
    let refused =
        desk.grade("run attention.zip --assignment attention --fill canvas=other.csv").exit(64);
    assert!(refused.stderr.contains("is worth 31"), "{refused}");
    assert!(!desk.path("results").exists(), "nothing is graded before the gradebook fits");
    let graded = desk.grade(
        "run attention.zip --assignment attention --out results/attention --fill canvas=gradebook.csv",
    );
    // 2: some have no grade, such as a PDF.
    assert!([0, 2].contains(&graded.code) && graded.stderr.contains("kept in"), "{graded}");
    assert!(graded.stderr.contains("results/attention/attention.canvas.csv is filled"), "{graded}");
    let filled = desk.read("results/attention/attention.canvas.csv");
    let again = "course grades attention --results results/attention --format canvas --gradebook gradebook.csv";
    assert_eq!(desk.grade(again).exit(0).stdout, filled);
    let (before, after): (Vec<&str>, Vec<&str>) =
        (exported.lines().collect(), filled.lines().collect());
    assert_eq!(before.len(), after.len());
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    // Some did not hand in, or not what can be graded.
    assert!((3..=SMALL.submissions).contains(&changed), "{filled}");
}
