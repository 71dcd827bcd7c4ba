//! Fixtures, built and asked as `grade audit` does.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

use softmark::assignment;
use softmark::audit::{Audit, Bench, Examined, Findings, Scope, Seen, findings};
use softmark::build::Tools;
use softmark::fixtures::Fixture;
use softmark_exam::Suite;

use crate::support::pack::{HOME, pack, tools};

/// Fixtures that are built and asked at the same time.
const JOBS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Does `work` at a bench for an assignment.
pub(crate) fn at_bench<R>(suite: &Suite, work: impl FnOnce(Bench<'_>) -> R) -> R {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    let limits = assignment::load(Path::new(HOME), suite.id).unwrap().worker;
    let scratch = tempfile::tempdir().unwrap();
    work(Bench {
        sandbox: &TOOLS.get_or_init(tools).sandbox,
        pack: pack(),
        scratch: scratch.path(),
        suite,
        limits: &limits,
    })
}

/// What comes of every check of the suite, put to one fixture on each of the seeds.
pub(crate) fn examined(suite: &Suite, fixture: &Fixture, seeds: &[u64]) -> Examined {
    at_bench(suite, |bench| bench.examine(fixture, seeds, &mut |_| ()).unwrap())
}

/// What follows for some fixtures of an assignment.
pub(crate) fn audited(
    suite: &Suite,
    fixtures: &[Fixture],
    (scope, seeds): (Scope, &[u64]),
) -> Findings {
    let results = at_bench(suite, |bench| bench.audit(fixtures, seeds, JOBS, &mut |_| ()).unwrap());
    let Seen { mutants, right, idle, messages } = results.into_iter().collect();
    findings(&Audit {
        assignment: suite.id.to_owned(),
        scope,
        seeds: seeds.to_vec(),
        checks: (suite.checks)().iter().map(|entry| entry.check.id.to_owned()).collect(),
        mutants,
        right,
        idle,
        left_out: Vec::new(),
        points: BTreeMap::new(),
        messages,
    })
}
