//! Training to a band: the classifier on topics that it has never seen.

use softmark_common::data::topics;
use softmark_exam::check::Plan;
use softmark_exam::examples::split;
use softmark_exam::initial::Initials;
use softmark_exam::{Program, Training, WORSE_THAN_A_GUESS};
use softmark_wire::Recipe;

/// Texts to learn from, and to be asked about.
const TRAIN: usize = 4000;
const UNSEEN: usize = 600;

/// At least as long as any text.
const MAX_LEN: usize = 32;

/// `D` and `H`.
const WIDTH: usize = 64;
const HEADS: usize = 4;

/// Mean loss of an epoch below which the training ends.
const STOPPING_THRESHOLD: f64 = 0.15;

/// The task.
pub(crate) const TRAINING: Training = Training {
    task: "training",
    examples: "texts",
    program: Program::Own,
    with_reference: Some(Program::WithReference("classifier")),
    parts: &["classifier"],
    below: &["scaled-dot-product", "multi-head", "learned-position", "masked-pooling"],
    // Four classes: five deviations above guessing at 600 texts.
    least_learned: Some(0.34),
    plan,
    levels: &[
        WORSE_THAN_A_GUESS,
        (
            0.18,
            "A guess is right in 25 of 100, so hardly anything was learned. Look at the checks on \
             gradients first: what no gradient reaches stays what it was.",
        ),
        (
            0.35,
            "Every text names two things, and whoever cannot tell which of them counts is right in \
             about half. Look at what tells your model the order of the words, and at what each \
             word's position may look at.",
        ),
        (
            0.7,
            "The order of the words is seen, but not all of it is learned. If the training loss stayed \
             high, training is slow or unsteady: look at what stands between the attention and the \
             loss, and at the scale of what goes in. If it came close to 0, the examples were learned \
             by heart: look at what your model can tell a text by besides its words and their order.",
        ),
    ],
};

/// The parameters of the classifier by the names of the handout.
fn initials(vocabulary: usize) -> Initials {
    let mut initials = Initials::default();
    initials.embedding("token_embedding", vocabulary, WIDTH);
    initials.embedding("position_embedding", MAX_LEN, WIDTH);
    for projection in ["q_proj", "k_proj", "v_proj", "out_proj"] {
        initials.linear(&format!("self_attn.{projection}"), WIDTH, WIDTH);
    }
    initials.linear("classifier", WIDTH, topics::CLASSES.len());
    initials
}

fn plan(seed: u64) -> Plan {
    let words = topics::vocabulary();
    let vocabulary = words.len();
    let texts = topics::generate(seed, TRAIN + UNSEEN);
    let [train, unseen] = split(&texts, &|text| words.encode(text), TRAIN);
    Plan {
        signature: &attention_checks::signatures::CLASSIFIER,
        config: vec![
            ("vocabulary", vocabulary),
            ("max_len", MAX_LEN),
            ("d_model", WIDTH),
            ("heads", HEADS),
            ("classes", topics::CLASSES.len()),
            ("norm", 0),
            ("kind", 0),
        ],
        parameters: initials(vocabulary).into_all(),
        rows_of_ids: Vec::new(),
        rows_of_classes: Vec::new(),
        frozen: Vec::new(),
        recipe: Some(Recipe {
            seed,
            epochs: 3,
            batch_size: 32,
            learning_rate: 8e-3,
            warm_up: 0.1,
            weight_decay: 0.0,
            clip_norm: 1.0,
            stopping_threshold: STOPPING_THRESHOLD,
        }),
        train,
        unseen,
        classes: &topics::CLASSES,
        vocabulary: u32::try_from(vocabulary).unwrap_or(u32::MAX),
    }
}
