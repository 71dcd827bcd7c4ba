//! Bands of one submission that are earned by training: trains components and counts right answers.

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Outcome, Stop};
use softmark_exam::check::{Plan, Predictions, count, train};
use softmark_exam::{Program, Training};
use softmark_wire::Session;

use crate::assignment::{Assignment, CheckEntry, Take, TrainingRules};
use crate::examine::{SessionKind, Sessions};
use crate::model::{TrainingRecord, TrainingRun};
use crate::pipeline::written::{IsWritten, Written};
use crate::score::{BandCheck, Runs, band_outcome};

/// Computes the seed of one run of a training: of data, initial parameters and all orders.
pub(crate) fn seed_of_run(seed: u64, run: u32) -> u64 {
    // Far from typical seeds, so that no two runs with different seeds coincide.
    seed.wrapping_add(u64::from(run).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns the checks of a task that have an accuracy threshold.
pub fn bands(assignment: &Assignment, task: &str) -> Vec<BandCheck> {
    let tasks = assignment.tasks.iter().filter(|it| it.id == task);
    let checks = tasks.flat_map(|task| &task.checks);
    let band = |check: &CheckEntry| Some(BandCheck { id: check.id.clone(), band: check.band? });
    checks.filter_map(band).collect()
}

/// Outcomes of the bands of one training, by id, and the training for the record, if something was
/// trained.
pub(crate) type Reached = (BTreeMap<String, Outcome>, Option<TrainingRecord>);

/// Computes the outcomes of all bands of a training.
///
/// A component that was not written earns nothing, whatever accuracy is reached.
///
/// If a band is missed, the component is trained once more on the grader's own dependencies, and
/// the better of the two results counts, because mistakes in a dependency cost points in its own
/// task. A dependency that was not written is not replaced; `written` finds out if it was. Nothing
/// else has an influence, so that a band has the same outcome when it is replayed alone.
///
/// # Errors
///
/// Fails if the grader's side is broken.
pub(crate) fn conduct<S: Session>(
    (training, rules): (&Training, &TrainingRules),
    bands: &[BandCheck],
    seed: u64,
    sessions: &mut Sessions<S>,
    written: &mut IsWritten<'_, S>,
) -> Result<Reached, CheckError> {
    let reached = |runs| reached((training, rules), bands, seed, runs);
    let passes = |(outcomes, _): &Reached| outcomes.values().filter(|it| it.is_pass()).count();
    let own = reached(runs((training, rules), bands, seed, (training.program, sessions)))?;
    if passes(&own) > 0 {
        let why = "so what was learned was not learned by it";
        if let Some(missing) = unwritten(training.parts, why, sessions, written)? {
            let (outcomes, record) = own;
            return Ok((outcomes.into_keys().map(|id| (id, missing.clone())).collect(), record));
        }
    }
    let Some(program) = training.with_reference.filter(|_| passes(&own) < bands.len()) else {
        return Ok(own);
    };
    let why = "so there is nothing that the grader's own part could stand in for";
    if let Some(missing) = unwritten(training.below, why, sessions, written)? {
        let (outcomes, record) = own;
        let kept = |outcome: Outcome| if outcome.is_pass() { outcome } else { missing.clone() };
        return Ok((outcomes.into_iter().map(|(id, it)| (id, kept(it))).collect(), record));
    }
    let with_reference = runs((training, rules), bands, seed, (program, sessions));
    let with_reference = with_reference.map(|runs| Runs { with_reference: true, ..runs });
    let with_reference = reached(with_reference)?;
    Ok(if passes(&with_reference) > passes(&own) { with_reference } else { own })
}

/// Returns the outcomes of the bands after these runs, or after the one that stopped them.
fn reached(
    (training, rules): (&Training, &TrainingRules),
    bands: &[BandCheck],
    seed: u64,
    runs: Result<Runs, Stop>,
) -> Result<Reached, CheckError> {
    let all = |of: &dyn Fn(&BandCheck) -> Outcome| -> BTreeMap<String, Outcome> {
        bands.iter().map(|it| (it.id.clone(), of(it))).collect()
    };
    let runs = match runs {
        Ok(runs) => runs,
        Err(stop) => {
            let outcome = stop.into_outcome()?;
            return Ok((all(&|_| outcome.clone()), None));
        }
    };
    let classes = (training.plan)(seed).classes;
    let outcomes = all(&|it| band_outcome((training, rules), it.band, &runs, classes));
    Ok((outcomes, Some(record(training, rules, &runs))))
}

/// Returns the outcome of the bands if the component of one of `tasks` was not written; `follows`
/// states the consequence, as the end of a sentence.
fn unwritten<S: Session>(
    tasks: &[&'static str],
    follows: &str,
    sessions: &mut Sessions<S>,
    written: &mut IsWritten<'_, S>,
) -> Result<Option<Outcome>, CheckError> {
    for task in tasks {
        return Ok(Some(match written(task, sessions)? {
            Written::Yes => continue,
            Written::Stub(message) => Outcome::NotImplemented { message },
            Written::Nothing { check, why } => {
                Outcome::Blocked { message: format!("{why}, {follows}"), by: check }
            }
        }));
    }
    Ok(None)
}

fn record(training: &Training, rules: &TrainingRules, runs: &Runs) -> TrainingRecord {
    let below = if runs.with_reference { training.below } else { &[] };
    TrainingRecord {
        task: training.task.into(),
        accuracy: runs.accuracy(rules.take),
        asked: runs.counted.first().map_or(0, Predictions::asked),
        examples: training.examples.into(),
        references: below.iter().map(|task| (*task).into()).collect(),
        runs: runs.counted.iter().map(run_record).collect(),
    }
}

fn run_record(counted: &Predictions) -> TrainingRun {
    TrainingRun { accuracy: counted.accuracy(), losses: counted.losses.clone() }
}

/// Trains as often as the rules say. If the best run counts, stops as soon as every band is
/// reached.
fn runs<S: Session>(
    (training, rules): (&Training, &TrainingRules),
    bands: &[BandCheck],
    seed: u64,
    (program, sessions): (Program, &mut Sessions<S>),
) -> Result<Runs, Stop> {
    let mut runs = Runs { counted: Vec::new(), with_reference: false, doubted: None };
    for run in 0..rules.runs {
        let seed = seed_of_run(seed, run);
        let plan: Plan = (training.plan)(seed);
        match trained(training, bands, (&plan, seed), (program, sessions)) {
            Ok((counted, doubted)) => {
                runs.counted.push(counted);
                runs.doubted = doubted.or(runs.doubted);
            }
            // Code that ends its process once is not trained again; the earlier runs count.
            Err(Stop::Outcome(_)) if !runs.counted.is_empty() && rules.take == Take::Best => break,
            Err(stop) => return Err(stop),
        }
        let reached = runs.accuracy(Take::Best);
        if rules.take == Take::Best && bands.iter().all(|it| it.band.is_reached(reached)) {
            break;
        }
    }
    Ok(runs)
}

/// Count of one training. If the submission's answers do not come from the learned parameters, it
/// is the count of the grader's classifier, followed by the submission's own count.
type Counts = (Predictions, Option<Predictions>);

/// Trains once, and counts in another process.
fn trained<S: Session>(
    training: &Training,
    bands: &[BandCheck],
    (plan, seed): (&Plan, u64),
    (program, sessions): (Program, &mut Sessions<S>),
) -> Result<Counts, Stop> {
    let session = sessions.with(SessionKind::Training(program))?;
    let trained = train(session, plan, seed)?;
    let own = count(session, plan, &trained, seed)?;
    let Some(least) = training.least_learned else { return Ok((own, None)) };
    if !bands.iter().any(|it| it.band.is_reached(own.accuracy())) {
        return Ok((own, None));
    }
    let reference = sessions.with(SessionKind::Training(Program::Reference))?;
    let counted = count(reference, plan, &trained, seed)?;
    Ok(if counted.accuracy() < least { (counted, Some(own)) } else { (own, None) })
}
