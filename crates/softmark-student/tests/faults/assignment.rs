//! The assignment: a task with a check for each way of misbehaving, and one that is built on it.

use softmark_checks::check::{Judged, outcome};
use softmark_checks::{Array, Case, Check, CheckError, Outcome, Subject, Task};

use crate::code::{KINDS, Kind, PART};

/// Returns a case that a part of this kind is asked.
pub(crate) fn case(kind: Kind) -> Case {
    let place = KINDS.iter().position(|it| *it == kind).unwrap_or_default();
    let case = Case::new(&PART, format!("kind {kind:?}")).size("kind", place);
    case.input("x", Array::full(&[1, 2], 0.5))
}

fn ask(subject: &mut Subject<'_>, kind: Kind) -> Result<Outcome, CheckError> {
    let judged: Judged = subject.forward(&case(kind)).map(|_| ());
    outcome(judged)
}

/// Makes the check that asks for a kind.
macro_rules! check {
    ($name:literal, $kind:ident) => {
        Check {
            id: concat!("task/", $name),
            title: concat!("it answers: ", $name),
            run: |subject, _| ask(subject, Kind::$kind),
        }
    };
}

static CHECKS: [Check; 13] = [
    check!("right", Right),
    check!("loops", Loops),
    check!("sleeps", Sleeps),
    check!("aborts", Aborts),
    check!("exits", Exits),
    check!("grows", Grows),
    check!("overflows", Overflows),
    check!("panics", Panics),
    check!("refuses", Refuses),
    check!("floods", Floods),
    check!("unwritten", IsUnwritten),
    check!("counts", Counts),
    check!("right-at-the-end", Right),
];

static UPPER: [Check; 1] = [Check {
    id: "upper/answers",
    title: "it answers: above",
    run: |subject, _| ask(subject, Kind::Refuses),
}];

pub(crate) static TASKS: [Task; 2] = [
    Task {
        id: "task",
        title: "Task 1: a part that misbehaves",
        file: "src/part.rs",
        built_on: &[],
        checks: &CHECKS,
    },
    Task {
        id: "upper",
        title: "Task 2: a part above it",
        file: "src/upper.rs",
        built_on: &["task"],
        checks: &UPPER,
    },
];
