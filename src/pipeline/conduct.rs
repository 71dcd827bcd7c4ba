//! Runs the checks of one submission, in the order of the suite.

use std::collections::{BTreeMap, BTreeSet};

use softmark_checks::check::without_defects;
use softmark_checks::{CheckError, KillMatrix, Outcome};
use softmark_exam::{Suite, SuiteCheck};
use softmark_wire::{FailureKind, Fault, Session};

use crate::assignment::Assignment;
use crate::diagnose::Named;
use crate::examine::{Answered, Sessions};
use crate::intake::Uploaded;
use crate::model::{ModelRecord, TrainingRecord};
use crate::pipeline::basis::Basis;
use crate::pipeline::ends::{MOST_ENDS, outcome_ends};
use crate::pipeline::reuse::{Reuse, is_independent, is_trained};
use crate::pipeline::timings::{Phase, Stopwatch, Timings};
use crate::pipeline::written::written;
use crate::pipeline::{training, upload};
use crate::session::Budget;

/// Results of a submission's checks. Of reused checks it has the mistakes and the trainings, and not the outcomes.
#[derive(Debug, Default)]
pub(crate) struct Conducted {
    /// Outcomes by the checks' ids.
    pub(crate) outcomes: BTreeMap<String, Outcome>,
    /// Mistakes that explain failed checks, by the check's id.
    pub(crate) mistakes: BTreeMap<String, String>,
    /// Kill matrices of the detectors, by the check's id.
    pub(crate) matrices: BTreeMap<String, KillMatrix>,
    /// Models that the assignment asks for.
    pub(crate) models: Vec<ModelRecord>,
    /// Trainings that were run.
    pub(crate) trainings: Vec<TrainingRecord>,
    /// Checks that had a mistake looked for, reused ones among them.
    pub(crate) failed: BTreeSet<String>,
    /// True if a check may have had an influence on another one: if one ended its process, or the time was used up.
    pub(crate) is_entangled: bool,
    /// Time that the phases took.
    pub(crate) timings: Timings,
}

/// Function that names the mistakes behind the failed checks of a task.
pub(crate) type Diagnose =
    fn(&Suite, &str, &[SuiteCheck], &mut dyn Session, &Budget) -> Result<Named, CheckError>;

/// Inputs of one grading run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course<'a> {
    /// Assignment, which says which checks have points.
    pub(crate) assignment: &'a Assignment,
    /// Suite with all checks.
    pub(crate) suite: &'a Suite,
    /// Checkpoints that were handed in.
    pub(crate) uploads: &'a BTreeMap<String, Uploaded>,
    /// Function that diagnoses failed checks.
    pub(crate) diagnose: Diagnose,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
    /// Seed of everything about training; students do not know it if the course has a secret.
    pub(crate) training_seed: u64,
    /// Budget of the submission.
    pub(crate) budget: &'a Budget,
    /// Results of earlier runs: these checks are not run.
    pub(crate) reuse: &'a Reuse,
    /// Keys of the results.
    pub(crate) basis: &'a Basis,
}

