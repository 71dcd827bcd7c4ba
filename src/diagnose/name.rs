//! Names the mistakes behind failed checks.

use std::collections::BTreeMap;

use softmark_checks::CheckError;
use softmark_checks::response::{Came, Reading};
use softmark_exam::{Suite, SuiteCheck};
use softmark_wire::Session;

use crate::diagnose::ask::{beside_truth, responses};
use crate::diagnose::candidates::{halves, pairs, whole};
use crate::diagnose::known::{Known, KnownMistake};
use crate::diagnose::reading::{Asked, Extent};
use crate::diagnose::rule;
use crate::session::Budget;

/// Mistakes that explain failed checks, by check id.
pub type Named = BTreeMap<&'static str, &'static str>;

/// Names the mistake behind each of the `failed` checks of `task`.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn name_mistakes(
    suite: &Suite,
    task: &str,
    failed: &[SuiteCheck],
    session: &mut dyn Session,
) -> Result<Named, CheckError> {
    name_within(suite, task, failed, session, &Budget::unlimited())
}

/// Like [`name_mistakes`], within `budget`. Only the questions to the submission count, not the
/// responses of imitations, because they are computed with the first submission that needs them,
/// for all submissions.
pub(crate) fn name_within(
    suite: &Suite,
    task: &str,
    failed: &[SuiteCheck],
    session: &mut dyn Session,
    budget: &Budget,
) -> Result<Named, CheckError> {
    if failed.is_empty() {
        return Ok(Named::new());
    }
    let known = Known::of(suite, task);
    let came = responses(&known, session)?;
    Ok(budget.uncounted(|| explain(suite, &known, came, failed)))
}

/// Names the mistakes that explain the responses to the diagnostic cases.
fn explain(suite: &Suite, known: &Known, came: Vec<Came>, failed: &[SuiteCheck]) -> Named {
    let asked = beside_truth(suite, known, came);
    let bank: Vec<&KnownMistake> = known.bank.iter().collect();
    let mut quick = whole(suite, &bank, &asked, Extent::ToContradiction);
    quick.extend(halves(suite, &bank, &asked));
    let all = || whole(suite, &bank, &asked, Extent::Whole);
    let together = || pairs(suite, known, &asked);
    let is_known = |one: &str, other: &str| known.is_known_together(one, other);
    let explained = rule::explain(&quick, &asked, &together, &all, &is_known);
    let fails_all = |id: &str| failed.iter().all(|check| known.may_fail(id, check.check.id));
    let explained = explained.unless_refuted(fails_all);
    let named: Vec<&KnownMistake> =
        bank.iter().copied().filter(|it| explained.has(it.mistake.id)).collect();
    // A check of gradients is given the name of a mistake that changes them.
    let every = whole(suite, &named, &asked, Extent::WithGradients);
    let mut candidates = rule::without_contradicted(every);
    // A mistake that is made for one value of a switch shows in the cases in which its partial
    // imitation shows.
    let mut of_named = halves(suite, &named, &asked);
    of_named.retain(|half| !half.readings.contains(&Reading::Contradicted));
    candidates.append(&mut of_named);
    let (mut named, mut before) = (Named::new(), Vec::new());
    for check in failed {
        let fails = |id: &str| known.may_fail(id, check.check.id);
        let name = explained.name_for(check.aspects, &candidates, &asked, &before, &fails);
        if let Some(id) = name {
            before.push(id);
            named.insert(check.check.id, id);
        }
    }
    named
}

/// Describes each diagnostic case of `task` that `session` does not answer like the reference, one
/// per line, for authors of diagnostic cases and for finding out why a mistake is not named.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn differences(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<Vec<String>, CheckError> {
    let known = Known::of(suite, task);
    let asked = beside_truth(suite, &known, responses(&known, session)?);
    let wrong = asked.iter().filter(|it| !it.is_right());
    Ok(wrong.map(Asked::describe).collect())
}

/// Returns, for each mistake of `task`, the diagnostic cases that its closest imitation does not
/// answer like `session`, sorted by their number. Use it to find out why a mistake is not named.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn contradictions(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<Vec<(&'static str, Vec<String>)>, CheckError> {
    let known = Known::of(suite, task);
    let asked = beside_truth(suite, &known, responses(&known, session)?);
    let bank: Vec<&KnownMistake> = known.bank.iter().collect();
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for candidate in whole(suite, &bank, &asked, Extent::Whole) {
        let questions = candidate.contradictions(&asked);
        match found.iter_mut().find(|(id, _)| *id == candidate.id()) {
            Some((_, fewest)) if fewest.len() > questions.len() => *fewest = questions,
            Some(_) => {}
            None => found.push((candidate.id(), questions)),
        }
    }
    found.sort_by_key(|(_, questions)| questions.len());
    Ok(found)
}
