//! The bands of one submission: trains what they ask about, and counts.

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Outcome};
use softmark_wire::Session;

use crate::assignment::{Assignment, CheckEntry, Take, TrainingRules};
use crate::check::{Plan, train_and_count};
use crate::pipeline::conduct::{Seat, Sessions};
use crate::score::{BandCheck, Runs, band_outcome};
use crate::suite::Training;

/// The seed of a run's training: of the data, of what the parameters are at first, of every order.
pub(crate) fn seed_of_run(seed: u64, run: u32) -> u64 {
    // Far from the seeds that are typed, so that no two runs of two seeds are the same.
    seed.wrapping_add(u64::from(run).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The checks of a task that are bands.
pub fn bands(assignment: &Assignment, task: &str) -> Vec<BandCheck> {
    let tasks = assignment.tasks.iter().filter(|it| it.id == task);
    let checks = tasks.flat_map(|task| &task.checks);
    let band = |check: &CheckEntry| Some(BandCheck { id: check.id.clone(), band: check.band? });
    checks.filter_map(band).collect()
}

/// What comes of every band of a training.
///
/// Where one is missed, the part is trained once more with the grader's own parts below, and the better
/// of the two counts: whatever is wrong below was paid for there. Nothing but the training decides that,
/// so that a band comes out the same when it is replayed alone.
///
/// # Errors
///
/// When the grader's side is broken.
pub(crate) fn conduct<S: Session>(
    (training, rules): (&Training, &TrainingRules),
    bands: &[BandCheck],
    seed: u64,
    sessions: &mut Sessions<'_, S>,
) -> Result<BTreeMap<String, Outcome>, CheckError> {
    let mut run = |program| {
        let seat = Seat::Training(program);
        runs((training, rules), bands, seed, sessions.with(seat)?)
    };
    let classes = (training.plan)(seed).classes;
    let own = run(training.program)?;
    let told = |runs: &Runs| -> BTreeMap<String, Outcome> {
        let outcome = |it: &BandCheck| band_outcome((training, rules), it.band, runs, classes);
        bands.iter().map(|it| (it.id.clone(), outcome(it))).collect()
    };
    let all = |outcome: &Outcome| -> BTreeMap<String, Outcome> {
        bands.iter().map(|it| (it.id.clone(), outcome.clone())).collect()
    };
    let passes = |outcomes: &BTreeMap<String, Outcome>| {
        outcomes.values().filter(|outcome| outcome.is_pass()).count()
    };
    let outcomes = own.as_ref().map_or_else(all, told);
    let Some(program) = training.with_reference else { return Ok(outcomes) };
    if passes(&outcomes) == bands.len() {
        return Ok(outcomes);
    }
    let with_reference = match run(program)? {
        Ok(runs) => told(&Runs { with_reference: true, ..runs }),
        Err(outcome) => all(&outcome),
    };
    Ok(if passes(&with_reference) > passes(&outcomes) { with_reference } else { outcomes })
}

/// Trains as often as the rules say; where the best counts, not once more than it takes to reach
/// every band.
fn runs(
    (training, rules): (&Training, &TrainingRules),
    bands: &[BandCheck],
    seed: u64,
    session: &mut dyn Session,
) -> Result<Result<Runs, Outcome>, CheckError> {
    let mut runs = Runs { counted: Vec::new(), with_reference: false };
    for run in 0..rules.runs {
        let seed = seed_of_run(seed, run);
        let plan: Plan = (training.plan)(seed);
        match train_and_count(session, &plan, seed)? {
            Ok(counted) => runs.counted.push(counted),
            // Code that ends its process once is not waited for again; what it has reached before
            // counts.
            Err(outcome) if runs.counted.is_empty() || rules.take == Take::Mean => {
                return Ok(Err(outcome));
            }
            Err(_) => break,
        }
        let reached = runs.accuracy(Take::Best);
        if rules.take == Take::Best && bands.iter().all(|it| it.band.is_reached(reached)) {
            break;
        }
    }
    Ok(Ok(runs))
}
