//! Costs of mistakes: a mistake in one line takes away at most half of its task's points, so that the
//! right rest of the code still earns points.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use softmark::assignment::load;
use softmark::fixtures::{Role, mutants};

use crate::support::exams::{project, suites};
use crate::support::pack::HOME;

/// Mutants that cost more than half of their task, and why nothing can be seen of what is right.
const MORE_THAN_HALF: [(&str, &[(&str, &str)]); 5] = [
    (
        "attention",
        &[
            ("attention-across-batch", "no sequence of more than one position comes out right"),
            ("encoding-never-added", "nothing is encoded"),
            ("encoding-padded-to-max-len", "the output has another shape than the task asks for"),
            ("learned-never-asked", "nothing is learned"),
            ("learned-padded-to-max-len", "the output has another shape than the task asks for"),
            ("output-drawn-anew", "nothing is computed"),
            (
                "pooled-across-texts",
                "the output has one row per position instead of one per text: no question is answered",
            ),
            ("pooling-ignores-mask", "the task is to look at the mask"),
            ("pooling-mask-inverted", "the task is to look at the mask"),
            ("sinusoidal-in-f64", "the output is of a type that nothing after it takes"),
        ],
    ),
    (
        "debugging",
        &[
            ("answers-name-other-bugs", "every answer is another one"),
            ("answers-name-other-illnesses", "every answer is another one"),
            ("answers-name-other-lines", "every answer is another one"),
            (
                "captured-under-an-alias",
                "`during` ends in an error, and nothing is ever given back",
            ),
            ("detectors-always-say-bug", "what the detectors say tells nothing"),
            ("detectors-at-random", "what the detectors say tells nothing"),
            ("detectors-beyond-the-eighth", "none of the detectors that find bugs is run"),
            ("detectors-by-turns", "what the detectors say tells nothing"),
            ("detectors-never-say-bug", "what the detectors say tells nothing"),
            ("detectors-panic-at-bugs", "what the detectors say tells nothing"),
            (
                "detectors-want-equal-bits",
                "a detector that objects to right layers catches nothing",
            ),
            ("hook-dropped-at-once", "nothing is captured"),
            (
                "layer-in-double-precision-of-encoder",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
        ],
    ),
    (
        "encoder",
        &[
            ("best-counted-from-one", "every trial that it names is another one"),
            ("combinations-missing", "the task is to try every combination"),
            (
                "layer-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            (
                "network-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            ("output-turned", "the output has another shape than the task asks for"),
            ("texts-centred-together", "what comes out for a text is made of other texts"),
            (
                "texts-pooled-together",
                "its outputs are one row a position instead of one a text: no question is answered",
            ),
        ],
    ),
    (
        "modern",
        &[
            (
                "block-attention-called-attention",
                "its parameters have other names, so no weights can be loaded",
            ),
            (
                "block-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            ("block-positions-flattened", "the output has another shape than the task asks for"),
            ("gqa-heads-left-apart", "the output has another shape than the task asks for"),
            (
                "gqa-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            (
                "gqa-kv-projections-too-wide",
                "its parameters have other shapes, so no weights can be loaded",
            ),
            ("gqa-merged-across-batch", "what comes out for an example is made of other examples"),
            (
                "gqa-output-called-o-proj",
                "its parameters have other names, so no weights can be loaded",
            ),
            (
                "gqa-own-position-hidden",
                "the first position is NaN, and so is every output after it",
            ),
            (
                "rms-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            ("rms-positions-flattened", "the output has another shape than the task asks for"),
            (
                "rms-weight-called-scale",
                "its parameters have other names, so no weights can be loaded",
            ),
            ("rms-weight-ignored", "the only parameter is not used"),
            ("rotary-added", "it is no rotation"),
            ("rotary-angle-by-head", "no position is distinguished from another"),
            (
                "rotary-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            ("rotary-layouts-mixed", "it is no rotation"),
            ("rotary-result-transposed", "the output has another shape than the task asks for"),
            ("rotary-second-from-first", "it is no rotation"),
            ("rotary-second-half-unrotated", "it is no rotation"),
            ("rotary-sign-missing", "it is no rotation"),
            (
                "rotary-tables-in-bfloat16",
                "its angles have three digits, so lengths and distances come out wrong",
            ),
            (
                "swiglu-in-double-precision",
                "its outputs are f64, and nothing that is handed f32 can work on with them",
            ),
            (
                "swiglu-names-of-llama",
                "its parameters have other names, so no weights can be loaded",
            ),
            (
                "swiglu-output-as-wide-as-hidden",
                "the output has another shape than the task asks for",
            ),
            (
                "swiglu-weights-input-first",
                "its parameters have other shapes, so no weights can be loaded",
            ),
            ("swiglu-with-biases", "it asks for parameters that do not exist"),
        ],
    ),
    (
        "prefix-tuning",
        &[
            ("texts-centred-together", "the logits of a text are made of other texts"),
            ("tuned-mask-inverted", "no word of a text is read"),
            (
                "validated-before-the-first-epoch",
                "one loss more than there are epochs is recorded, and each is assigned to the wrong epoch",
            ),
        ],
    ),
];

#[test]
fn a_slip_of_one_line_costs_at_most_half_of_its_task() {
    let known: BTreeMap<&str, &[(&str, &str)]> = MORE_THAN_HALF.into_iter().collect();
    let mut wrong = String::new();
    for suite in suites() {
        let known = known.get(suite.id).copied().unwrap_or_default();
        let known: BTreeSet<String> = known.iter().map(|(name, _)| (*name).to_owned()).collect();
        let costly = costly(suite.id);
        for name in known.difference(&costly) {
            writeln!(wrong, "{}: {name} costs no more than half, or is not there", suite.id)
                .unwrap();
        }
        for name in costly.difference(&known) {
            writeln!(wrong, "{}: {name} costs more than half", suite.id).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The mutants that fail checks of more than half of their task's points. Checks that wait for a failed one are not
/// among them; `grade audit` counts those too.
fn costly(assignment: &str) -> BTreeSet<String> {
    let home = Path::new(HOME);
    let tasks = load(home, assignment).unwrap().tasks;
    let mut costly = BTreeSet::new();
    for fixture in mutants(project(), assignment).unwrap() {
        let Role::Mutant(expect) = fixture.role else { panic!("{:?}", fixture.role) };
        let task = tasks.iter().find(|task| task.id == expect.task).unwrap();
        let lost = task.checks.iter().filter(|check| expect.fails.contains(&check.id));
        let lost: u32 = lost.map(|check| check.points.hundredths()).sum();
        if 2 * lost > task.points.hundredths() {
            costly.insert(fixture.name);
        }
    }
    costly
}
