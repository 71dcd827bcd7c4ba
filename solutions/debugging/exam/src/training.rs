//! Training to a band: the provided classifier around the repaired layer, as in the encoder assignment.

use encoder_exam::plan_of;
use softmark_exam::{Program, Training, WORSE_THAN_A_GUESS};

/// Whatever a layer breaks shows the more the deeper the stack is: of buggy layers, four now and then
/// learn a little all the same, and six do not.
const LAYERS: usize = 6;
/// Mean loss of an epoch below which the training ends. The solution answers 99.2 % or more of the unseen questions then, on
/// each of 24 seeds, after five epochs or so.
const STOPPING_THRESHOLD: f64 = 0.1;

/// The task.
pub(super) const TRAINING: Training = Training {
    task: "training",
    examples: "questions",
    program: Program::Own,
    with_reference: None,
    parts: &["encoder-layer"],
    below: &[],
    // The layer is all that is a student's, and sees neither words nor classes.
    least_learned: None,
    plan: |seed| plan_of(LAYERS, STOPPING_THRESHOLD, seed),
    levels: &[
        WORSE_THAN_A_GUESS,
        (
            0.1,
            "A guess is right in 17 of 100, so hardly anything was learned, as with the buggy layer. \
             Look at what becomes of a token on its way through both residual sums.",
        ),
        (
            0.3,
            "Every question names two things, and whoever cannot tell which of them is asked for is \
             right in about half. Look at the checks of the repaired layer, and at what each of its \
             halves adds to what.",
        ),
        (
            0.7,
            "It learns, but not everything. If the training loss stayed high, training is slow or \
             unsteady: look at the norms. If it came close to 0, the examples were learned by heart: \
             look at where dropout stands.",
        ),
    ],
};
