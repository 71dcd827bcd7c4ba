//! Writes an audit as JSON.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use crate::audit::findings::Findings;
use crate::audit::matrix::{Audit, Cost, Idle, Mutant, Naming, Nearest};
use crate::audit::problem::Problem;
use crate::audit::suggestions::suggestions;

/// Version of the format, raised when a field changes its meaning or is removed, but not when one is added.
const FORMAT_VERSION: u32 = 2;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    assignment: &'a str,
    scope: &'a str,
    seeds: &'a [u64],
    problems: Vec<ProblemOf<'a>>,
    redundant: Vec<RedundantOf<'a>>,
    caught_by_one: Vec<SoleOf<'a>>,
    costs_more_than_half: Vec<&'a str>,
    naming: BTreeMap<&'a str, usize>,
    verdicts_changed: usize,
    checks: Vec<CheckOf<'a>>,
    mutants: Vec<MutantOf<'a>>,
    right: Vec<RightOf<'a>>,
    idle: Vec<IdleOf<'a>>,
    not_audited: &'a [String],
    add_next: Vec<String>,
}

#[derive(Serialize)]
struct IdleOf<'a> {
    name: &'a str,
    passes: &'a BTreeMap<String, Vec<u64>>,
}

#[derive(Serialize)]
struct ProblemOf<'a> {
    kind: &'a str,
    fixture: Option<&'a str>,
    checks: &'a [String],
    message: String,
}

#[derive(Serialize)]
struct RedundantOf<'a> {
    check: &'a str,
    beside: &'a str,
}

#[derive(Serialize)]
struct SoleOf<'a> {
    mutant: &'a str,
    check: &'a str,
}

#[derive(Serialize)]
struct CheckOf<'a> {
    id: &'a str,
    kills: Vec<&'a str>,
    nearest: Option<NearestOf<'a>>,
}

#[derive(Serialize)]
struct MutantOf<'a> {
    name: &'a str,
    task: &'a str,
    mistake: Option<&'a str>,
    fails: Vec<&'a str>,
    named: &'a BTreeMap<String, String>,
    naming: &'a str,
    cost: Option<CostOf>,
    changed_seeds: usize,
}

/// Cost of a mutant in its task; a share of 1 is all of the task's points.
#[derive(Serialize)]
struct CostOf {
    points: f64,
    of: f64,
    share: f64,
}

impl CostOf {
    fn of(Cost { lost, of }: Cost) -> Self {
        let (points, of) = (lost.to_f64(), of.to_f64());
        Self { points, of, share: points / of }
    }
}

#[derive(Serialize)]
struct RightOf<'a> {
    name: &'a str,
    fails: Vec<&'a str>,
    nearest: Option<NearestOf<'a>>,
}

/// Smallest distance of an error to a tolerance; `factor` is null if there was no error at all.
#[derive(Serialize)]
struct NearestOf<'a> {
    factor: Option<f64>,
    fixture: &'a str,
    check: &'a str,
    seed: u64,
}

impl<'a> NearestOf<'a> {
    fn of(Nearest { right, check, share }: Nearest<'a>) -> Self {
        let factor = Some(1.0 / share.share).filter(|factor| factor.is_finite());
        Self { factor, fixture: right, check, seed: share.seed }
    }
}

impl<'a> ProblemOf<'a> {
    fn of(problem: &'a Problem) -> Self {
        Self {
            kind: problem.kind(),
            fixture: problem.fixture(),
            checks: problem.checks(),
            message: problem.to_string(),
        }
    }
}

impl<'a> MutantOf<'a> {
    fn of(audit: &'a Audit, mutant: &'a Mutant) -> Self {
        Self {
            name: &mutant.name,
            task: &mutant.task,
            mistake: mutant.mistake.as_deref(),
            fails: audit.killers(mutant).collect(),
            named: &mutant.named,
            naming: mutant.naming().as_str(),
            cost: audit.cost(mutant).map(CostOf::of),
            changed_seeds: mutant.changed_seeds(),
        }
    }
}

/// Writes the document.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(audit: &Audit, findings: &Findings, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        format_version: FORMAT_VERSION,
        assignment: &audit.assignment,
        scope: audit.scope.as_str(),
        seeds: &audit.seeds,
        problems: findings.problems.iter().map(ProblemOf::of).collect(),
        redundant: findings
            .redundant
            .iter()
            .map(|it| RedundantOf { check: &it.check, beside: &it.beside })
            .collect(),
        caught_by_one: findings
            .sole
            .iter()
            .map(|it| SoleOf { mutant: &it.mutant, check: &it.check })
            .collect(),
        costs_more_than_half: findings.costly.iter().map(|it| it.mutant.as_str()).collect(),
        naming: [Naming::Right, Naming::False, Naming::Missing, Naming::NoPage]
            .map(|naming| (naming.as_str(), audit.named_so(naming)))
            .into(),
        verdicts_changed: audit.mutants.iter().map(Mutant::changed_seeds).sum(),
        checks: audit
            .checks
            .iter()
            .map(|check| CheckOf {
                id: check,
                kills: audit.killed_by(check).map(|mutant| mutant.name.as_str()).collect(),
                nearest: audit.nearest_in(check).map(NearestOf::of),
            })
            .collect(),
        mutants: audit.mutants.iter().map(|mutant| MutantOf::of(audit, mutant)).collect(),
        right: audit
            .right
            .iter()
            .map(|right| RightOf {
                name: &right.name,
                fails: right.fails.keys().map(String::as_str).collect(),
                nearest: audit.nearest_of(right).map(NearestOf::of),
            })
            .collect(),
        idle: audit.idle.iter().map(|Idle { name, passes }| IdleOf { name, passes }).collect(),
        not_audited: &audit.left_out,
        add_next: suggestions(audit),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
