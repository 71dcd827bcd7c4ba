//! Responses of the reference and of imitations to the diagnostic cases of a task, computed once
//! per process.
//!
//! Diagnostic cases are the same for every submission, so these responses are too. Gradients take
//! hundreds of evaluations each: minutes for all imitations of prefix tuning.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ptr::fn_addr_eq;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use softmark_checks::Case;
use softmark_checks::recognition::TaskCases;
use softmark_checks::response::with_masked_scores;
use softmark_exam::{Cut, Half, Imitate, Mistake, Question, RecordedAnswers, Response, Suite};

use crate::diagnose::answers::Imitated;
use crate::diagnose::battery_digest::digest;

/// Component that makes one mistake, two or none, with its responses to the diagnostic cases.
pub(super) struct Imitation(Source);

/// Source of the responses of an imitation.
enum Source {
    /// Function in `f64`.
    Computed {
        imitate: Box<dyn Fn(&Case) -> Response + Send + Sync>,
        /// Responses that are computed so far, in the order of the diagnostic cases.
        answers: Vec<OnceLock<Imitated>>,
    },
    /// Recorded answers of a mutant, by the index of the diagnostic case; all others are the reference's.
    Recorded { answers: BTreeMap<usize, Response>, reference: Arc<Imitation>, rests: Option<Cut> },
}

impl Imitation {
    fn computed(
        imitate: impl Fn(&Case) -> Response + Send + Sync + 'static,
        questions: &[Question],
    ) -> Self {
        let answers = questions.iter().map(|_| OnceLock::new()).collect();
        Self(Source::Computed { imitate: Box::new(imitate), answers })
    }

    /// Returns the response to the diagnostic case with index `at`, in which the gradients of
    /// `cuts` do not arrive; recorded gradients are returned as they are.
    pub(super) fn answer(&self, at: usize, question: &Question, cuts: &[Cut]) -> Cow<'_, Response> {
        match &self.0 {
            Source::Computed { imitate, answers } => {
                let imitated = || Imitated::of(question, &**imitate);
                match answers.get(at) {
                    Some(known) => known.get_or_init(imitated).cut(&question.case, cuts),
                    None => Cow::Owned(imitated().cut(&question.case, cuts).into_owned()),
                }
            }
            Source::Recorded { answers, reference, rests } => match answers.get(&at) {
                Some(recorded) => Cow::Borrowed(recorded),
                None => reference.answer(at, question, rests.as_slice()),
            },
        }
    }

    /// True if gradients can be cut: those of each output are known separately.
    pub(super) fn can_be_cut(&self) -> bool {
        matches!(self.0, Source::Computed { .. })
    }
}

/// Imitation, and the gradients that do not arrive in it.
pub(super) type Cutting<'a> = (&'a Imitation, &'a [Cut]);

/// Mistake and its imitations.
pub(super) struct KnownMistake {
    pub(super) mistake: Mistake,
    /// Components that make the mistake: functions, then recorded mutants.
    pub(super) imitations: Vec<Imitation>,
    /// Components that make the mistake for one value of a switch only.
    pub(super) halves: Vec<Imitation>,
}

impl KnownMistake {
    /// Returns every imitation with the gradients `rests`, which do not arrive in a right component either, and with
    /// each cut of the mistake if it can be cut.
    pub(super) fn variants<'a>(&'a self, rests: &'a [Cut]) -> impl Iterator<Item = Cutting<'a>> {
        self.imitations.iter().flat_map(move |imitation| {
            let own = self.mistake.cuts.iter().filter(|_| imitation.can_be_cut());
            let each = std::iter::once(rests).chain(own.map(std::slice::from_ref));
            each.map(move |cuts| (imitation, cuts))
        })
    }
}

