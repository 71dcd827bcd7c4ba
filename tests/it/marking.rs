//! Points that people give: kept apart, shown everywhere, and never lost.

use std::fs;
use std::thread;
use std::time::Duration;

use softmark::model::{Points, Record};
use softmark::store::{
    AnswerId, Folder, GivenMark, LEDGER, MarkerRole, MarkingId, MarkingStep, NewMarking, Store,
};

use crate::support::grade::Desk;
use crate::support::pack::pack;
use crate::support::records::grader;
use crate::support::served::{add_run, with_answer};

#[test]
fn a_person_marks_what_is_written_and_grading_again_leaves_it() {
    pack();
    let desk = Desk::new().submission("class/amara", "solutions/debugging");
    let desk = desk.submission("class/ben", "solutions/debugging");
    let grade = "class --assignment debugging --only diagnosis/* --out results";
    desk.grade(grade).exit(0);
    let open = "2 written answers, 2 open\n  amara  explanation  153 words\n  ben  explanation  153 words\n";
    assert_eq!(desk.grade("mark").exit(0).stdout, open);

    let given = desk.grade("mark amara explanation 3.5 --by Okafor --comment seen").exit(0);
    assert!(given.stderr.starts_with("amara: 3.50 of 4.00 for Why the buggy"), "{}", given.stderr);
    assert!(desk.grade("show amara").exit(0).stdout.contains("3.50 / 4.00\n      seen\n"));
    let gradebook = "submission,submitted,assignment,outcome,points,max_points,diagnosis,explanation\n\
                     amara,,debugging,graded,4.00,4.00,4.00,3.50\n\
                     ben,,debugging,graded,4.00,4.00,4.00,\n";
    assert_eq!(desk.read("results/gradebook.csv"), gradebook);
    desk.grade(grade).exit(0);
    assert_eq!(desk.read("results/gradebook.csv"), gradebook);

    // In a spreadsheet: the last line of an answer counts, and beside a mark in the ledger if it is later.
    let marks = "submission,question,points,given_at\nben,explanation,3,\nben,explanation,1,\n\
                 amara,explanation,4,2100-01-01T12:00:00Z\n";
    fs::write(desk.path("results/marks.csv"), marks).unwrap();
    assert_eq!(desk.grade("mark").exit(0).stdout, "2 written answers, 0 open\n");
    let gradebook = gradebook.replace("3.50", "4.00").replace("4.00,\n", "4.00,1.00\n");
    assert_eq!(desk.read("results/gradebook.csv"), gradebook);
    assert_eq!(desk.read("results/marks.csv"), marks, "what people wrote is theirs");

    // A slip there is told.
    let slips = format!("{marks}bem,explanation,2,\nben,explanation,5,\namara,explanation,0,\n");
    fs::write(desk.path("results/marks.csv"), slips).unwrap();
    let told = desk.grade("mark").exit(0);
    for said in [
        "2 points to `bem` for `explanation`: there is no record of that name",
        "5 points to `ben` for `explanation`: 5 is more than the 4.00 it is worth",
        "0 points to `amara` for `explanation`: the ledger has a mark of that answer",
    ] {
        assert!(told.stderr.contains(said), "{}", told.stderr);
    }
}

/// Marking must not put back a record that a grading replaces at the same time.
#[test]
fn a_grading_that_ends_while_marks_are_applied_is_kept() {
    let desk = Desk::new();
    let old = with_answer("amara", "because");
    add_run(&desk, std::slice::from_ref(&old));
    let line = "submission,question,points\namara,explanation,2\n";
    fs::write(desk.path("results/marks.csv"), line).unwrap();
    let new = Record { sha256: "bb".into(), ..old };
    let folder = Folder::of(&desk.path("results"));
    let held = folder.hold().unwrap();
    thread::scope(|scope| {
        let marked = scope.spawn(|| desk.grade("mark"));
        // Long enough to read the old record, if nothing makes it wait.
        thread::sleep(Duration::from_secs(1));
        folder.write_held(&held, &grader(), &new).unwrap();
        drop(held);
        marked.join().unwrap().exit(0);
    });
    let kept = folder.read("amara").unwrap().unwrap().1;
    assert_eq!(kept.sha256, "bb");
    assert_eq!(kept.written[0].points, Some(Points::from_hundredths(200)));
}

