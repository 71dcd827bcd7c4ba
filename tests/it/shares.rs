//! The share of its task's points that each mutant costs: a slip of one line leaves at least half of them,
//! so that what is right about the rest is seen.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use softmark::assignment::load;
use softmark::fixtures::{Role, Shelf, shelf};

use crate::support::pack::HOME;

/// Mutants of `attention` that may cost more than half of their task's points, and why.
const FUNDAMENTAL: [(&str, &str); 10] = [
    ("attention-across-batch", "no example but a single one comes out right"),
    ("first-of-batch", "the result has another shape for one of three kinds, and mixes examples"),
    ("learned-never-asked", "nothing is learned"),
    ("learned-padded-to-max-len", "the output has another shape than the task asks for"),
    ("out-proj-never-asked", "a projection is left out, and both of its parameters"),
    ("pooled-across-texts", "the logits of a text are made of other texts"),
    ("pooling-ignores-mask", "the task is to look at the mask"),
    ("pooling-mask-inverted", "the task is to look at the mask"),
    ("pooling-over-batch", "the output has another shape than the task asks for"),
    ("sinusoidal-in-f64", "the output is of a type that nothing after it takes"),
];

#[test]
fn a_slip_of_one_line_costs_at_most_half_of_its_task() {
    let home = Path::new(HOME);
    let assignment = load(home, "attention").unwrap();
    let mut points = BTreeMap::new();
    for task in &assignment.tasks {
        points.insert(task.id.clone(), task.points.to_f64());
        points.extend(task.checks.iter().map(|check| (check.id.clone(), check.points.to_f64())));
    }
    let mut wrong = String::new();
    let mut known: BTreeMap<&str, &str> = FUNDAMENTAL.into_iter().collect();
    for mutant in shelf(home, Shelf::Mutants, "attention").unwrap() {
        let Role::Mutant(expect) = &mutant.role else { panic!("{:?}", mutant.role) };
        let cost: f64 = expect.fails.iter().map(|check| points[check]).sum();
        let share = cost / points[&expect.task];
        let is_known = known.remove(mutant.name.as_str()).is_some();
        if share > 0.5 && !is_known {
            writeln!(wrong, "{} costs {:.0} %", mutant.name, 100.0 * share).unwrap();
        }
        if share <= 0.5 && is_known {
            writeln!(wrong, "{} costs no more than half", mutant.name).unwrap();
        }
    }
    for name in known.keys() {
        writeln!(wrong, "there is no mutant {name}").unwrap();
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
