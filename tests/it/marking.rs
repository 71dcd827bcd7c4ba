//! Points that people give: kept apart, shown everywhere, and never lost.

use std::fs;

use crate::support::grade::Desk;
use crate::support::pack::pack;

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
