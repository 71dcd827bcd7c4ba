//! Derives problems and remarks from the results of an audit.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::matrix::{Audit, Cost, Idle, Mutant, Right, Verdict, task_of};
use crate::audit::problem::Problem;
use crate::audit::scope::Scope;
use crate::diagnose::RecordingState;

/// Largest share of a tolerance that correct work may use: errors ten times as large still pass.
pub const NEAR: f64 = 0.1;

/// Problems and remarks of an audit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Problems to be fixed.
    pub problems: Vec<Problem>,
    /// Checks that no mutant depends on. They are no problem: a check may be there for a clearer message.
    pub redundant: Vec<Redundant>,
    /// Mutants that only one check catches. They are no problem, but the check must not be removed.
    pub sole: Vec<Sole>,
    /// Mutants that cost more than half of their task's points. They are no problem, but a person should
    /// decide whether so small a mistake should cost so much.
    pub costly: Vec<Costly>,
}

/// A mutant that costs more than half of its task's points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costly {
    /// Name of the mutant.
    pub mutant: String,
    /// Points that the mutant costs.
    pub cost: Cost,
}

/// A check whose mutants are all caught by another check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redundant {
    /// Id of the redundant check.
    pub check: String,
    /// Id of the other check; if there are several, the one that catches the fewest mutants.
    pub beside: String,
}

/// A mutant that only one check catches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sole {
    /// Name of the mutant.
    pub mutant: String,
    /// Id of the check.
    pub check: String,
}

/// Derives the findings from an audit.
///
/// A check that catches no mutant is reported only if the scope has a mutant for each check, and a redundant
/// check only if all mutants were examined.
pub fn findings(audit: &Audit) -> Findings {
    let mut problems = Vec::new();
    if audit.scope != Scope::Part {
        let spared = audit.checks.iter().filter(|check| audit.killed_by(check).next().is_none());
        problems.extend(spared.map(|check| Problem::CatchesNothing { check: check.clone() }));
    }
    problems.extend(audit.mutants.iter().flat_map(|mutant| of_mutant(audit, mutant)));
    problems.extend(audit.right.iter().flat_map(|right| of_right(audit, right)));
    problems.extend(audit.idle.iter().flat_map(of_idle));
    problems.extend(audit.checks.iter().flat_map(|check| moves(audit, check)));
    let is_whole = audit.scope == Scope::Whole;
    Findings {
        problems,
        redundant: if is_whole { redundant(audit) } else { Vec::new() },
        sole: if is_whole { sole(audit) } else { Vec::new() },
        costly: costly(audit),
    }
}

fn of_mutant(audit: &Audit, mutant: &Mutant) -> Vec<Problem> {
    let name = || mutant.name.clone();
    let killers: Vec<&str> = audit.killers(mutant).collect();
    let mut problems = Vec::from_iter(recording(audit, mutant));
    problems.extend(misrecognised(mutant));
    let seeds = survived(audit, mutant);
    if !seeds.is_empty() {
        problems.push(Problem::Survives { mutant: name(), seeds });
    }
    if killers.is_empty() {
        // The mutant survives, so the checks that it should fail are not listed.
        return problems;
    }
    let expected = mutant.expected.iter();
    let missed = expected.filter(|check| !mutant.fails(check)).cloned();
    let missed: Vec<String> = missed.collect();
    if !missed.is_empty() {
        problems.push(Problem::Passes { mutant: name(), checks: missed });
    }
    let surprising = killers.iter().filter(|check| !mutant.expected.contains(**check));
    let surprising: Vec<String> = surprising.map(|&check| check.to_owned()).collect();
    if !surprising.is_empty() {
        problems.push(Problem::FailsOthers { mutant: name(), checks: surprising });
    }
    // Checks of other tasks that fail as well know nothing of this mistake.
    let mut otherwise: BTreeMap<Option<&String>, Vec<String>> = BTreeMap::new();
    for check in killers.into_iter().filter(|check| task_of(check) == mutant.task) {
        let named = mutant.named.get(check);
        let is_right = named.map_or(mutant.mistake.is_none(), |named| mutant.makes(named));
        if !is_right {
            otherwise.entry(named).or_default().push(check.to_owned());
        }
    }
    let otherwise = otherwise.into_iter();
    problems.extend(otherwise.map(|(named, checks)| named_otherwise(mutant, named, checks)));
    problems
}

/// Returns the problem of a mutant with these checks, which name another mistake or none.
fn named_otherwise(mutant: &Mutant, named: Option<&String>, checks: Vec<String>) -> Problem {
    let (name, mistake) = (mutant.name.clone(), mutant.mistake.clone());
    match named.cloned() {
        Some(named) => Problem::Misnamed { mutant: name, mistake, named, checks },
        // A mutant without a name has one expected of it only if the catalogue has a page about it.
        None => Problem::Unnamed {
            mutant: name,
            mistake: mistake.unwrap_or_default(),
            checks,
            against: mutant.against.clone(),
        },
    }
}