/// Imitation of two mistakes at once.
pub(super) struct KnownPair {
    pub(super) ids: [&'static str; 2],
    pub(super) imitation: Imitation,
}

/// Diagnostic cases, reference and imitations of a task.
pub(super) struct Known {
    pub(super) questions: Vec<Question>,
    pub(super) right: Arc<Imitation>,
    /// Mistakes in the order of the catalogue.
    pub(super) bank: Vec<KnownMistake>,
    pub(super) pairs: Vec<KnownPair>,
    /// Cases that students get, computed when they are needed.
    pub(super) for_students: OnceLock<TaskCases>,
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
    /// is a gradient that does not arrive and the other one can be cut.
    pub(super) fn is_known_together(&self, one: &str, other: &str) -> bool {
        let find = |id: &str| self.bank.iter().find(|it| it.mistake.id == id);
        let (Some(one), Some(other)) = (find(one), find(other)) else { return false };
        let ids = [one.mistake.id, other.mistake.id];
        let listed = self.pairs.iter().filter(|pair| ids.iter().all(|id| pair.ids.contains(id)));
        let cuts = |it: &KnownMistake, other: &KnownMistake| {
            !it.mistake.cuts.is_empty() && other.imitations.iter().all(Imitation::can_be_cut)
        };
        match listed.count() {
            0 => cuts(one, other) || cuts(other, one),
            count => count >= one.imitations.len() * other.imitations.len(),
        }
    }

    /// True if a mistake by itself may fail a check.
    pub(super) fn may_fail(&self, mistake: &str, check: &str) -> bool {
        let found = self.bank.iter().find(|it| it.mistake.id == mistake);
        found.is_some_and(|it| it.mistake.fails.may_have(check))
    }

    fn new(suite: &Suite, task: &str) -> Self {
        let builder = Builder::new(suite, task);
        let bank = (suite.mistakes)().into_iter().filter(|mistake| mistake.task == task);
        let bank = bank.map(|mistake| builder.mistake(mistake)).collect();
        let pairs = (suite.pairs)(task).into_iter();
        let computed = |imitate| Imitation::computed(imitate, &builder.questions);
        let pairs = pairs.map(|it| KnownPair { ids: it.ids, imitation: computed(it.imitate) });
        let (pairs, for_students) = (pairs.collect(), OnceLock::new());
        Self { right: builder.reference, questions: builder.questions, bank, pairs, for_students }
    }
}

/// Builder of the imitations of a task.
struct Builder<'a> {
    suite: &'a Suite,
    switches: &'static [Half],
    questions: Vec<Question>,
    reference: Arc<Imitation>,
    /// Digest of the diagnostic cases, computed if there are recorded answers.
    digest: OnceLock<String>,
}

impl<'a> Builder<'a> {
    fn new(suite: &'a Suite, task: &str) -> Self {
        let questions = (suite.battery)(task);
        let reference = Arc::new(Imitation::computed(suite.truth, &questions));
        let switches = (suite.halves)(task);
        Self { suite, switches, questions, reference, digest: OnceLock::new() }
    }

    fn mistake(&self, mistake: Mistake) -> KnownMistake {
        let computed = mistake.imitations.iter();
        let mut imitations: Vec<Imitation> =
            computed.map(|it| Imitation::computed(*it, &self.questions)).collect();
        let recordings = self.recordings(&mistake);
        let mut halves = Vec::new();
        for (half, on) in self.switches.iter().flat_map(|half| [(*half, true), (*half, false)]) {
            halves.extend(mistake.imitations.iter().map(|imitate| {
                let partly = halved(half, on, *imitate, self.suite.truth);
                Imitation::computed(partly, &self.questions)
            }));
            let has_value = |at: &usize| {
                self.questions.get(*at).is_some_and(|question| half(&question.case) == on)
            };
            halves.extend(recordings.iter().map(|recorded| {
                let answers = recorded.iter().filter(|(at, _)| has_value(at));
                self.recorded(answers.map(|(at, response)| (*at, response.clone())).collect())
            }));
        }
        imitations.extend(recordings.into_iter().map(|answers| self.recorded(answers)));
        KnownMistake { mistake, imitations, halves }
    }

    fn recorded(&self, answers: BTreeMap<usize, Response>) -> Imitation {
        let reference = Arc::clone(&self.reference);
        Imitation(Source::Recorded { answers, reference, rests: self.suite.rests })
    }

    /// Returns the recorded answers of a mistake. Those that cannot be read, and stale ones, are left out: they must
    /// name nothing, and an audit reports them.
    fn recordings(&self, mistake: &Mistake) -> Vec<BTreeMap<usize, Response>> {
        let parsed =
            mistake.recordings.iter().filter_map(|it| RecordedAnswers::parse(it.text).ok());
        let digest = || self.digest.get_or_init(|| digest(&self.questions));
        let current = parsed.filter(|recorded| recorded.battery == *digest());
        let scores = |(at, response)| (at, with_masked_scores(response));
        current.map(|recorded| recorded.answers.into_iter().map(scores).collect()).collect()
    }
}

