//! The solution gets everything, on many seeds, with every check asked in this process.

use softmark::suite::SUITES;
use softmark_checks::Subject;

use crate::support::solved;

#[test]
fn the_solution_passes_every_check_on_twenty_seeds() {
    for suite in SUITES {
        for check in (suite.checks)() {
            for seed in 0..20 {
                let mut session = solved::session(suite.id, check.program);
                let mut subject = Subject::new(session.as_mut());
                let outcome = check.check.ask(&mut subject, seed).unwrap();
                assert!(outcome.is_pass(), "{} on seed {seed}: {outcome:?}", check.check.id);
            }
        }
    }
}
