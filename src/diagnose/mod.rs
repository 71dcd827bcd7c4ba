//! From a submission's answers to the mistake that explains them.
//!
//! Invariant: a mistake is named only where it accounts for every answer of the submission, and where
//! the answers show it: with numbers that are not the right ones, or, for a mistake that consists in
//! refusing or in panicking, with just those errors beside right numbers. What is named changes no points.
//!
//! The same battery of questions is put to the submission, to the oracle and to each imitation of
//! the mistake bank; `rule.rs` says what follows.

mod answers;
mod known;
mod matching;
mod reading;
mod rule;

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Subject};
use softmark_wire::Session;

use crate::diagnose::answers::Came;
use crate::diagnose::known::{Known, KnownMistake};
use crate::diagnose::reading::{Asked, Candidate, Extent, Reading};
use crate::session::Budget;
use crate::suite::{Cut, Suite, SuiteCheck};

/// The mistake that explains each failed check, by the check's id, where one does.
pub type Named = BTreeMap<&'static str, &'static str>;

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
    name_within(suite, task, failed, session, &Budget::unlimited())
}

/// The same, at the cost of `budget`: asking the submission counts, and what imitations answer does not, because
/// it is computed with the first submission that needs it, for all of them.
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
    let came = hear(&known, session)?;
    Ok(budget.uncounted(|| explain(suite, &known, came, failed)))
}

/// Names the mistakes that explain what came of the diagnostic cases.
fn explain(suite: &Suite, known: &Known, came: Vec<Came>, failed: &[SuiteCheck]) -> Named {
    let asked = beside_truth(suite, known, came);
    let bank: Vec<&KnownMistake> = known.bank.iter().collect();
    let mut quick = whole(suite, &bank, &asked, Extent::ToContradiction);
    quick.extend(halves(suite, &bank, &asked));
    let all = || whole(suite, &bank, &asked, Extent::Whole);
    let together = || pairs(suite, known, &asked);
    let is_known = |one: &str, other: &str| known.is_known_together(one, other);
    let explained = rule::explain(&quick, &asked, &together, &all, &is_known);
    let named: Vec<&KnownMistake> =
        bank.iter().copied().filter(|it| explained.has(it.mistake.id)).collect();
    let mut candidates = whole(suite, &named, &asked, Extent::Whole);
    // A mistake that is made for one value of a switch shows where its half does.
    let mut of_named = halves(suite, &named, &asked);
    of_named.retain(|half| !half.readings.contains(&Reading::Contradicted));
    candidates.append(&mut of_named);
    let (mut named, mut before) = (Named::new(), Vec::new());
    for check in failed {
        if let Some(id) = explained.name_for(check.aspects, &candidates, &asked, &before) {
            before.push(id);
            named.insert(check.check.id, id);
        }
    }
    named
}

/// Describes each diagnostic case of `task` that `session` does not answer as a right part does, one to a
/// line, for authors of diagnostic cases and for finding out why a mistake is not named.
///
/// # Errors
///
/// When the session breaks.
pub fn differences(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<Vec<String>, CheckError> {
    let known = Known::of(suite, task);
    let asked = beside_truth(suite, &known, hear(&known, session)?);
    let wrong = asked.iter().filter(|it| !it.is_right());
    Ok(wrong.map(Asked::describe).collect())
}

/// For each mistake of `task`, the questions on which its closest imitation does not answer as `session`
/// does, fewest first: for whoever looks for what keeps a mistake from being named.
///
/// # Errors
///
/// When the session breaks.
pub fn contradictions(
    suite: &Suite,
    task: &str,
    session: &mut dyn Session,
) -> Result<Vec<(&'static str, Vec<String>)>, CheckError> {
    let known = Known::of(suite, task);
    let asked = beside_truth(suite, &known, hear(&known, session)?);
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

/// Puts the battery of a task to the submission.
fn hear(known: &Known, session: &mut dyn Session) -> Result<Vec<Came>, CheckError> {
    let mut subject = Subject::new(session);
    known.questions.iter().map(|it| answers::of_submission(&mut subject, it)).collect()
}

/// Puts what came of each question beside what is right.
fn beside_truth<'a>(suite: &Suite, known: &'a Known, came: Vec<Came>) -> Vec<Asked<'a>> {
    let each = known.questions.iter().zip(came).enumerate();
    each.map(|(at, (question, came))| {
        let truth = known.right.answer(at, question, suite.rests.as_slice()).into_owned();
        Asked { question, truth, came }
    })
    .collect()
}

