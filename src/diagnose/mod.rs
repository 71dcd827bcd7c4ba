//! Diagnosis: finds the mistake that explains a submission's responses.
//!
//! Invariant: a mistake is named only if it accounts for every response of the submission and shows
//! in the responses: in numbers that are not the expected ones, or, for a mistake that consists in
//! an error or a panic, in exactly these errors beside right numbers. A diagnosis changes no
//! points.
//!
//! The submission, the oracle and each imitation of the mistake catalogue get the same diagnostic
//! cases; `rule.rs` evaluates the responses. Recorded answers of a mutant stand for an imitation.

mod answers;
mod known;
mod matching;
mod reading;
mod recording;
mod rule;

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Subject};
use softmark_exam::{Cut, Suite, SuiteCheck};
use softmark_wire::Session;

use crate::diagnose::answers::Came;
use crate::diagnose::known::{Known, KnownMistake};
use crate::diagnose::reading::{Asked, Candidate, Extent, Reading};
use crate::session::Budget;

pub use recording::{RecordingState, record};

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
    let came = hear(&known, session)?;
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
        if let Some(id) = explained.name_for(check.aspects, &candidates, &asked, &before) {
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
    let asked = beside_truth(suite, &known, hear(&known, session)?);
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

/// Asks the submission the diagnostic cases of a task.
fn hear(known: &Known, session: &mut dyn Session) -> Result<Vec<Came>, CheckError> {
    let mut subject = Subject::new(session);
    known.questions.iter().map(|it| answers::of_submission(&mut subject, it)).collect()
}

/// Combines each response with the expected one.
fn beside_truth<'a>(suite: &Suite, known: &'a Known, came: Vec<Came>) -> Vec<Asked<'a>> {
    let each = known.questions.iter().zip(came).enumerate();
    each.map(|(at, (question, came))| {
        let truth = known.right.answer(at, question, suite.rests.as_slice()).into_owned();
        Asked { question, truth, came }
    })
    .collect()
}