/// Returns a component that makes a mistake if the switch `half` has the value `on`, and is right
/// otherwise.
fn halved(half: Half, on: bool, imitate: Imitate, truth: Imitate) -> impl Fn(&Case) -> Response {
    move |case| if half(case) == on { imitate(case) } else { truth(case) }
}

#[cfg(test)]
mod tests {
    use softmark_checks::Array;
    use softmark_exam::Recording;

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
        fn refuses(_: &Case) -> Response {
            Response::Refused
        }
        let suite = &BUILT_IN.suites()[0];
        let task = (suite.mistakes)()[0].task;
        let flawed = Suite { truth: refuses, ..*suite };
        assert!(!Arc::ptr_eq(&Known::of(suite, task), &Known::of(&flawed, task)));
    }

    fn builder(task: &str) -> Builder<'static> {
        Builder::new(&BUILT_IN.suites()[0], task)
    }

    /// Returns a mistake that a file with this text describes.
    fn recorded(text: String) -> Mistake {
        let recordings = vec![Recording { patch: "mutant", text: text.leak() }].leak();
        let template = (BUILT_IN.suites()[0].mistakes)()[0];
        Mistake { id: "recorded", imitations: &[], cuts: &[], recordings, ..template }
    }

    fn text(battery: String, answers: BTreeMap<usize, Response>) -> String {
        RecordedAnswers { battery, answers }.to_text()
    }

    #[test]
    fn recorded_answers_replace_those_of_the_reference() {
        let builder = builder("learned-position");
        let digest = digest(&builder.questions);
        let answers = BTreeMap::from([
            (1, Response::Panicked),
            (2, Response::output(Array::full(&[1], -1e9))),
        ]);
        let known = builder.mistake(recorded(text(digest, answers)));
        let [mutant] = known.imitations.as_slice() else { panic!("one mutant is recorded") };
        let answer = |at: usize| {
            let cut: Cut = |_, _, _| true;
            mutant.answer(at, &builder.questions[at], &[cut]).into_owned()
        };
        assert_eq!(answer(1), Response::Panicked);
        assert_eq!(answer(2), Response::output(Array::full(&[1], f64::NEG_INFINITY)));
        for at in (0..builder.questions.len()).filter(|at| ![1, 2].contains(at)) {
            let right = builder.reference.answer(at, &builder.questions[at], &[]);
            assert_eq!(answer(at), *right, "recorded gradients are not cut");
        }
    }

    #[test]
    fn stale_and_invalid_recordings_are_ignored() {
        let builder = builder("learned-position");
        let answers = BTreeMap::from([(0, Response::Panicked)]);
        for text in [text("stale".to_owned(), answers), "{}".to_owned()] {
            let known = builder.mistake(recorded(text));
            assert!(known.imitations.is_empty() && known.halves.is_empty());
        }
    }

    #[test]
    fn halves_of_a_recording_are_wrong_for_one_value_of_the_switch() {
        let builder = builder("classifier");
        let [switch] = builder.switches else { panic!("one switch") };
        let all = (0..builder.questions.len()).map(|at| (at, Response::Nothing)).collect();
        let known = builder.mistake(recorded(text(digest(&builder.questions), all)));
        let [on, off] = known.halves.as_slice() else { panic!("a half for each value") };
        for (at, question) in builder.questions.iter().enumerate() {
            let is_wrong = |half: &Imitation| *half.answer(at, question, &[]) == Response::Nothing;
            let is_on = switch(&question.case);
            assert_eq!((is_wrong(on), is_wrong(off)), (is_on, !is_on), "{}", question.case.label);
        }
    }

    #[test]
    fn cut_of_another_mistake_is_unknown_for_a_recording() {
        let builder = builder("learned-position");
        let file = text(digest(&builder.questions), BTreeMap::from([(0, Response::Panicked)]));
        let of = |id: &str| (builder.suite.mistakes)().into_iter().find(|it| it.id == id).unwrap();
        let mistakes = [of("learned-detached"), of("learned-from-one"), recorded(file)];
        let known = Known {
            bank: mistakes.map(|it| builder.mistake(it)).into(),
            questions: builder.questions,
            right: builder.reference,
            pairs: Vec::new(),
            for_students: OnceLock::new(),
        };
        assert!(known.is_known_together("learned-detached", "learned-from-one"));
        assert!(!known.is_known_together("learned-detached", "recorded"));
        assert!(!known.is_known_together("learned-from-one", "recorded"));
    }
}
