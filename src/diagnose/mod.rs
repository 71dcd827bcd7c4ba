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
mod ask;
mod battery_digest;
mod candidates;
mod for_students;
mod known;
mod name;
mod reading;
mod recording;
mod rule;

pub use for_students::{for_students, recognised};
pub(crate) use name::name_within;
pub use name::{Named, contradictions, differences, name_mistakes};
pub use recording::{RecordingState, record};

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::sync::Arc;

    use softmark_checks::Case;
    use softmark_checks::response::same;
    use softmark_exam::{Cut, Question, Response, Suite};

    use crate::diagnose::known::Imitation;
    use crate::suite::BUILT_IN;

    use crate::diagnose::known::{Known, KnownMistake};

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
        let told = a.is_numbers() || b.is_numbers() || (a.is_error() && b.is_error());
        told && !same(a, b) && !same(b, a)
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
            let refused = way.answer(*at).is_error() && right.answer(*at).is_numbers();
            let is_control =
                |n: &usize| ask_alike(case(*n), case(*at)) && way.answer(*n).is_numbers();
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
                    let given = way.answer(*at);
                    differ(&given, &right.answer(*at)) && given.is_numbers()
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
