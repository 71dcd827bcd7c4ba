//! The solution gets everything, on many seeds, with every check asked in this process.

use std::collections::BTreeMap;

use softmark_checks::{Outcome, Subject};

use crate::support::exams::suites;
use crate::support::solved;

#[test]
fn the_solution_passes_every_check_on_twenty_seeds() {
    let mut wrong = BTreeMap::new();
    for suite in suites() {
        for check in (suite.checks)() {
            for seed in 0..20 {
                let mut session = solved::session(suite.id, check.program);
                let mut subject = Subject::new(session.as_mut());
                let asked = check.check.ask(&mut subject, seed);
                if !asked.as_ref().is_ok_and(Outcome::is_pass) {
                    wrong.insert(check.check.id, format!("seed {seed}: {asked:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
