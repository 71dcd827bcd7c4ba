//! From a submission's answers to the mistake that explains them.
//!
//! Invariant: a mistake is named only where it accounts for every answer of the submission, and where
//! the answers show it: with numbers that are not the right ones, or, for a mistake that consists in
//! refusing or in panicking, with just those errors beside right numbers. What is named changes no points.
//!
//! The same battery of questions is put to the submission, to the oracle and to each imitation of
//! the mistake bank; `rule.rs` says what follows.

mod answers;
mod matching;
mod reading;
mod rule;

use std::collections::BTreeMap;

use softmark_checks::{Case, CheckError, Subject};
use softmark_wire::Session;

use crate::diagnose::reading::{Asked, Candidate, Extent, Reading};
use crate::suite::{Cut, Given, Half, Imitate, Mistake, Pair, Suite, SuiteCheck};

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
    if failed.is_empty() {
        return Ok(Named::new());
    }
    let asked = ask(suite, task, session)?;
    let bank = of_task(suite, task);
    let mut quick = whole(suite, &bank, &asked, Extent::ToContradiction);
    quick.extend(halves(suite, task, &bank, &asked));
    let all = || whole(suite, &bank, &asked, Extent::Whole);
    let explained = rule::explain(&quick, &asked, &|| pairs(suite, task, &asked), &all);
    let named: Vec<Mistake> =
        bank.iter().copied().filter(|mistake| explained.has(mistake.id)).collect();
    let mut candidates = whole(suite, &named, &asked, Extent::Whole);
    // A mistake that is made for one value of a switch shows where its half does.
    let mut of_named = halves(suite, task, &named, &asked);
    of_named.retain(|half| !half.readings.contains(&Reading::Contradicted));
    candidates.append(&mut of_named);
    let (mut named, mut before) = (Named::new(), Vec::new());
    for check in failed {
        if let Some(id) = explained.name_for(check.aspects, &candidates, &asked, &before) {
            before.push(id);
            named.insert(check.check.id, id);
        }
    }
    Ok(named)
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
    let asked = ask(suite, task, session)?;
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
    let asked = ask(suite, task, session)?;
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for candidate in whole(suite, &of_task(suite, task), &asked, Extent::Whole) {
        let against = candidate.against(&asked);
        match found.iter_mut().find(|(id, _)| *id == candidate.id()) {
            Some((_, fewest)) if fewest.len() > against.len() => *fewest = against,
            Some(_) => {}
            None => found.push((candidate.id(), against)),
        }
    }
    found.sort_by_key(|(_, against)| against.len());
    Ok(found)
}

/// Puts the battery of `task` to the submission and to the oracle.
fn ask(suite: &Suite, task: &str, session: &mut dyn Session) -> Result<Vec<Asked>, CheckError> {
    let mut subject = Subject::new(session);
    (suite.battery)(task)
        .into_iter()
        .map(|question| {
            let came = answers::of_submission(&mut subject, &question)?;
            let truth = answers::of_imitation(&question, &suite.truth, suite.rests.as_slice());
            Ok(Asked { question, truth, came })
        })
        .collect()
}

/// Every imitation of the mistakes, cut as a right part is and with each of its own cuts.
fn whole(suite: &Suite, bank: &[Mistake], asked: &[Asked], extent: Extent) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (mistake, imitate) in all_imitations(bank) {
        let own = mistake.cuts.iter().map(std::slice::from_ref);
        for cuts in std::iter::once(suite.rests.as_slice()).chain(own) {
            let part = (imitate as &dyn Fn(&_) -> _, cuts);
            candidates.push(Candidate::read(&[mistake.id], part, asked, extent));
        }
    }
    candidates
}

/// Each imitation where one switch of the config is on, or off, and a right part elsewhere.
fn halves(suite: &Suite, task: &str, bank: &[Mistake], asked: &[Asked]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for half in (suite.halves)(task) {
        for (mistake, imitate) in all_imitations(bank) {
            for on in [true, false] {
                let partly = halved(*half, on, *imitate, suite.truth);
                let part = (&partly as &dyn Fn(&_) -> _, suite.rests.as_slice());
                let read = Candidate::read(&[mistake.id], part, asked, Extent::WhereShown);
                candidates.push(Candidate { whole: false, ..read });
            }
        }
    }
    candidates
}