/// Returns the problem if students' own checks recognise a mistake that the mutant does not make.
fn misrecognised(mutant: &Mutant) -> Option<Problem> {
    let recognised = mutant.recognised.clone().filter(|it| !mutant.makes(it))?;
    Some(Problem::Misrecognised { mutant: mutant.name.clone(), recognised })
}

/// Returns the problem if the recorded answers of the mutant are not up to date.
fn recording(audit: &Audit, mutant: &Mutant) -> Option<Problem> {
    let state = mutant.recording.clone().filter(|state| *state != RecordingState::Current)?;
    let assignment = audit.assignment.clone();
    Some(Problem::Recording { mutant: mutant.name.clone(), assignment, state })
}

/// Returns the seeds on which no check catches the mutant.
fn survived(audit: &Audit, mutant: &Mutant) -> Vec<u64> {
    let fails = |at: usize| {
        mutant.verdicts.values().any(|verdicts| verdicts.get(at) == Some(&Verdict::Fails))
    };
    let seeds = audit.seeds.iter().enumerate().filter(|(at, _)| !fails(*at));
    seeds.map(|(_, seed)| *seed).collect()
}

fn of_right(audit: &Audit, right: &Right) -> Vec<Problem> {
    let mut problems = Vec::new();
    for check in &audit.checks {
        if let Some([first, rest @ ..]) = right.fails.get(check).map(Vec::as_slice) {
            let (seed, message) = first;
            let seeds = std::iter::once(seed).chain(rest.iter().map(|(seed, _)| seed));
            problems.push(Problem::Fails {
                right: right.name.clone(),
                check: check.clone(),
                seeds: seeds.copied().collect(),
                message: message.clone(),
            });
        } else if let Some(nearest) = right.shares.get(check).filter(|it| it.share > NEAR) {
            problems.push(Problem::Near {
                right: right.name.clone(),
                check: check.clone(),
                seed: nearest.seed,
                share: nearest.share,
            });
        }
    }
    problems
}

/// Returns the checks that code which computes nothing passes.
fn of_idle(idle: &Idle) -> Vec<Problem> {
    let earns = |(check, seeds): (&String, &Vec<u64>)| Problem::Earns {
        idle: idle.name.clone(),
        check: check.clone(),
        seeds: seeds.clone(),
    };
    idle.passes.iter().map(earns).collect()
}

/// Returns the mutants on which the verdict of a check changes with the seed. Correct programs that fail on some
/// seed are [problems](Problem::Fails) already.
fn moves(audit: &Audit, check: &str) -> Vec<Problem> {
    let moves =
        |verdicts: &Vec<Verdict>| verdicts.windows(2).any(|pair| pair.first() != pair.last());
    let of_mutant = |mutant: &Mutant| {
        let verdicts = mutant.verdicts.get(check).filter(|verdicts| moves(verdicts))?;
        Some(Problem::Moves {
            mutant: mutant.name.clone(),
            check: check.to_owned(),
            verdicts: audit.seeds.iter().copied().zip(verdicts.iter().copied()).collect(),
        })
    };
    audit.mutants.iter().filter_map(of_mutant).collect()
}

fn costly(audit: &Audit) -> Vec<Costly> {
    let of_mutant = |mutant: &Mutant| {
        let cost = audit.cost(mutant).filter(|cost| cost.is_more_than_half())?;
        Some(Costly { mutant: mutant.name.clone(), cost })
    };
    audit.mutants.iter().filter_map(of_mutant).collect()
}

fn redundant(audit: &Audit) -> Vec<Redundant> {
    let kills: Vec<(&String, BTreeSet<&str>)> = audit
        .checks
        .iter()
        .map(|check| (check, audit.killed_by(check).map(|it| it.name.as_str()).collect()))
        .collect();
    let beside = |check: &String, killed: &BTreeSet<&str>| {
        let others =
            kills.iter().filter(|(other, theirs)| *other != check && killed.is_subset(theirs));
        let fewest = others.min_by_key(|(_, theirs)| theirs.len());
        fewest.map(|(other, _)| Redundant { check: check.clone(), beside: (*other).clone() })
    };
    let shown = kills.iter().filter(|(_, killed)| !killed.is_empty());
    shown.filter_map(|(check, killed)| beside(check, killed)).collect()
}

fn sole(audit: &Audit) -> Vec<Sole> {
    let of_mutant = |mutant: &Mutant| {
        let killers: Vec<&str> = audit.killers(mutant).collect();
        let [check] = killers.as_slice() else { return None };
        Some(Sole { mutant: mutant.name.clone(), check: (*check).to_owned() })
    };
    audit.mutants.iter().filter_map(of_mutant).collect()
}
