//! The solution gets everything, on many seeds, with every check asked in this process.

use softmark::suite::{Program, SUITES};
use softmark_checks::Subject;
use softmark_worker::{InProcess, PartTable, attention, multi_head_with};

type Solved = attention_solution::Submission;

fn table(program: Program) -> PartTable {
    match program {
        Program::Own => attention::<Solved>(),
        Program::WithReference => {
            multi_head_with::<Solved, attention_solution::attention::ScaledDotProduct>()
        }
    }
}

#[test]
fn the_solution_passes_every_check_on_twenty_seeds() {
    for suite in SUITES {
        for check in (suite.checks)() {
            for seed in 0..20 {
                let mut session = InProcess::new(table(check.program));
                let mut subject = Subject::new(&mut session);
                let outcome = (check.check.run)(&mut subject, seed).unwrap();
                assert!(outcome.is_pass(), "{} on seed {seed}: {outcome:?}", check.check.id);
            }
        }
    }
}