#[test]
fn what_cannot_be_given_changes_nothing() {
    pack();
    let desk = Desk::new().submission("class/amara", "solutions/debugging");
    assert!(desk.grade("mark").exit(64).stderr.contains("there is no record in results"));
    desk.grade("class --assignment debugging --only diagnosis/* --out results").exit(0);
    for (line, said) in [
        ("mark amara explanation 4.01", "4.01 is more than `explanation` is worth: 4.00"),
        ("mark amara explanation 0.125", "0.125 is no number of points"),
        ("mark amara explanations 1", "did you mean `explanation`?"),
        ("mark amare explanation 1", "did you mean `amara`?"),
        ("mark amara explanation", "required arguments were not provided"),
    ] {
        let told = desk.grade(line).exit(64).stderr;
        assert!(told.contains(said), "{line}: {told}");
    }
    assert_eq!(desk.list("results"), [".lock", "gradebook.csv", "records", "softmark.db"]);

    // A slip in the file is told before anything is graded.
    fs::write(desk.path("results/marks.csv"), "submission,question,points\namara,explanation,x\n")
        .unwrap();
    for line in ["mark", "class --assignment debugging --only diagnosis/* --out results --fresh"] {
        let told = desk.grade(line).exit(2).stderr;
        assert!(told.contains("has `x` points, which is no number"), "{told}");
    }
}

#[test]
fn who_gave_the_second_mark_gives_no_first_one() {
    let desk = Desk::new();
    add_run(&desk, &[with_answer("amara", "because")]);
    save(&desk, ("mike", MarkerRole::Second), 100);
    let told = desk.grade("mark amara explanation 4 --by mike").exit(64).stderr;
    assert!(told.contains("the first and the second marker are two persons"), "{told}");
    desk.grade("mark amara explanation 3 --by mara").exit(0);
    assert_eq!(
        desk.read("results/gradebook.csv").lines().last().unwrap().rsplit(',').next(),
        Some("3.00")
    );
}

#[test]
fn an_answer_with_two_marks_between_which_nobody_has_decided_is_open() {
    let desk = Desk::new();
    add_run(&desk, &[with_answer("amara", "because")]);
    save(&desk, ("mara", MarkerRole::First), 100);
    save(&desk, ("zoe", MarkerRole::First), 300);
    let told = desk.grade("mark").exit(0).stdout;
    assert_eq!(told, "1 written answer, 1 open\n  amara  explanation  1 word  two marks\n");
}

/// Saves a mark of amara's answer in the ledger.
fn save(desk: &Desk, (by, role): (&str, MarkerRole), hundredths: i64) {
    let record = with_answer("amara", "because");
    let answer = &record.written[0];
    let given = GivenMark {
        free: softmark::model::Delta::from_hundredths(hundredths),
        answer_digest: softmark::marks::digest_of(answer),
        ..GivenMark::default()
    };
    let marking = NewMarking {
        answer: AnswerId::new(&record.assignment, &answer.id, &record.submission),
        role,
        seen: MarkingId::NONE,
        step: MarkingStep::Mark(given),
        by: by.into(),
        given_at: "2026-01-31T12:00:00Z".into(),
    };
    let mut store = Store::open(&desk.path("results").join(LEDGER)).unwrap();
    store.add_markings(&[marking]).unwrap().into_ids().unwrap();
}

#[test]
fn a_mark_says_which_marks_it_replaces_or_which_one_counts_instead() {
    let desk = Desk::new();
    add_run(&desk, &[with_answer("amara", "because")]);
    let mark = |points: &str| {
        let line = format!("mark amara explanation {points} --by Okafor");
        desk.grade(&line).exit(0).stderr
    };
    let title = "of 4.00 for Why the buggy layer does not learn";
    assert_eq!(mark("3"), format!("amara: 3.00 {title}\n"));
    assert_eq!(mark("3.5"), format!("amara: 3.50 {title}, replaces 3.00 by Okafor\n"));
    // Two marks compete with it.
    save(&desk, ("bela", MarkerRole::First), 200);
    save(&desk, ("chiara", MarkerRole::First), 100);
    let replaced = "replaces 3.50 by Okafor and 2.00 by bela and 1.00 by chiara";
    assert_eq!(mark("4"), format!("amara: 4.00 {title}, {replaced}\n"));
    assert_eq!(mark("4"), format!("amara: 4.00 {title}, replaces 4.00 by Okafor\n"));
    // The agreed mark decides about the mark of before, not about the next one.
    save(&desk, ("mike", MarkerRole::Second), 200);
    save(&desk, ("dev", MarkerRole::Agreed), 250);
    let replaced = "replaces the agreed mark of 2.50 by dev";
    assert_eq!(mark("1"), format!("amara: 1.00 {title}, {replaced}\n"));
    let line =
        "submission,question,points,by,given_at\namara,explanation,0.5,eve,2100-01-01T12:00:00Z\n";
    fs::write(desk.path("results/marks.csv"), line).unwrap();
    let told = mark("1");
    assert!(told.contains("does not count: 0.50 by eve in marks.csv does"), "{told}");
    assert_eq!(
        desk.read("results/gradebook.csv").lines().last().unwrap().rsplit(',').next(),
        Some("0.50")
    );
}