/// Runs the checks that have points in the assignment and no result that is reused, and diagnoses those that fail.
///
/// After two faults in a task that ended the process, the other checks of the task are not run.
/// Once the submission's time is used up, no check is run. Checks that are not run for these
/// reasons earn nothing.
///
/// # Errors
///
/// Fails if the grader's side is broken.
pub(crate) fn conduct<S: Session>(
    course: Course<'_>,
    sessions: &mut Sessions<S>,
    told: &mut dyn FnMut(&'static str),
) -> Result<Conducted, CheckError> {
    let Course { assignment, suite, seed, budget, reuse, .. } = course;
    let mut conducted = Conducted::default();
    let mut watch = Stopwatch::start(budget);
    // By task: number of checks that ended the process, and the last one that did.
    let mut ends: BTreeMap<&str, (usize, &'static str)> = BTreeMap::new();
    // By task: failed checks that a mistake may explain.
    let mut failed: BTreeMap<&str, Vec<SuiteCheck>> = BTreeMap::new();
    for entry in (suite.checks)() {
        let (id, task) = (entry.check.id, entry.check.task());
        if !worth_points(assignment, id) {
            continue;
        }
        if let Some(reused) = reuse.check(id) {
            if reused.wants_a_reason() {
                failed.entry(task).or_default().push(entry);
            }
            continue;
        }
        let outcome = match (out_of_time(budget), ends.get(task)) {
            (Some(outcome), _) => outcome,
            (None, Some((count, by))) if *count >= MOST_ENDS => blocked(by),
            (None, Some(_) | None) => {
                told(id);
                let Answered { outcome, matrix } = sessions.ask(&entry, seed)?;
                conducted.matrices.extend(matrix.map(|matrix| (id.to_owned(), matrix)));
                in_time(outcome, budget)
            }
        };
        if outcome_ends(&outcome) {
            let (count, by) = ends.entry(task).or_insert((0, id));
            (*count, *by) = (*count + 1, id);
        } else if wants_a_reason(&outcome) {
            failed.entry(task).or_default().push(entry);
        }
        conducted.outcomes.insert(id.to_owned(), outcome);
    }
    watch.end(Phase::Checks, &mut conducted.timings);
    for (task, failed) in failed {
        // The diagnosis would send its questions to the same code, with the same result.
        if ends.contains_key(task) || budget.spent().is_some() {
            continue;
        }
        conducted.mistakes.extend(name_mistakes(course, task, &failed, sessions)?);
        conducted.failed.extend(failed.into_iter().map(|entry| entry.check.id.to_owned()));
    }
    watch.end(Phase::Diagnosis, &mut conducted.timings);
    conduct_trainings(course, sessions, told, &mut conducted)?;
    conduct_uploads(course, sessions, told, &mut conducted)?;
    watch.end(Phase::Training, &mut conducted.timings);
    conducted.is_entangled =
        budget.spent().is_some() || !conducted.outcomes.values().all(is_independent);
    Ok(conducted)
}

/// Returns the mistakes behind the failed checks of a task: those of an earlier run if nothing has changed, or else what the
/// diagnosis finds.
fn name_mistakes<S: Session>(
    course: Course<'_>,
    task: &str,
    failed: &[SuiteCheck],
    sessions: &mut Sessions<S>,
) -> Result<BTreeMap<String, String>, CheckError> {
    let Course { suite, diagnose, budget, reuse, basis, .. } = course;
    let ids: Vec<&str> = failed.iter().map(|entry| entry.check.id).collect();
    if let Some(mistakes) = reuse.mistakes(task, &ids, basis) {
        return Ok(mistakes);
    }
    let session = sessions.diagnosed(suite, task)?;
    let name = || diagnose(suite, task, failed, session, budget);
    let named = without_defects(task, name)?;
    Ok(named.into_iter().map(|(check, it)| (check.to_owned(), it.to_owned())).collect())
}

/// Returns the outcomes that are known: of checks that were run, and of reused ones as far as others depend on them.
fn known_outcomes(course: Course<'_>, conducted: &Conducted) -> BTreeMap<String, Outcome> {
    let mut known: BTreeMap<String, Outcome> = course.reuse.outcomes().collect();
    known.extend(conducted.outcomes.clone());
    known
}

/// Runs the trainings whose bands have points.
fn conduct_trainings<S: Session>(
    course: Course<'_>,
    sessions: &mut Sessions<S>,
    told: &mut dyn FnMut(&'static str),
    conducted: &mut Conducted,
) -> Result<(), CheckError> {
    let Course { assignment, suite, seed, budget, reuse, .. } = course;
    for training in suite.trainings {
        let bands = training::bands(assignment, training.task);
        let is_asked = |task: &str| is_trained(training, task);
        if reuse.has_bands(&bands, &is_asked, &conducted.outcomes) {
            conducted.trainings.extend(reuse.training(&bands).cloned());
            continue;
        }
        let Some(rules) = assignment.training.as_ref().filter(|_| !bands.is_empty()) else {
            continue;
        };
        if let Some(outcome) = out_of_time(budget) {
            conducted.outcomes.extend(bands.into_iter().map(|it| (it.id, outcome.clone())));
            continue;
        }
        told(training.task);
        let known = known_outcomes(course, conducted);
        let mut is_written = |task: &'static str, sessions: &mut Sessions<S>| {
            written((suite, task), seed, &known, sessions)
        };
        let (outcomes, record) = training::conduct(
            (training, rules),
            &bands,
            course.training_seed,
            sessions,
            &mut is_written,
        )?;
        let outcomes = outcomes.into_iter().map(|(id, outcome)| (id, in_time(outcome, budget)));
        conducted.outcomes.extend(outcomes);
        conducted.trainings.extend(record);
    }
    Ok(())
}

/// Measures the models that were handed in, if their bands have points.
fn conduct_uploads<S: Session>(
    course: Course<'_>,
    sessions: &mut Sessions<S>,
    told: &mut dyn FnMut(&'static str),
    conducted: &mut Conducted,
) -> Result<(), CheckError> {
    let Course { assignment, suite, seed, budget, reuse, .. } = course;
    for upload in suite.uploads {
        let bands = training::bands(assignment, upload.task);
        if reuse.has_bands(&bands, &|_| true, &conducted.outcomes) {
            conducted.models.extend(reuse.model(&bands).cloned());
            continue;
        }
        if bands.is_empty() {
            continue;
        }
        if let Some(outcome) = out_of_time(budget) {
            conducted.outcomes.extend(bands.into_iter().map(|it| (it.id, outcome.clone())));
            continue;
        }
        told(upload.task);
        let uploaded = course.uploads.get(upload.file);
        let known = known_outcomes(course, conducted);
        let mut is_written = |task: &'static str, sessions: &mut Sessions<S>| {
            written((suite, task), seed, &known, sessions)
        };
        let (outcomes, model) = upload::conduct(
            (upload, uploaded),
            &bands,
            course.training_seed,
            sessions,
            &mut is_written,
        )?;
        let outcomes = outcomes.into_iter().map(|(id, outcome)| (id, in_time(outcome, budget)));
        conducted.outcomes.extend(outcomes);
        conducted.models.push(model);
    }
    Ok(())
}

fn worth_points(assignment: &Assignment, id: &str) -> bool {
    assignment.tasks.iter().flat_map(|task| &task.checks).any(|check| check.id == id)
}

fn blocked(by: &str) -> Outcome {
    let message = "two checks of this task ran into the limits or ended the process, and the \
                   others were not run";
    Outcome::Blocked { by: by.to_owned(), message: message.to_owned() }
}

/// Returns the outcome of a check after the submission's time is used up; `None` while there is
/// time left.
fn out_of_time(budget: &Budget) -> Option<Outcome> {
    let spent = budget.spent()?;
    Some(Outcome::Blocked { by: "time".to_owned(), message: spent.to_string() })
}

/// Replaces the outcome of a check that did not pass, if the submission's time was used up during it.
fn in_time(outcome: Outcome, budget: &Budget) -> Outcome {
    if outcome.is_pass() { outcome } else { out_of_time(budget).unwrap_or(outcome) }
}

/// True if a known mistake may explain an outcome: a wrong answer, or code that failed while
/// computing one.
fn wants_a_reason(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Wrong { .. } => true,
        Outcome::Fault { fault: Fault::Code(failure), .. } => {
            failure.kind != FailureKind::NotImplemented
        }
        Outcome::Fault { .. }
        | Outcome::Pass
        | Outcome::NotImplemented { .. }
        | Outcome::Blocked { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unnecessary_wraps, reason = "checks are functions that may fail")]

    use softmark_checks::outcome::Evidence;
    use softmark_checks::{Check, Subject};
    use softmark_exam::{Program, Response, Sources, Upload, program};
    use softmark_sandbox::Limits;
    use softmark_wire::{Asked, Attempt, Failure, Reply, Request, SessionError};

    use crate::assignment::{Band, CheckEntry, Deadline, TaskEntry};
    use crate::examine::SessionKind;
    use crate::model::{Points, Visibility};
    use crate::pipeline::basis::RunBasis;
    use crate::pipeline::survey::Assigned;

    use super::*;

    /// Session that answers nothing, for checks that ask nothing.
    struct Silent;

    impl Session for Silent {
        fn ask(&mut self, _: &Request) -> Asked<Reply> {
            Ok(Attempt::Fault(Fault::Garbled(String::new())))
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    fn silent() -> Sessions<Silent> {
        let kinds = [Program::Own, Program::WithReference("b")].map(SessionKind::Checks);
        Sessions::new(kinds.map(|kind| (kind, Silent)))
    }

    type Ran = Result<Outcome, CheckError>;

    fn fault(fault: Fault) -> Ran {
        Ok(Outcome::Fault { fault, message: String::new(), evidence: Evidence::default() })
    }

    fn pass(_: &mut Subject<'_>, _: u64) -> Ran {
        Ok(Outcome::Pass)
    }

    fn wrong(_: &mut Subject<'_>, seed: u64) -> Ran {
        Ok(Outcome::Wrong { message: format!("seed {seed}"), evidence: Evidence::default() })
    }

    fn times_out(_: &mut Subject<'_>, _: u64) -> Ran {
        fault(Fault::CpuTime { seconds: 5 })
    }

    fn exits(_: &mut Subject<'_>, _: u64) -> Ran {
        fault(Fault::Exited { code: 0 })
    }

    fn panics(_: &mut Subject<'_>, _: u64) -> Ran {
        let (message, place) = (String::new(), String::new());
        fault(Fault::Code(Failure { kind: FailureKind::Panicked, message, place }))
    }

    fn breaks(_: &mut Subject<'_>, _: u64) -> Ran {
        Err(CheckError::Inputs { check: "b/broken".to_owned(), reason: "no room".to_owned() })
    }

    const fn entry(id: &'static str, run: softmark_checks::check::RunCheck) -> SuiteCheck {
        let check = Check { id, title: "", run };
        SuiteCheck { check, visibility: Visibility::Hidden, program: Program::Own, aspects: &[] }
    }

    const CHECKS: &[SuiteCheck] = &[
        entry("a/1", pass),
        entry("a/2", times_out),
        entry("b/1", wrong),
        entry("a/3", wrong),
        entry("a/4", exits),
        entry("a/5", pass),
        entry("b/2", panics),
        entry("b/3", pass),
        entry("c/1", breaks),
        entry("a/6", times_out),
    ];

    const SUITE: Suite = Suite {
        id: "x",
        checks: || CHECKS.to_vec(),
        programs: Vec::new,
        reference: || program("x", "reference", "x"),
        diagnosed_in: |_| Program::WithReference("b"),
        battery: |_| Vec::new(),
        truth: |_| Response::Outputs(BTreeMap::new()),
        rests: None,
        mistakes: Vec::new,
        pairs: |_| Vec::new(),
        halves: |_| &[],
        trainings: &[],
        uploads: &[],
        borrows: &[],
        optional: &[],
        sources: Sources::UNKNOWN,
    };

    /// Names a mistake for the first check only.
    fn diagnose(
        _: &Suite,
        task: &str,
        failed: &[SuiteCheck],
        _: &mut dyn Session,
        _: &Budget,
    ) -> Result<Named, CheckError> {
        assert_eq!(task, "b", "nobody waits for task a once more");
        let failed: Vec<&str> = failed.iter().map(|entry| entry.check.id).collect();
        assert_eq!(failed, ["b/1", "b/2"]);
        Ok(Named::from([("b/1", "missing-scale")]))
    }

    fn assignment(keep: fn(&str) -> bool) -> Assignment {
        let checks = CHECKS.iter().map(|entry| entry.check.id).filter(|id| keep(id));
        let checks = checks.map(|id| CheckEntry {
            id: id.to_owned(),
            points: Points::ZERO,
            visibility: Visibility::Hidden,
            band: None,
        });
        Assignment {
            id: "x".to_owned(),
            title: String::new(),
            points: Points::ZERO,
            tasks: vec![TaskEntry {
                id: "all".to_owned(),
                title: String::new(),
                points: Points::ZERO,
                checks: checks.collect(),
            }],
            collect: Vec::new(),
            provided: BTreeMap::new(),
            skeleton: BTreeMap::new(),
            answers: Vec::new(),
            written: Vec::new(),
            uploads: Vec::new(),
            data: Vec::new(),
            worker: Limits::generous(),
            training: None,
            deadline: Deadline::generous(),
            sha256: String::new(),
        }
    }

    fn conducted(keep: fn(&str) -> bool) -> (Result<Conducted, CheckError>, Vec<&'static str>) {
        conducted_within(keep, &Budget::unlimited())
    }

    fn conducted_within(
        keep: fn(&str) -> bool,
        budget: &Budget,
    ) -> (Result<Conducted, CheckError>, Vec<&'static str>) {
        let mut sessions = silent();
        let mut told = Vec::new();
        let tell = &mut |check| told.push(check);
        let assignment = &assignment(keep);
        let uploads = &BTreeMap::new();
        let (seed, training_seed) = (7, 7);
        let suite = &SUITE;
        let (basis, reuse) = (&basis_of(assignment, suite), &Reuse::default());
        let course = Course {
            assignment,
            suite,
            uploads,
            diagnose,
            seed,
            training_seed,
            budget,
            reuse,
            basis,
        };
        let conducted = conduct(course, &mut sessions, tell);
        (conducted, told)
    }

    fn basis_of(assignment: &Assignment, suite: &Suite) -> Basis {
        let suite: &'static Suite = Box::leak(Box::new(*suite));
        let run = RunBasis { run: "run", program: "program", only: None };
        Basis::of(run, &Assigned { assignment: assignment.clone(), suite })
    }

    #[test]
    fn a_task_runs_into_two_ends_at_most() {
        let (conducted, told) = conducted(|id| !id.starts_with('c'));
        let conducted = conducted.unwrap();
        assert_eq!(told, ["a/1", "a/2", "b/1", "a/3", "a/4", "b/2", "b/3"]);
        for id in ["a/5", "a/6"] {
            let outcome = &conducted.outcomes[id];
            assert!(matches!(outcome, Outcome::Blocked { by, .. } if by == "a/4"), "{outcome:?}");
        }
        assert!(conducted.outcomes["b/3"].is_pass(), "another task goes on");
        assert_eq!(conducted.outcomes.len(), CHECKS.len() - 1);
    }

    #[test]
    fn a_check_that_ends_its_process_is_entangled_with_others() {
        let (ended, _) = conducted(|id| id.starts_with('a'));
        assert!(ended.unwrap().is_entangled);
        let (answered, _) = conducted(|id| id.starts_with('b'));
        let answered = answered.unwrap();
        assert!(!answered.is_entangled);
        let failed = ["b/1", "b/2"].map(str::to_owned);
        assert_eq!(answered.failed, BTreeSet::from(failed));
    }

    #[test]
    fn what_failed_with_an_answer_is_diagnosed() {
        let (conducted, _) = conducted(|id| !id.starts_with('c'));
        let mistakes = conducted.unwrap().mistakes;
        let expected = BTreeMap::from([("b/1".to_owned(), "missing-scale".to_owned())]);
        assert_eq!(mistakes, expected);
    }

    #[test]
    fn a_broken_check_is_no_outcome() {
        let (conducted, told) = conducted(|id| id.starts_with('c'));
        assert_eq!(told, ["c/1"]);
        assert!(conducted.unwrap_err().to_string().contains("no room"));
    }

    #[test]
    fn only_what_is_worth_points_is_run() {
        let (conducted, told) = conducted(|id| id == "b/3" || id == "a/1");
        assert_eq!(told, ["a/1", "b/3"]);
        assert_eq!(conducted.unwrap().outcomes.len(), 2);
    }

    #[test]
    fn after_the_deadline_nothing_is_asked_and_everything_is_told() {
        let deadline = Deadline { wall: std::time::Duration::ZERO, ..Deadline::generous() };
        let (conducted, told) = conducted_within(|_| true, &Budget::new(deadline));
        let conducted = conducted.unwrap();
        assert!(told.is_empty() && conducted.mistakes.is_empty());
        assert_eq!(conducted.outcomes.len(), CHECKS.len());
        for outcome in conducted.outcomes.values() {
            let Outcome::Blocked { by, message } = outcome else { panic!("{outcome:?}") };
            assert_eq!(by, "time");
            assert!(message.contains("the submission's time was used up"), "{message}");
        }
    }

    const UPLOAD: Upload = Upload {
        task: "best-model",
        file: "best.safetensors",
        examples: "questions",
        program: Program::Own,
        plan: |_, _| Err("Nothing fits.".to_owned()),
        levels: &[],
    };

    #[test]
    fn a_model_is_asked_for_where_it_has_bands() {
        let suite = &Suite { uploads: &[UPLOAD], ..SUITE };
        let uploads = &BTreeMap::from([(UPLOAD.file.to_owned(), Uploaded::Other("a link"))]);
        let (seed, training_seed) = (7, 7);
        let of = |band| {
            let mut assignment = assignment(|_| false);
            assignment.tasks[0].id = "best-model".to_owned();
            assignment.tasks[0].checks = vec![CheckEntry {
                id: "best-model/good".to_owned(),
                points: Points::ZERO,
                visibility: Visibility::Hidden,
                band,
            }];
            let (assignment, budget) = (&assignment, &Budget::unlimited());
            let (basis, reuse) = (&basis_of(assignment, suite), &Reuse::default());
            let course = Course {
                assignment,
                suite,
                uploads,
                diagnose,
                seed,
                training_seed,
                budget,
                reuse,
                basis,
            };
            let mut told = Vec::new();
            let conducted = conduct(course, &mut silent(), &mut |task| told.push(task)).unwrap();
            (conducted, told)
        };
        let (conducted, told) = of(Band::parse(0.85));
        assert_eq!(told, ["best-model"]);
        let outcome = &conducted.outcomes["best-model/good"];
        assert!(matches!(outcome, Outcome::Wrong { message, .. } if message.contains("a link")));
        assert_eq!(conducted.models.len(), 1);
        let (conducted, told) = of(None);
        assert!(told.is_empty() && conducted.outcomes.is_empty() && conducted.models.is_empty());
    }
}
