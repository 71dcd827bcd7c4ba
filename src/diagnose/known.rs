//! Responses of the reference and of imitations to the diagnostic cases of a task, computed once
//! per process.
//!
//! Diagnostic cases are the same for every submission, so these responses are too. Gradients take
//! hundreds of evaluations each: minutes for all imitations of prefix tuning.

use std::borrow::Cow;
use std::ptr::fn_addr_eq;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use softmark_checks::Case;
use softmark_exam::{Cut, Given, Half, Imitate, Mistake, Question, Suite};

use crate::diagnose::answers::Imitated;

/// Component that makes one mistake, two or none, with the responses that are computed so far.
pub(super) struct Imitation {
    imitate: Box<dyn Fn(&Case) -> Given + Send + Sync>,
    /// Responses in the order of the diagnostic cases.
    answers: Vec<OnceLock<Imitated>>,
}

impl Imitation {
    fn new(
        imitate: impl Fn(&Case) -> Given + Send + Sync + 'static,
        questions: &[Question],
    ) -> Self {
        let answers = questions.iter().map(|_| OnceLock::new()).collect();
        Self { imitate: Box::new(imitate), answers }
    }

    /// Returns the response to the diagnostic case with index `at`, in which the gradients of
    /// `cuts` do not arrive.
    pub(super) fn answer(&self, at: usize, question: &Question, cuts: &[Cut]) -> Cow<'_, Given> {
        let imitated = || Imitated::of(question, &*self.imitate);
        match self.answers.get(at) {
            Some(known) => known.get_or_init(imitated).cut(&question.case, cuts),
            None => Cow::Owned(imitated().cut(&question.case, cuts).into_owned()),
        }
    }
}

/// Mistake and its imitations.
pub(super) struct KnownMistake {
    pub(super) mistake: Mistake,
    pub(super) imitations: Vec<Imitation>,
    /// Components that make the mistake for one value of a switch only.
    pub(super) halves: Vec<Imitation>,
}

/// Imitation of two mistakes at once.
pub(super) struct KnownPair {
    pub(super) ids: [&'static str; 2],
    pub(super) imitation: Imitation,
}

/// Diagnostic cases, reference and imitations of a task.
pub(super) struct Known {
    pub(super) questions: Vec<Question>,
    pub(super) right: Imitation,
    /// Mistakes in the order of the catalogue.
    pub(super) bank: Vec<KnownMistake>,
    pub(super) pairs: Vec<KnownPair>,
}

/// Cache entry: task of a suite, with its diagnostic cases and imitations.
struct Entry {
    suite: Suite,
    task: String,
    known: Arc<Known>,
}

impl Entry {
    /// True if `suite` has the same diagnostic cases, reference and imitations for the task.
    fn is(&self, suite: &Suite, task: &str) -> bool {
        let known = &self.suite;
        self.task == task
            && fn_addr_eq(known.battery, suite.battery)
            && fn_addr_eq(known.truth, suite.truth)
            && fn_addr_eq(known.mistakes, suite.mistakes)
            && fn_addr_eq(known.pairs, suite.pairs)
            && fn_addr_eq(known.halves, suite.halves)
    }
}

/// Entries of the tasks that were used so far.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

impl Known {
    /// Returns the [`Known`] of a task of a suite, whose responses are computed when they are
    /// needed.
    pub(super) fn of(suite: &Suite, task: &str) -> Arc<Self> {
        let mut all = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = all.iter().find(|entry| entry.is(suite, task)) {
            return Arc::clone(&entry.known);
        }
        let known = Arc::new(Self::new(suite, task));
        all.push(Entry { suite: *suite, task: task.to_owned(), known: Arc::clone(&known) });
        known
    }

    /// True if the response of a component that makes both mistakes is known, whatever variant of
    /// each it makes: either all of their imitations are combined with one another, or one mistake
    /// is a gradient that does not arrive.
    pub(super) fn is_known_together(&self, one: &str, other: &str) -> bool {
        let find = |id: &str| self.bank.iter().find(|it| it.mistake.id == id);
        let (Some(one), Some(other)) = (find(one), find(other)) else { return false };
        let ids = [one.mistake.id, other.mistake.id];
        let listed = self.pairs.iter().filter(|pair| ids.iter().all(|id| pair.ids.contains(id)));
        let is_cut = |it: &KnownMistake| !it.mistake.cuts.is_empty();
        match listed.count() {
            0 => is_cut(one) || is_cut(other),
            count => count >= one.imitations.len() * other.imitations.len(),
        }
    }

    fn new(suite: &Suite, task: &str) -> Self {
        let questions = (suite.battery)(task);
        let bank = (suite.mistakes)().into_iter().filter(|mistake| mistake.task == task);
        let known = |mistake: Mistake| {
            let each = mistake.imitations.iter();
            let imitations = each.map(|it| Imitation::new(*it, &questions)).collect();
            let mut halves = Vec::new();
            for half in (suite.halves)(task) {
                for (imitate, on) in
                    mistake.imitations.iter().flat_map(|it| [(it, true), (it, false)])
                {
                    let partly = halved(*half, on, *imitate, suite.truth);
                    halves.push(Imitation::new(partly, &questions));
                }
            }
            KnownMistake { mistake, imitations, halves }
        };
        let bank = bank.map(known).collect();
        let pairs = (suite.pairs)(task).into_iter();
        let pairs = pairs
            .map(|it| KnownPair { ids: it.ids, imitation: Imitation::new(it.imitate, &questions) })
            .collect();
        Self { right: Imitation::new(suite.truth, &questions), questions, bank, pairs }
    }
}

/// Returns a component that makes a mistake if the switch `half` has the value `on`, and is right
/// otherwise.
fn halved(half: Half, on: bool, imitate: Imitate, truth: Imitate) -> impl Fn(&Case) -> Given {
    move |case| if half(case) == on { imitate(case) } else { truth(case) }
}

#[cfg(test)]
mod tests {
    use crate::suite::BUILT_IN;

    use super::*;

    #[test]
    fn a_task_is_known_once_and_each_task_by_itself() {
        let (suite, other) = (&BUILT_IN.suites()[0], &BUILT_IN.suites()[1]);
        let task = (suite.mistakes)()[0].task;
        let known = Known::of(suite, task);
        assert!(Arc::ptr_eq(&known, &Known::of(suite, task)));
        assert!(!Arc::ptr_eq(&known, &Known::of(other, task)));
        assert!(!Arc::ptr_eq(&known, &Known::of(suite, "no-such-task")));
        assert!(!known.bank.is_empty() && Known::of(other, task).bank.len() != known.bank.len());
    }

    #[test]
    fn a_suite_with_another_oracle_is_another() {
        fn refuses(_: &Case) -> Given {
            Given::Refused
        }
        let suite = &BUILT_IN.suites()[0];
        let task = (suite.mistakes)()[0].task;
        let flawed = Suite { truth: refuses, ..*suite };
        assert!(!Arc::ptr_eq(&Known::of(suite, task), &Known::of(&flawed, task)));
    }
}
