//! A generated course, from the archives of submissions to filled gradebooks.

use std::fs;

use crate::support::course::{GeneratedCourse, Size};
use crate::support::exams::project;
use crate::support::grade::{Desk, Ran};
use crate::support::pack::pack;

const SMALL: Size = Size { students: 9, submissions: 6 };

/// A large class.
const LARGE: Size = Size { students: 300, submissions: 300 };

#[test]
fn the_same_size_gives_the_same_bytes() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, other] =
        folders.each_ref().map(|folder| GeneratedCourse::generate(folder.path(), project(), SMALL));
    for id in GeneratedCourse::assignments() {
        let [one, other] = [&one, &other].map(|it| it.download(project(), id));
        assert_eq!(fs::read(one.path).unwrap(), fs::read(other.path).unwrap(), "{id}");
        assert_eq!(one.submissions.len(), SMALL.submissions);
    }
    let files = |course: &GeneratedCourse| {
        let own = ["softmark.toml", "roster.csv", "times/encoder.csv"];
        let own = own.map(|name| course.home.join(name));
        let files = own.into_iter().chain([course.gradebook.clone()]);
        files.map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(files(&one), files(&other));
    assert_eq!(GeneratedCourse::assignments().count(), 5);
}

#[test]
fn a_class_of_300_hands_in_1396_times() {
    assert_eq!(GeneratedCourse::submissions(LARGE), 1_396);
}

fn is_graded(ran: &Ran) -> bool {
    // 2: some have no grade, such as a PDF.
    [0, 2].contains(&ran.code) && ran.stderr.contains("kept in")
}

#[test]
fn a_download_becomes_a_filled_gradebook() {
    pack();
    let desk = Desk::new();
    let course = GeneratedCourse::generate(&desk.path(""), project(), SMALL);
    let desk = desk.env("SOFTMARK_HOME", &course.home);
    desk.grade("course check").exit(0);
    for id in ["attention", "encoder"] {
        course.download(project(), id);
    }
    let exported = fs::read_to_string(&course.gradebook).unwrap();
    fs::write(desk.path("other.csv"), exported.replace(",30.00", ",31.00")).unwrap();
    let refused =
        desk.grade("run attention.zip --assignment attention --fill canvas=other.csv").exit(64);
    assert!(refused.stderr.contains("is worth 31"), "{refused}");
    let [roster, away] = ["roster.csv", "away.csv"].map(|name| course.home.join(name));
    fs::rename(&roster, &away).unwrap();
    let filling = "run attention.zip --assignment attention --fill canvas=gradebook.csv";
    let missing = desk.grade(filling).exit(2);
    assert!(missing.stderr.contains("`roster` names"), "{missing}");
    fs::rename(&away, &roster).unwrap();
    assert!(!desk.path("results").exists(), "nothing is graded before the files fit");
    let ran = desk.grade(
        "run attention.zip --assignment attention --out results/attention --fill canvas=gradebook.csv",
    );
    assert!(is_graded(&ran), "{ran}");
    assert!(ran.stderr.contains("results/attention/attention.canvas.csv is filled"), "{ran}");
    let filled = desk.read("results/attention/attention.canvas.csv");
    let again = "course grades attention --results results/attention --format canvas --gradebook gradebook.csv";
    assert_eq!(desk.grade(again).exit(0).stdout, filled);
    let (before, after): (Vec<&str>, Vec<&str>) =
        (exported.lines().collect(), filled.lines().collect());
    assert_eq!(before.len(), after.len());
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    // Some did not hand in, or not what can be graded.
    assert!((3..=SMALL.submissions).contains(&changed), "{filled}");

    // One task of the other assignment is enough to see what the policy does with its 4 points.
    let other = "run encoder.zip --assignment encoder --only feed-forward/* --out results/encoder";
    let ran = desk.grade(other);
    assert!(is_graded(&ran), "{ran}");
    policies_have_their_effects(&desk, &filled);
}

/// Marks worked out by hand, of work that is right: 10 % a day after 15 minutes of grace, 3 late days of which an assignment takes 2.
fn policies_have_their_effects(desk: &Desk, filled: &str) {
    let told = desk.grade("course check").exit(0).stdout;
    let (attention, encoder) = told.split_once("\nencoder, due").unwrap();
    let both = [
        (
            attention,
            [
                // An extension of three days.
                "s0000 (Amara Okafor, g000): extended to 2026-10-18 23:59 +02:00, in time, 30.00",
                // The fourth day has begun: two are paid for, and two cost 3.00 points each.
                "s0004 (Efua Mensah): 3 days 8 hours late, 2 of 3 late days used, 2 days at 10 %: 30.00 less 6.00, 24.00",
            ]
            .as_slice(),
        ),
        (
            encoder,
            [
                // A group hands in once; each member pays for the second day that has begun.
                "s0000 (Amara Okafor, g000): 26 hours late, 2 of 3 late days used, 4.00",
                "s0001 (Bao Tran, g000): 26 hours late, 2 of 3 late days used, 4.00",
                "s0002 (Chiara Rossi, g000): 26 hours late, 2 of 3 late days used, 4.00",
                // One late day is left, and three days cost 0.40 points each.
                "s0004 (Efua Mensah): 3 days 8 hours late, 1 late day, 3 of 3 late days used, 3 days at 10 %: \
                 4.00 less 1.20, 2.80",
            ]
            .as_slice(),
        ),
    ];
    for (section, lines) in both {
        for line in lines {
            assert!(section.lines().any(|it| it.trim() == *line), "{line}\n{told}");
        }
    }
    let cell = |start: &str| {
        let row = filled.lines().find(|row| row.contains(start)).unwrap();
        row.split(',').nth(6).unwrap().to_owned()
    };
    assert_eq!(
        (cell(",s0000,").as_str(), cell(",s0004,").as_str()),
        ("30.00", "24.00"),
        "{filled}"
    );
}