fn of_task(suite: &Suite, task: &str) -> Vec<Mistake> {
    (suite.mistakes)().into_iter().filter(|mistake| mistake.task == task).collect()
}

fn all_imitations(bank: &[Mistake]) -> impl Iterator<Item = (&Mistake, &Imitate)> {
    bank.iter().flat_map(|mistake| mistake.imitations.iter().map(move |it| (mistake, it)))
}

/// The response of a part that makes a mistake where a switch has this value, and is right elsewhere.
fn halved(half: Half, on: bool, imitate: Imitate, truth: Imitate) -> impl Fn(&Case) -> Given {
    move |case| if half(case) == on { imitate(case) } else { truth(case) }
}

/// Every two mistakes of `task` for which it is known what a part gives that makes both: those that the
/// suite lists, each mistake with each cut of another one, and cuts of two mistakes.
fn pairs(suite: &Suite, task: &str, asked: &[Asked]) -> Vec<Candidate> {
    let listed = (suite.pairs)(task).into_iter().map(|it: Pair| {
        let part = (&*it.imitate, suite.rests.as_slice());
        Candidate::read(&it.ids, part, asked, Extent::ToContradiction)
    });
    let mut all: Vec<Candidate> = listed.collect();
    let bank = of_task(suite, task);
    for (at, mistake) in bank.iter().enumerate() {
        for other in bank.iter().filter(|other| other.id != mistake.id) {
            for (imitate, cut) in
                mistake.imitations.iter().flat_map(|it| other.cuts.iter().map(move |cut| (it, cut)))
            {
                let ids = [mistake.id, other.id];
                // A mistake without a cut of its own shows in other questions than those about gradients.
                let extent = if mistake.cuts.is_empty() {
                    Extent::WhereShown
                } else {
                    Extent::ToContradiction
                };
                let mut read = |cuts: &[Cut]| {
                    let part = (imitate as &dyn Fn(&_) -> _, cuts);
                    all.push(Candidate::read(&ids, part, asked, extent));
                };
                if mistake.cuts.is_empty() {
                    read(&[*cut]);
                } else if bank.iter().skip(at + 1).any(|later| later.id == other.id) {
                    mistake.cuts.iter().for_each(|own| read(&[*own, *cut]));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::cell::OnceCell;
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::rc::Rc;

    use crate::diagnose::reading::{is_error, is_numbers};
    use crate::suite::{Question, SUITES};

    use super::*;

    /// One way of making a mistake, and what it answers to every question without gradients.
    struct Way<'a> {
        id: &'static str,
        imitate: Rc<dyn Fn(&Case) -> Given>,
        cuts: &'a [Cut],
        answers: Vec<Given>,
        /// Its gradients, computed when they are first asked for: each takes hundreds of answers.
        back: OnceCell<Vec<Given>>,
    }

    impl Way<'_> {
        fn gradients(&self, all: &[Question]) -> &[Given] {
            let of = |it: &Question| answers::of_imitation(it, &*self.imitate, self.cuts);
            self.back.get_or_init(|| all.iter().map(of).collect())
        }
    }

    /// The questions of a task: those without gradients, and those for gradients.
    fn questions(suite: &Suite, task: &str) -> [Vec<Question>; 2] {
        let (back, plain) =
            (suite.battery)(task).into_iter().partition(|it| it.cotangents.is_some());
        [plain, back]
    }

    fn way<'a>(
        id: &'static str,
        imitate: impl Fn(&Case) -> Given + 'static,
        cuts: &'a [Cut],
        all: &[Question],
    ) -> Way<'a> {
        let imitate: Rc<dyn Fn(&Case) -> Given> = Rc::new(imitate);
        let answers = all.iter().map(|it| answers::of_imitation(it, &*imitate, cuts)).collect();
        Way { id, imitate, cuts, answers, back: OnceCell::new() }
    }

    fn ways<'a>(suite: &'a Suite, bank: &'a [Mistake], all: &[Question]) -> Vec<Way<'a>> {
        let mut ways = Vec::new();
        for mistake in bank {
            for imitate in mistake.imitations {
                let own = mistake.cuts.iter().map(std::slice::from_ref);
                let each = std::iter::once(suite.rests.as_slice()).chain(own);
                ways.extend(each.map(|cuts| way(mistake.id, *imitate, cuts, all)));
            }
        }
        ways
    }

    /// The mistakes of each task of each suite.
    fn banks() -> Vec<(&'static Suite, &'static str, Vec<Mistake>)> {
        let mut banks = Vec::new();
        for suite in SUITES {
            let bank = (suite.mistakes)();
            let tasks: BTreeSet<&'static str> = bank.iter().map(|it| it.task).collect();
            for task in tasks {
                let of_task = bank.iter().filter(|it| it.task == task).copied();
                banks.push((suite, task, of_task.collect()));
            }
        }
        banks
    }

    fn differ(a: &Given, b: &Given) -> bool {
        let told = is_numbers(a) || is_numbers(b) || (is_error(a) && is_error(b));
        told && !matching::same(a, b) && !matching::same(b, a)
    }

    /// True if two ways differ in the gradients of a question.
    fn differ_back(all: &[Question], a: &Way<'_>, b: &Way<'_>) -> bool {
        a.gradients(all).iter().zip(b.gradients(all)).any(|(a, b)| differ(a, b))
    }

    fn differ_anywhere(back: &[Question], a: &Way<'_>, b: &Way<'_>) -> bool {
        a.answers.iter().zip(&b.answers).any(|(a, b)| differ(a, b)) || differ_back(back, a, b)
    }

    /// Pairs of mistakes that are one thing under two names, with the reason.
    const THE_SAME: &[(&str, &str)] = &[];

    /// Two mistakes must not differ by an accident of the inputs alone: every way of making one answers
    /// some question differently from every way of making the other.
    #[test]
    fn two_mistakes_of_a_task_never_answer_alike() {
        let mut wrong = BTreeSet::new();
        for (suite, task, bank) in banks() {
            let [plain, back] = questions(suite, task);
            let ways = ways(suite, &bank, &plain);
            let right = way("", suite.truth, suite.rests.as_slice(), &plain);
            // A way that shows nowhere by itself, such as a right part without its cut, names nothing.
            let ways: Vec<Way<'_>> =
                ways.into_iter().filter(|it| differ_anywhere(&back, it, &right)).collect();
            for (at, a) in ways.iter().enumerate() {
                let others = ways.iter().skip(at + 1).filter(|b| b.id != a.id);
                let alike = others
                    .filter(|b| !THE_SAME.contains(&(a.id, b.id)) && !differ_anywhere(&back, a, b));
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
    fn without_control(way: &Way<'_>, right: &Way<'_>, plain: &[Question]) -> Vec<String> {
        let lacks = |at: &usize| {
            let refused = is_error(&way.answers[*at]) && is_numbers(&right.answers[*at]);
            let is_control = |n: usize| {
                ask_alike(&plain[n].case, &plain[*at].case) && is_numbers(&way.answers[n])
            };
            refused && !(0..plain.len()).any(is_control)
        };
        (0..plain.len()).filter(lacks).map(|at| plain[at].case.label.clone()).collect()
    }

    /// No number shows such a mistake; so of each question that it refuses there has to be another that
    /// it answers, and which differs in nothing but what the mistake is about.
    #[test]
    fn mistakes_without_numbers_are_few_and_have_controls() {
        let mut wrong = String::new();
        for (suite, task, bank) in banks() {
            let [plain, back] = questions(suite, task);
            let right = way("", suite.truth, suite.rests.as_slice(), &plain);
            for mistake in &bank {
                let ways = ways(suite, std::slice::from_ref(mistake), &plain);
                let has_numbers = |way: &Way<'_>| {
                    let each = way.answers.iter().zip(&right.answers);
                    let mut shown = each.filter(|(given, truth)| differ(given, truth));
                    shown.any(|(given, _)| is_numbers(given)) || differ_back(&back, way, &right)
                };
                if ways.iter().any(has_numbers) == ERRORS.contains(&mistake.id) {
                    writeln!(wrong, "{} does not stand where it should", mistake.id).unwrap();
                }
                if !ERRORS.contains(&mistake.id) || WITHOUT_CONTROL.contains(&mistake.id) {
                    continue;
                }
                for label in ways.iter().flat_map(|way| without_control(way, &right, &plain)) {
                    writeln!(wrong, "{}: no control for {label}", mistake.id).unwrap();
                }
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}