/// Every imitation of the mistakes, cut as a right part is and with each of its own cuts.
fn whole(
    suite: &Suite,
    bank: &[&KnownMistake],
    asked: &[Asked<'_>],
    extent: Extent,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for KnownMistake { mistake, imitations, .. } in bank {
        for imitation in imitations {
            let own = mistake.cuts.iter().map(std::slice::from_ref);
            for cuts in std::iter::once(suite.rests.as_slice()).chain(own) {
                let part = (imitation, cuts);
                candidates.push(Candidate::read(&[mistake.id], part, asked, extent));
            }
        }
    }
    candidates
}

/// Each imitation where one switch of the config is on, or off, and a right part elsewhere.
fn halves(suite: &Suite, bank: &[&KnownMistake], asked: &[Asked<'_>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for KnownMistake { mistake, halves, .. } in bank {
        for half in halves {
            let part = (half, suite.rests.as_slice());
            let read = Candidate::read(&[mistake.id], part, asked, Extent::WhereShown);
            candidates.push(Candidate { whole: false, ..read });
        }
    }
    candidates
}

/// Every two mistakes of a task for which it is known what a part gives that makes both: those that the
/// suite lists, each mistake with each cut of another one, and cuts of two mistakes.
fn pairs(suite: &Suite, known: &Known, asked: &[Asked<'_>]) -> Vec<Candidate> {
    let listed = known.pairs.iter().map(|pair| {
        let part = (&pair.imitation, suite.rests.as_slice());
        Candidate::read(&pair.ids, part, asked, Extent::ToContradiction)
    });
    let mut all: Vec<Candidate> = listed.collect();
    for (at, one) in known.bank.iter().enumerate() {
        for (place, other) in known.bank.iter().enumerate() {
            if one.mistake.id != other.mistake.id {
                all.extend(with_cuts(one, other, place > at, asked));
            }
        }
    }
    all
}

/// A mistake with each cut of another one; cuts of both only where `one` is to take them, since they are the
/// same in either order.
fn with_cuts(
    one: &KnownMistake,
    other: &KnownMistake,
    takes_both: bool,
    asked: &[Asked<'_>],
) -> Vec<Candidate> {
    let ids = [one.mistake.id, other.mistake.id];
    let mut all = Vec::new();
    for imitation in &one.imitations {
        for cut in other.mistake.cuts {
            let mut read = |cuts: &[Cut], extent: Extent| {
                all.push(Candidate::read(&ids, (imitation, cuts), asked, extent));
            };
            if one.mistake.cuts.is_empty() {
                // It shows in other questions than those about gradients.
                read(&[*cut], Extent::WhereShown);
            } else if takes_both {
                one.mistake
                    .cuts
                    .iter()
                    .for_each(|own| read(&[*own, *cut], Extent::ToContradiction));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::sync::Arc;

    use softmark_checks::Case;

    use crate::diagnose::known::Imitation;
    use crate::diagnose::reading::{is_error, is_numbers};
    use crate::suite::{Given, Question, SUITES};

    use super::*;

    /// One way of making a mistake.
    struct Way<'a> {
        id: &'static str,
        imitation: &'a Imitation,
        cuts: &'a [Cut],
        questions: &'a [Question],
    }

    impl Way<'_> {
        fn answer(&self, at: usize) -> Cow<'_, Given> {
            self.imitation.answer(at, &self.questions[at], self.cuts)
        }
    }

    /// The places of a task's questions: of those without gradients, and of those for gradients.
    fn places(known: &Known) -> [Vec<usize>; 2] {
        let is_back = |at: &usize| known.questions[*at].cotangents.is_some();
        let (back, plain) = (0..known.questions.len()).partition(is_back);
        [plain, back]
    }

    fn ways<'a>(suite: &'a Suite, known: &'a Known, bank: &'a [KnownMistake]) -> Vec<Way<'a>> {
        let mut ways = Vec::new();
        for KnownMistake { mistake, imitations, .. } in bank {
            for imitation in imitations {
                let own = mistake.cuts.iter().map(std::slice::from_ref);
                let each = std::iter::once(suite.rests.as_slice()).chain(own);
                let (id, questions) = (mistake.id, known.questions.as_slice());
                ways.extend(each.map(|cuts| Way { id, imitation, cuts, questions }));
            }
        }
        ways
    }

    fn right<'a>(suite: &'a Suite, known: &'a Known) -> Way<'a> {
        let (cuts, questions) = (suite.rests.as_slice(), known.questions.as_slice());
        Way { id: "", imitation: &known.right, cuts, questions }
    }

    /// The tasks of each suite.
    fn tasks() -> Vec<(&'static Suite, &'static str, Arc<Known>)> {
        let mut all = Vec::new();
        for suite in SUITES {
            let tasks: BTreeSet<&'static str> =
                (suite.mistakes)().iter().map(|it| it.task).collect();
            all.extend(tasks.into_iter().map(|task| (suite, task, Known::of(suite, task))));
        }
        all
    }

    fn differ(a: &Given, b: &Given) -> bool {
        let told = is_numbers(a) || is_numbers(b) || (is_error(a) && is_error(b));
        told && !matching::same(a, b) && !matching::same(b, a)
    }

    /// True if two ways differ in one of the questions at `places`.
    fn differ_at(places: &[usize], a: &Way<'_>, b: &Way<'_>) -> bool {
        places.iter().any(|at| differ(&a.answer(*at), &b.answer(*at)))
    }

    fn differ_anywhere([plain, back]: &[Vec<usize>; 2], a: &Way<'_>, b: &Way<'_>) -> bool {
        differ_at(plain, a, b) || differ_at(back, a, b)
    }

    /// Pairs of mistakes that are one thing under two names, with the reason.
    const THE_SAME: &[(&str, &str)] = &[];

    /// Two mistakes must not differ by an accident of the inputs alone: every way of making one answers
    /// some question differently from every way of making the other.
    #[test]
    fn two_mistakes_of_a_task_never_answer_alike() {
        let mut wrong = BTreeSet::new();
        for (suite, task, known) in tasks() {
            let places = places(&known);
            let right = right(suite, &known);
            // A way that shows nowhere by itself, such as a right part without its cut, names nothing.
            let ways: Vec<Way<'_>> = ways(suite, &known, &known.bank)
                .into_iter()
                .filter(|it| differ_anywhere(&places, it, &right))
                .collect();
            for (at, a) in ways.iter().enumerate() {
                let others = ways.iter().skip(at + 1).filter(|b| b.id != a.id);
                let alike = others.filter(|b| {
                    !THE_SAME.contains(&(a.id, b.id)) && !differ_anywhere(&places, a, b)
                });
                wrong.extend(alike.map(|b| format!("{task}: {} and {}", a.id, b.id)));
            }
        }
        assert!(wrong.is_empty(), "\n{}", Vec::from_iter(wrong).join("\n"));
    }

    /// Mistakes that consist in an error, so that no number shows them.
    const ERRORS: &[&str] = &[
        "strided-attention-refused",
        "uneven-heads-panic",
        "too-long-panics",
        "learned-too-long-panics",
        "strided-input-refused",
        "unknown-ids-panic",
        "unknown-words-panic",
        "long-texts-panic",
        "ragged-lines-panic",
        "fields-panic",
        "nan-panics",
        "layers-unwrapped",
        "encoder-unwrapped",
        "parts-unwrapped",
        "layer-refuses-views",
        "network-refuses-views",
        "views-of-weights-refused",
        "prefix-always-asked-for",
        "empty-text-refused",
    ];

    /// Those that differ from what they answer in more than that: a model without a prefix in its parameters,
    /// a batch without an empty text in its texts, a search without `NaN` in its scores.
    const WITHOUT_CONTROL: &[&str] =
        &["prefix-always-asked-for", "empty-text-refused", "nan-panics"];

    /// True if the two ask the same, but for the layout of inputs in memory.
    fn ask_alike(a: &Case, b: &Case) -> bool {
        let inputs = |case: &Case| {
            let each = case.inputs.iter();
            each.map(|it| (it.name, it.array.clone(), it.kind)).collect::<Vec<_>>()
        };
        a.part == b.part
            && a.config == b.config
            && a.parameters == b.parameters
            && inputs(a) == inputs(b)
    }

    /// The questions that a way refuses, a right part answers, and no other question is like that the way
    /// answers.
    fn without_control(way: &Way<'_>, right: &Way<'_>, plain: &[usize]) -> Vec<String> {
        let case = |at: usize| &way.questions[at].case;
        let lacks = |at: &usize| {
            let refused = is_error(&way.answer(*at)) && is_numbers(&right.answer(*at));
            let is_control =
                |n: &usize| ask_alike(case(*n), case(*at)) && is_numbers(&way.answer(*n));
            refused && !plain.iter().any(is_control)
        };
        plain.iter().copied().filter(lacks).map(|at| case(at).label.clone()).collect()
    }

    /// No number shows such a mistake; so of each question that it refuses there has to be another that
    /// it answers, and which differs in nothing but what the mistake is about.
    #[test]
    fn mistakes_without_numbers_are_few_and_have_controls() {
        let mut wrong = String::new();
        for (suite, _, known) in tasks() {
            let [plain, back] = places(&known);
            let right = right(suite, &known);
            for one in &known.bank {
                let id = one.mistake.id;
                let ways = ways(suite, &known, std::slice::from_ref(one));
                let is_shown = |way: &Way<'_>, at: &usize| {
                    let given = way.answer(*at);
                    differ(&given, &right.answer(*at)) && is_numbers(&given)
                };
                let has_numbers = |way: &Way<'_>| {
                    plain.iter().any(|at| is_shown(way, at)) || differ_at(&back, way, &right)
                };
                if ways.iter().any(has_numbers) == ERRORS.contains(&id) {
                    writeln!(wrong, "{id} does not stand where it should").unwrap();
                }
                if !ERRORS.contains(&id) || WITHOUT_CONTROL.contains(&id) {
                    continue;
                }
                for label in ways.iter().flat_map(|way| without_control(way, &right, &plain)) {
                    writeln!(wrong, "{id}: no control for {label}").unwrap();
                }
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}
