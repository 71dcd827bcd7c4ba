//! The questions that tell the mistakes of the assignment apart.

use debugging_checks::cases::{CaptureShape, MODULES, WeightsShape};
use softmark_checks::Array;
use softmark_exam::{Aspect, Question};

/// Always the same numbers: what is named must not hang on the seed of a run.
const SEED: u64 = 20;

/// The questions of a task; there are none about answers and about detectors, which name no mistake.
pub(super) fn battery(task: &str) -> Vec<Question> {
    match task {
        "capture" => capture(),
        "statistics" => statistics(),
        "encoder-layer" => (encoder_exam::SUITE.battery)(task),
        _ => Vec::new(),
    }
}

/// Three calls of other sizes, so that none is taken for another.
fn calls() -> CaptureShape {
    CaptureShape {
        batches: vec![2, 1, 3],
        around: false,
        h: 2,
        t: 2,
        module: 0,
        fails: false,
        repeats: false,
        unnamed: false,
        data: 0,
    }
}

fn capture() -> Vec<Question> {
    let plain = calls().case(SEED);
    let around = CaptureShape { around: true, module: 1, data: 1, ..calls() }.case(SEED);
    let fails = CaptureShape { fails: true, ..calls() }.case(SEED);
    let absent = plain.with_size("module", MODULES.len());
    let repeats = CaptureShape { repeats: true, batches: vec![2; 3], ..calls() }.case(SEED);
    let none = CaptureShape { around: true, batches: Vec::new(), ..calls() }.case(SEED);
    let unnamed = CaptureShape { unnamed: true, ..calls() }.case(SEED);
    // Calls of one shape that show different numbers.
    let alike = CaptureShape { batches: vec![2, 2, 1, 2], t: 1, data: 2, ..calls() }.case(SEED);
    let all = [plain, around, fails, absent, repeats, none, unnamed, alike];
    all.map(|case| Question::new(Aspect::Plain, case)).to_vec()
}

fn statistics() -> Vec<Question> {
    let even = WeightsShape { texts: vec![3, 3], h: 2, t: 3, data: 0 };
    let uneven = WeightsShape { texts: vec![4, 1], h: 2, t: 5, data: 1 };
    let plain = even.case(SEED);
    let one_key = even.of(|at| if matches!(*at, [_, _, _, 0]) { 1.0 } else { 0.0 });
    let padded = uneven.case(SEED);
    let weights = padded.get("weights");
    let mask = padded.get("mask");
    let no_number = padded.with(
        "weights",
        Array::from_fn(weights.shape(), |at| match *at {
            [b, _, query, _] if mask.at(&[b, query]) == 0.0 => f64::NAN,
            _ => weights.at(at),
        }),
    );
    let empty = padded.with("mask", mask.map(|_| 0.0));
    let one_empty = WeightsShape { texts: vec![3, 0, 2], h: 2, t: 4, data: 2 }.case(SEED);
    vec![
        Question::new(Aspect::Plain, plain),
        Question::new(Aspect::Plain, one_key),
        Question::new(Aspect::Masked, padded.clone()),
        Question::new(Aspect::Masked, no_number),
        Question::new(Aspect::Strided, padded.strided()),
        Question::new(Aspect::Empty, one_empty),
        Question::new(Aspect::Limit, empty),
    ]
}
