//! Claims of an audit: what must hold, and whether it holds.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::findings::{Costly, Findings, NEAR};
use crate::audit::matrix::{Audit, Mutant, Naming, Nearest, Right, Share, factor, task_of};
use crate::audit::problem::Problem;
use crate::audit::scope::Scope;
use crate::report::text::count;

/// A statement that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    /// True if the claim holds.
    pub(super) holds: bool,
    /// Text of the claim, or of its negation if it does not hold.
    pub(super) text: String,
}

/// Returns the numbers of fixtures, checks and seeds that were examined.
pub(super) fn size(audit: &Audit) -> String {
    let scope = match audit.scope {
        Scope::Whole => "",
        Scope::Short => " (short)",
        Scope::Part => " (a part)",
    };
    [
        count(audit.checks.len(), "check", "checks"),
        count(audit.mutants.len(), "mutant", "mutants"),
        count(audit.right.len(), "correct program", "correct programs"),
        format!("{}{scope}", count(audit.seeds.len(), "seed", "seeds")),
    ]
    .join(", ")
}

/// Returns the claims that the scope of the audit allows to be judged.
pub(super) fn claims(audit: &Audit, findings: &Findings) -> Vec<Claim> {
    let mut claims = Vec::new();
    // Number of checks, mutants or correct programs that have such a problem.
    let many = |wanted: fn(&Problem) -> bool| {
        let those = findings.problems.iter().filter(|problem| wanted(problem));
        let subject = |it: &Problem| match it.fixture() {
            Some(fixture) => fixture.to_owned(),
            None => it.checks().concat(),
        };
        those.map(subject).collect::<BTreeSet<_>>().len()
    };
    let mut claim = |wrong: usize, right: &str, (what, of): (&str, usize)| {
        let holds = wrong == 0;
        let text = if holds { right.to_owned() } else { format!("{what}: {wrong} of {of}") };
        claims.push(Claim { holds, text });
    };
    let (checks, mutants, right) = (audit.checks.len(), audit.mutants.len(), audit.right.len());
    if audit.scope != Scope::Part {
        claim(
            many(|it| matches!(it, Problem::CatchesNothing { .. })),
            "every check catches a mutant",
            ("checks that catch no mutant", checks),
        );
    }
    if mutants > 0 {
        claim(
            many(is_odd),
            "every mutant fails the checks that its patch names, under its own name",
            (
                "mutants that survive, fail other checks than they should, or are named otherwise",
                mutants,
            ),
        );
        claim(
            audit.named_so(Naming::False),
            "no mutant is named falsely",
            ("mutants that are named falsely", mutants),
        );
    }
    let recorded = audit.mutants.iter().filter(|it| it.recording.is_some()).count();
    if recorded > 0 {
        claim(
            many(|it| matches!(it, Problem::Recording { .. })),
            "recorded answers are up to date",
            ("mutants whose recorded answers are not up to date", recorded),
        );
    }
    if right > 0 {
        claim(
            many(|it| matches!(it, Problem::Fails { .. })),
            "correct programs pass every check",
            ("correct programs that fail a check", right),
        );
        let what = format!("correct programs within a factor {:.0} of a tolerance", 1.0 / NEAR);
        let near = many(|it| matches!(it, Problem::Near { .. }));
        claim(near, &distance(audit), (&what, right));
    }
    if !audit.idle.is_empty() {
        claim(
            many(|it| matches!(it, Problem::Earns { .. })),
            "code that computes nothing passes no check",
            ("code that computes nothing and passes a check", audit.idle.len()),
        );
    }
    if audit.seeds.len() > 1 && mutants > 0 {
        claim(
            many(|it| matches!(it, Problem::Moves { .. })),
            &format!("no verdict changes over {} seeds", audit.seeds.len()),
            ("mutants with a verdict that changes with the seed", mutants),
        );
    }
    claims
}

