//! What mistakes cost: a one-line slip may take away half of its task's points, and no more, so that what is
//! right of it is seen.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use softmark::assignment::load;
use softmark::fixtures::{self, Role, Shelf};

use crate::support::pack::HOME;

/// Mutants that cost more than half of their task, and why nothing can be seen of what is right.
const MORE_THAN_HALF: [(&str, &str); 3] = [
    (
        "network-in-double-precision",
        "its outputs are f64, and nothing that f32 is handed to can work on with them",
    ),
    (
        "layer-in-double-precision",
        "its outputs are f64, and nothing that f32 is handed to can work on with them",
    ),
    (
        "texts-pooled-together",
        "its outputs are one row a position instead of one a text: no question is answered",
    ),
];

#[test]
fn one_line_slips_of_the_encoder_cost_at_most_half_of_their_task() {
    let assignment = load(Path::new(HOME), "encoder").unwrap();
    let mut costly = BTreeSet::new();
    let mut told = String::new();
    for fixture in fixtures::shelf(Path::new(HOME), Shelf::Mutants, "encoder").unwrap() {
        let Role::Mutant(expect) = fixture.role else { continue };
        let task = assignment.tasks.iter().find(|task| task.id == expect.task).unwrap();
        let lost = task.checks.iter().filter(|check| expect.fails.contains(&check.id));
        let lost: u32 = lost.map(|check| check.points.hundredths()).sum();
        if 2 * lost > task.points.hundredths() {
            let (name, of) = (&fixture.name, task.points.hundredths());
            writeln!(told, "{name} costs {lost} of {of} hundredths").unwrap();
            costly.insert(fixture.name);
        }
    }
    let known: BTreeSet<String> =
        MORE_THAN_HALF.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(costly, known, "\n{told}");
}
