//! The bugs of the bank, by what they have in common.

use attention_exam::imitate::attention::{self, Masking, Softmax};
use encoder_exam::imitate::algebra::{NORM, Norm, Over};
use encoder_exam::imitate::feed_forward::{self, Activation, Stands};
use encoder_exam::imitate::layer::{
    Base, Heads, Mask, Names, Order, Placement, RIGHT, Rules, observed,
};
use softmark_checks::{Array, Case};

use crate::bank::company;

/// Mutants that have something in common: one check.
#[derive(Debug)]
pub(crate) struct Family {
    /// The check's id.
    pub(crate) check: &'static str,
    /// The check's claim.
    pub(crate) title: &'static str,
    /// All of them.
    pub(crate) mutants: &'static [Mutant],
}

/// A layer with one bug.
#[derive(Debug)]
pub(crate) struct Mutant {
    /// What one would notice of it.
    pub(crate) symptom: &'static str,
    does: Does,
}

/// Behaviour of a mutant.
#[derive(Debug)]
enum Does {
    /// It follows other rules.
    Rules(fn() -> Rules),
    /// It makes this output and these weights of an experiment.
    Observed(fn(&Case) -> (Array, Array)),
}

impl Mutant {
    /// Output and attention weights of the mutant, in the shapes that `Observed` documents.
    pub(crate) fn observed(&self, case: &Case) -> (Array, Array) {
        match self.does {
            Does::Rules(rules) => observed(&rules(), case),
            Does::Observed(observed) => observed(case),
        }
    }
}

const fn mutant(symptom: &'static str, rules: fn() -> Rules) -> Mutant {
    Mutant { symptom, does: Does::Rules(rules) }
}

const fn mutant_of(symptom: &'static str, observed: fn(&Case) -> (Array, Array)) -> Mutant {
    Mutant { symptom, does: Does::Observed(observed) }
}

fn attends(attention: attention::Rules) -> Rules {
    Rules { attention, ..RIGHT }
}

fn masks(masking: Masking) -> Rules {
    attends(attention::Rules { masking, ..attention::RIGHT })
}

fn scales(scale: fn(f64) -> f64) -> Rules {
    attends(attention::Rules { scale, ..attention::RIGHT })
}

fn over(softmax: Softmax) -> Rules {
    attends(attention::Rules { softmax, ..attention::RIGHT })
}

fn based(bases: [Base; 2]) -> Rules {
    Rules { bases, ..RIGHT }
}

fn feeds(feed_forward: feed_forward::Rules) -> Rules {
    Rules { feed_forward, ..RIGHT }
}

/// All families, in the order of the checks.
pub(crate) const FAMILIES: [Family; 8] = [
    Family {
        check: "detectors/residuals",
        title: "layers are caught that lose what went into them",
        mutants: &[
            mutant("deep stacks of it stay at chance, and all tokens grow alike", || {
                based([Base::Nothing, Base::Itself])
            }),
            mutant("deep stacks of it learn badly: tokens forget what they were", || {
                based([Base::Nothing, Base::Stream])
            }),
            mutant("what attention found out does not get past the network", || {
                based([Base::Stream, Base::Nothing])
            }),
            mutant("the output has the input in it, and no trace of attention", || {
                based([Base::Stream, Base::Input])
            }),
            mutant("after the second half, the input is lost", || {
                based([Base::Stream, Base::Attended])
            }),
        ],
    },
    Family {
        check: "detectors/padding",
        title: "layers are caught in which padding reaches real tokens",
        mutants: &[
            mutant("accuracy depends on how far texts are padded", || Rules {
                mask: Mask::Open,
                ..RIGHT
            }),
            mutant("texts without padding come out strange, and padded ones all alike", || Rules {
                mask: Mask::Inverted,
                ..RIGHT
            }),
            mutant("padding has a little less weight than real tokens have", || {
                masks(Masking::Adds(1.0, 0.0))
            }),
            mutant("padding has a weight of a few millionths", || masks(Masking::SetsTo(-10.0))),
            mutant("with padding, the weights of a query sum to less than one", || {
                masks(Masking::AfterSoftmax)
            }),
        ],
    },
    Family {
        check: "detectors/scores",
        title: "layers are caught whose scores are scaled in another way",
        mutants: &[
            mutant("attention is sharper than it should be, the more so in wide heads", || {
                scales(|_| 1.0)
            }),
            mutant("attention is flatter than it should be", || scales(|k| 1.0 / k)),
            mutant("attention looks at a single token nearly always", || scales(f64::sqrt)),
        ],
    },
    Family {
        check: "detectors/softmax",
        title: "layers are caught whose weights are no shares of the keys",
        mutants: &[
            mutant("the rows of the heat map do not sum to one", || over(Softmax::OverQueries)),
            mutant("where one head looks, no other does", || over(Softmax::OverHeads)),
            mutant("weights are negative, or larger than one", || over(Softmax::Missing)),
        ],
    },
    Family {
        check: "detectors/batch",
        title: "layers are caught in which texts see one another",
        mutants: &[
            mutant_of("a text gets another answer in other company", company::along_the_batch),
            mutant_of("two texts answer otherwise together than alone", company::as_one_text),
        ],
    },
    Family {
        check: "detectors/heads",
        title: "layers are caught whose heads do not each do their part",
        mutants: &[
            mutant("all heads have the same heat map", || Rules {
                heads: Heads::LikeTheFirst,
                ..RIGHT
            }),
            mutant("one head can be changed at will, and nothing comes of it", || Rules {
                heads: Heads::LastSilent,
                ..RIGHT
            }),
            mutant("the heat maps are right, and what is made of them is not", || Rules {
                heads: Heads::Reversed,
                ..RIGHT
            }),
            mutant(
                "a map of the attention can be changed at will, and nothing comes of it",
                || Rules { heads: Heads::Bare, ..RIGHT },
            ),
        ],
    },
    Family {
        check: "detectors/norms",
        title: "layers are caught whose norms stand or work in another way",
        mutants: &[
            mutant("it trains like the other of the two placements", || Rules {
                placement: Placement::Swapped,
                ..RIGHT
            }),
            mutant("numbers grow from layer to layer", || Rules {
                placement: Placement::Nowhere,
                ..RIGHT
            }),
            mutant("one norm's parameters can be changed at will, and nothing comes of it", || {
                Rules { names: Names::First, ..RIGHT }
            }),
            mutant("a token's channels depend on the length of its text", || Rules {
                norm: Norm { over: Over::Positions, ..NORM },
                ..RIGHT
            }),
            mutant("a number added to all channels does not go away", || Rules {
                norm: Norm { centered: false, ..NORM },
                ..RIGHT
            }),
        ],
    },
    Family {
        check: "detectors/network",
        title: "layers are caught whose feed-forward network is another one",
        mutants: &[
            mutant("doubling what goes into the network doubles what it adds", || {
                feeds(feed_forward::Rules {
                    activation: Activation::Missing,
                    ..feed_forward::RIGHT
                })
            }),
            mutant("small numbers go through the network otherwise than they should", || {
                feeds(feed_forward::Rules {
                    activation: Activation::Swapped,
                    ..feed_forward::RIGHT
                })
            }),
            mutant("the network never takes anything away", || {
                feeds(feed_forward::Rules { stands: Stands::After, ..feed_forward::RIGHT })
            }),
            mutant("the network can be changed at will, and nothing comes of it", || Rules {
                order: Order::AttentionAlone,
                ..RIGHT
            }),
            mutant("the network adds the same, whatever attention found out", || Rules {
                order: Order::Parallel,
                ..RIGHT
            }),
        ],
    },
];
