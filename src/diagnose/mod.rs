//! From a submission's answers to the mistake that explains them.
//!
//! Invariant: names a mistake only where the answers are those of its imitation and are not those
//! of a right part; what it names changes no points.
//!
//! The same battery of questions is put to the submission, to the oracle and to each imitation of
//! the mistake bank.

mod answers;
mod matching;

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Subject};
use softmark_wire::Session;

use crate::suite::{Aspect, Cut, Given, Mistake, Question, Suite, SuiteCheck};

/// The mistake that explains each failed check, by the check's id, where one does.
pub type Named = BTreeMap<&'static str, &'static str>;

/// One question, what is right and what came.
struct Asked {
    question: Question,
    truth: Given,
    came: Given,
}

/// Names the mistake behind each of the `failed` checks of `task`.
///
/// # Errors
///
/// When the session breaks.
pub fn name_mistakes(
    suite: &Suite,
    task: &str,
    failed: &[SuiteCheck],
    session: &mut dyn Session,
) -> Result<Named, CheckError> {
    if failed.is_empty() {
        return Ok(Named::new());
    }
    let mut subject = Subject::new(session);
    let mut asked = Vec::new();
    for question in (suite.battery)(task) {
        let came = answers::of_submission(&mut subject, &question)?;
        let truth = answers::of_imitation(&question, suite.truth, suite.rests);
        asked.push(Asked { question, truth, came });
    }
    // Code that answers nothing at all has not made the mistake of refusing one thing too much.
    if !asked.iter().any(|it| matches!(it.came, Given::Outputs(_) | Given::OtherType)) {
        return Ok(Named::new());
    }
    let candidates: Vec<Candidate> = (suite.mistakes)()
        .into_iter()
        .filter(|mistake| mistake.task == task)
        .flat_map(|mistake| candidates(mistake, suite.rests, &asked))
        .collect();
    Ok(failed
        .iter()
        .filter_map(|check| Some((check.check.id, best(&candidates, &asked, check.aspects)?)))
        .collect())
}

/// How an imitation does on each question.
struct Candidate {
    id: &'static str,
    /// Whether it gives what came.
    matches: Vec<bool>,
    /// Whether it gives something else than what is right.
    differs: Vec<bool>,
}

/// Every imitation of a mistake, cut as a right part is and with each of its own cuts.
fn candidates(mistake: Mistake, rests: Option<Cut>, asked: &[Asked]) -> Vec<Candidate> {
    let cuts = || std::iter::once(rests).chain(mistake.cuts.iter().copied().map(Some));
    let variants = mistake.imitations.iter().flat_map(|it| cuts().map(move |cut| (*it, cut)));
    let one = |(imitate, cut)| {
        let mut candidate = Candidate {
            id: mistake.id,
            matches: vec![false; asked.len()],
            differs: vec![true; asked.len()],
        };
        let aspect = |it: &Asked| it.question.aspect;
        let mut compare = |wanted: &dyn Fn(&Asked) -> bool| {
            let places = candidate.matches.iter_mut().zip(&mut candidate.differs);
            let mut all = true;
            for (it, (matches, differs)) in asked.iter().zip(places).filter(|(it, _)| wanted(it)) {
                let given = answers::of_imitation(&it.question, imitate, cut);
                *matches = matching::same(&it.came, &given);
                *differs = !matching::same(&it.truth, &given);
                all &= *matches;
            }
            all
        };
        // Slopes take hundreds of answers each, and whoever answers plain questions otherwise has
        // other slopes.
        let plainly = compare(&|it| aspect(it) == Aspect::Plain);
        compare(&|it| !matches!(aspect(it), Aspect::Plain | Aspect::Gradient));
        if plainly {
            compare(&|it| aspect(it) == Aspect::Gradient);
        }
        candidate
    };
    variants.map(one).collect()
}

/// The mistake whose imitation gives what came on every question about the failed check, and on
/// as many of the others as any.
///
/// Where the questions about the check do not show the mistake at all, it has to be given away by
/// all questions together. Of two that explain as much, the first in the bank is named.
fn best(candidates: &[Candidate], asked: &[Asked], aspects: &[Aspect]) -> Option<&'static str> {
    let about = |at: usize| asked.get(at).is_some_and(|it| aspects.contains(&it.question.aspect));
    let explains = |candidate: &Candidate| {
        let on = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
        let all = |wanted: &dyn Fn(usize) -> bool| {
            let mut those = (0..asked.len()).filter(|&at| wanted(at)).peekable();
            those.peek().is_some()
                && those.clone().all(|at| on(&candidate.matches, at))
                && those.any(|at| on(&candidate.differs, at))
        };
        all(&about) || all(&|_| true)
    };
    let score = |candidate: &Candidate| candidate.matches.iter().filter(|hit| **hit).count();
    let mut best: Option<&Candidate> = None;
    for candidate in candidates.iter().filter(|candidate| explains(candidate)) {
        if best.is_none_or(|before| score(candidate) > score(before)) {
            best = Some(candidate);
        }
    }
    best.map(|candidate| candidate.id)
}