/// Remarks about facts that are no problems but worth knowing.
pub(super) fn remarks(audit: &Audit, findings: &Findings) -> Vec<String> {
    let mut remarks = Vec::new();
    if audit.scope == Scope::Whole {
        let (redundant, sole) = (findings.redundant.len(), findings.sole.len());
        remarks.push(format!(
            "redundant beside another check: {redundant} of {}; caught by one check alone: {sole} of {}",
            count(audit.checks.len(), "check", "checks"),
            count(audit.mutants.len(), "mutant", "mutants")
        ));
    }
    if !audit.mutants.is_empty() {
        let named = |naming| audit.named_so(naming);
        let (right, missing) = (named(Naming::Right), named(Naming::Missing));
        let (wrong, no_page) = (named(Naming::False), named(Naming::NoPage));
        let changed: usize = audit.mutants.iter().map(Mutant::changed_seeds).sum();
        remarks.push(format!(
            "named correctly: {right}; falsely: {wrong}; not named, though there is a page: {missing}; \
             not named, and there is no page: {no_page}"
        ));
        remarks.push(by_task(audit));
        let with_page: Vec<&Mutant> =
            audit.mutants.iter().filter(|it| it.mistake.is_some()).collect();
        let recognised = with_page.iter().filter(|it| it.recognised.is_some()).count();
        let all = with_page.len();
        remarks.push(format!(
            "recognised by students' own checks, of those with a page: {recognised} of {all}"
        ));
        remarks.push(format!("verdicts that changed with the seed: {changed}"));
    }
    if !findings.costly.is_empty() {
        let one = |it: &Costly| format!("{} ({} %)", it.mutant, it.cost.percent());
        let costly: Vec<String> = findings.costly.iter().map(one).collect();
        remarks.push(format!("costs more than half of its task's points: {}", costly.join(", ")));
    }
    remarks
}

/// Number of mutants that are named correctly, of those whose mistake has a page: in each task, and in all.
fn by_task(audit: &Audit) -> String {
    let mut tasks: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for mutant in &audit.mutants {
        let [right, of] = tasks.entry(&mutant.task).or_default();
        *right += usize::from(mutant.naming() == Naming::Right);
        *of += usize::from(matches!(mutant.naming(), Naming::Right | Naming::Missing));
    }
    let [right, of] = tasks.values().fold([0, 0], |[a, b], [right, of]| [a + right, b + of]);
    let each = tasks.iter().filter(|(_, [_, of])| *of > 0);
    let each: Vec<String> =
        each.map(|(task, [right, of])| format!("{task} {right} of {of}")).collect();
    format!("named correctly, of those with a page: {right} of {of} ({})", each.join(", "))
}

/// Returns a mutant's cost, its naming, and the number of seeds on which a verdict changed: `29 % ✓`.
pub(super) fn standing(audit: &Audit, mutant: &Mutant) -> String {
    let cost = audit.cost(mutant).map(|cost| format!("{} % ", cost.percent()));
    let changed = match mutant.changed_seeds() {
        0 => String::new(),
        seeds => format!(" ~{seeds}"),
    };
    format!("{}{}{changed}", cost.unwrap_or_default(), mark(mutant.naming()))
}

/// Returns the naming of a mutant as one character.
pub(super) fn mark(naming: Naming) -> &'static str {
    match naming {
        Naming::Right => "✓",
        Naming::False => "✗",
        Naming::Missing => "?",
        Naming::NoPage => "–",
    }
}

/// Returns a note on the checks that were not audited, and the command that measures them.
pub(super) fn left_out(audit: &Audit) -> Option<String> {
    let tasks: BTreeSet<&str> = audit.left_out.iter().map(|check| task_of(check)).collect();
    (!tasks.is_empty()).then(|| {
        let tasks = tasks.into_iter().collect::<Vec<_>>().join(" and ");
        let id = &audit.assignment;
        format!("not audited: the bands of {tasks}, which `grade calibrate {id}` measures")
    })
}

/// Returns the smallest tolerance headroom of a check as a factor, and the fixture that has it.
pub(super) fn margin_in(audit: &Audit, check: &str) -> (String, String) {
    let nearest = audit.nearest_in(check);
    nearest.map_or_else(none, |it| margin(it.share, it.right))
}

/// Returns the smallest tolerance headroom of an accepted variant's own code as a factor, and the check that
/// has it.
pub(super) fn margin_of(audit: &Audit, right: &Right) -> (String, String) {
    match audit.nearest_of(right) {
        Some(it) => margin(it.share, it.check),
        None if right.shares.is_empty() => none(),
        None => ("–".to_owned(), "errs as the solution does".to_owned()),
    }
}

fn margin(share: Share, of: &str) -> (String, String) {
    // Where nothing errs, it is no matter who does not.
    let is_exact = share.share == 0.0;
    let of = if is_exact { String::new() } else { format!("{of}, seed {}", share.seed) };
    (factor(share.share), of)
}

fn none() -> (String, String) {
    ("–".to_owned(), String::new())
}

fn is_odd(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Survives { .. }
            | Problem::Passes { .. }
            | Problem::FailsOthers { .. }
            | Problem::Misnamed { .. }
            | Problem::Unnamed { .. }
            | Problem::Misrecognised { .. }
    )
}

fn distance(audit: &Audit) -> String {
    match audit.nearest(|_, _| true) {
        Some(Nearest { right, check, share }) => format!(
            "correct programs keep {} away from every tolerance; the nearest is {right} in {check}, on \
             seed {}",
            factor(share.share),
            share.seed
        ),
        None => "no check of these has a tolerance".to_owned(),
    }
}