/// Returns a candidate for every imitation of the mistakes: with the reference's frozen parameters,
/// and with each of the mistake's own cuts.
fn whole(
    suite: &Suite,
    bank: &[&KnownMistake],
    asked: &[Asked<'_>],
    extent: Extent,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for known in bank {
        let variants = known.variants(suite.rests.as_slice());
        let read = |part| Candidate::read(&[known.mistake.id], part, asked, extent);
        candidates.extend(variants.map(read));
    }
    candidates
}

/// Returns a candidate for each imitation that makes its mistake for one value of a switch only.
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

/// Returns a candidate for every two mistakes of a task whose combined response is known: pairs
/// that the suite lists, each mistake with each cut of another one, and cuts of two mistakes.
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

/// Returns a mistake with each cut of another one, unless its answers are recorded; cuts of both only if
/// `takes_both` is true, since they are the same in either order.
fn with_cuts(
    one: &KnownMistake,
    other: &KnownMistake,
    takes_both: bool,
    asked: &[Asked<'_>],
) -> Vec<Candidate> {
    let ids = [one.mistake.id, other.mistake.id];
    let mut all = Vec::new();
    for imitation in one.imitations.iter().filter(|it| it.can_be_cut()) {
        for cut in other.mistake.cuts {
            let mut read = |cuts: &[Cut], extent: Extent| {
                all.push(Candidate::read(&ids, (imitation, cuts), asked, extent));
            };
            if one.mistake.cuts.is_empty() {
                // The first mistake shows in cases without gradients.
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
    use softmark_exam::{Question, Response};

    use crate::diagnose::known::Imitation;
    use crate::diagnose::reading::{is_error, is_numbers};
    use crate::suite::BUILT_IN;

    use super::*;

    /// Variant of a mistake.
    struct Way<'a> {
        id: &'static str,
        imitation: &'a Imitation,
        cuts: &'a [Cut],
        questions: &'a [Question],
    }

    impl Way<'_> {
        fn answer(&self, at: usize) -> Cow<'_, Response> {
            self.imitation.answer(at, &self.questions[at], self.cuts)
        }
    }

    /// Returns the indices of a task's diagnostic cases without gradients, and of those with
    /// gradients.
    fn places(known: &Known) -> [Vec<usize>; 2] {
        let is_back = |at: &usize| known.questions[*at].cotangents.is_some();
        let (back, plain) = (0..known.questions.len()).partition(is_back);
        [plain, back]
    }

    fn ways<'a>(suite: &'a Suite, known: &'a Known, bank: &'a [KnownMistake]) -> Vec<Way<'a>> {
        let mut ways = Vec::new();
        for one in bank {
            let (id, questions) = (one.mistake.id, known.questions.as_slice());
            let each = one.variants(suite.rests.as_slice());
            ways.extend(each.map(|(imitation, cuts)| Way { id, imitation, cuts, questions }));
        }
        ways
    }

    fn right<'a>(suite: &'a Suite, known: &'a Known) -> Way<'a> {
        let (cuts, questions) = (suite.rests.as_slice(), known.questions.as_slice());
        Way { id: "", imitation: &known.right, cuts, questions }
    }

    /// Returns the tasks of each suite.
    fn tasks() -> Vec<(&'static Suite, &'static str, Arc<Known>)> {
        let mut all = Vec::new();
        for suite in BUILT_IN.suites() {
            let tasks: BTreeSet<&'static str> =
                (suite.mistakes)().iter().map(|it| it.task).collect();
            all.extend(tasks.into_iter().map(|task| (suite, task, Known::of(suite, task))));
        }
        all
    }

    fn differ(a: &Response, b: &Response) -> bool {
        let told = is_numbers(a) || is_numbers(b) || (is_error(a) && is_error(b));
        told && !matching::same(a, b) && !matching::same(b, a)
    }

    /// True if two variants differ in one of the cases at `places`.
    fn differ_at(places: &[usize], a: &Way<'_>, b: &Way<'_>) -> bool {
        places.iter().any(|at| differ(&a.answer(*at), &b.answer(*at)))
    }

    fn differ_anywhere([plain, back]: &[Vec<usize>; 2], a: &Way<'_>, b: &Way<'_>) -> bool {
        differ_at(plain, a, b) || differ_at(back, a, b)
    }

    /// Pairs of mistakes that are the same under two names, with the reason.
    const THE_SAME: &[(&str, &str)] = &[];

    /// Two mistakes must not differ by an accident of the inputs alone: every variant of one
    /// answers some case differently from every variant of the other.
    #[test]
    fn two_mistakes_of_a_task_never_answer_alike() {
        let mut wrong = BTreeSet::new();
        for (suite, task, known) in tasks() {
            let places = places(&known);
            let right = right(suite, &known);
            // A variant that shows nowhere alone, such as a reference without its cut, names
            // nothing.
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

    /// Mistakes that consist in an error, so that they show in no number.
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

    /// Mistakes whose failing cases have no control that differs in this point alone: a model
    /// without a prefix differs in its parameters, a batch without an empty text in its texts, a
    /// search without `NaN` in its scores.
    const WITHOUT_CONTROL: &[&str] =
        &["prefix-always-asked-for", "empty-text-refused", "nan-panics"];

    /// True if the two cases differ at most in the memory layout of their inputs.
    fn ask_alike(a: &Case, b: &Case) -> bool {
        let inputs = |case: &Case| {
            let each = case.inputs.iter();
            each.map(|it| (it.name, it.array.clone(), it.kind)).collect::<Vec<_>>()
        };
        a.signature == b.signature
            && a.config == b.config
            && a.parameters == b.parameters
            && inputs(a) == inputs(b)
    }

    /// Returns the cases that a variant refuses and the reference answers, and for which there is
    /// no equal case, up to memory layout, that the variant answers.
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

    /// No number shows such a mistake; so each case that it refuses needs a control that it answers
    /// and that differs only in the subject of the mistake.
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
                    let response = way.answer(*at);
                    differ(&response, &right.answer(*at)) && is_numbers(&response)
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
