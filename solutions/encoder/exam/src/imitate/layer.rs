//! The encoder layer by changeable rules, with right sublayers inside.

use attention_exam::imitate::attention;
use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::limits::has_uneven_heads;

use crate::imitate::algebra::{DROPS, Dropping, NORM, Norm, drop, linear, norm, sum, turned};
use crate::imitate::feed_forward;
use crate::oracle::without_stand_ins;
use crate::truth::is_misfit;

/// Where the norms stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Where the config says, as they should.
    Configured,
    /// After the sums.
    Post,
    /// Before the sublayers.
    Pre,
    /// Where the config says otherwise.
    Swapped,
    /// Nowhere.
    Nowhere,
}

/// What a sublayer's output is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// What went into the sublayer, before any norm: as it should.
    Stream,
    /// Nothing.
    Nothing,
    /// What the sublayer was given, norm included.
    Normed,
    /// What went into the layer.
    Input,
    /// The sublayer's own output.
    Itself,
    /// What the attention gave.
    Attended,
}

/// Whose parameters the two norms have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Each its own, as it should.
    Own,
    /// Both those of the first.
    First,
    /// Both those of the second.
    Second,
    /// Each the other's.
    Swapped,
}

/// What mask the attention gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mask {
    /// The one that came in, as it should.
    Passed,
    /// One that hides nothing.
    Open,
    /// One that hides what may be seen.
    Inverted,
}

/// What becomes of the heads between the weights and the projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// Each has its own weights and adds its own channels, as it should.
    Each,
    /// All have the weights of the first.
    LikeTheFirst,
    /// The last adds zeros.
    LastSilent,
    /// They stand in the opposite order.
    Reversed,
    /// They are not projected.
    Bare,
}

/// In which order the sublayers come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Attention first, as it should.
    AttentionFirst,
    /// The network first.
    FeedForwardFirst,
    /// Both from the layer's input.
    Parallel,
    /// Attention alone.
    AttentionAlone,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub struct Rules {
    pub placement: Placement,
    pub bases: [Base; 2],
    pub norm: Norm,
    /// The one norm that follows `norm`, where the other one is right.
    pub only_norm: Option<usize>,
    pub names: Names,
    pub mask: Mask,
    pub order: Order,
    /// Whether the attention runs along the batch.
    pub across: bool,
    /// Whether a pre-norm layer ends in one more norm.
    pub ends_in_norm: bool,
    /// Which of the two sublayers' outputs are dropped.
    pub drops: [bool; 2],
    pub dropping: Dropping,
    /// For each of the two sublayers, whether it is passed the layer's `train`.
    pub tells: [bool; 2],
    /// What comes of heads that do not divide the width.
    pub uneven: Response,
    /// Whether views that are not contiguous are refused.
    pub refuses_strided: bool,
    /// Whether what comes out is in double precision.
    pub in_f64: bool,
    pub attention: attention::Rules,
    pub heads: Heads,
    pub feed_forward: feed_forward::Rules,
}

/// The right rules.
pub const RIGHT: Rules = Rules {
    placement: Placement::Configured,
    bases: [Base::Stream; 2],
    norm: NORM,
    only_norm: None,
    names: Names::Own,
    mask: Mask::Passed,
    order: Order::AttentionFirst,
    across: false,
    ends_in_norm: false,
    drops: [true; 2],
    dropping: DROPS,
    tells: [true; 2],
    uneven: Response::Refused,
    refuses_strided: false,
    in_f64: false,
    attention: attention::RIGHT,
    heads: Heads::Each,
    feed_forward: feed_forward::RIGHT,
};

/// What self-attention with the parameters below `under` gives, and its weights `[B, H, T, T]` before any
/// of them is dropped in training.
pub(crate) fn attended(
    rules: &Rules,
    case: &Case,
    under: &str,
    mask: &Array,
    call: u64,
    x: &Array,
) -> (Array, Array) {
    let heads = case.get_size("heads").max(1);
    let width = x.dim(2) / heads;
    let split = |name: &str| {
        let projected = linear(case, &format!("{under}self_attn.{name}"), true, x);
        Array::from_fn(&[x.dim(0), heads, x.dim(1), width], |at| match *at {
            [b, h, t, c] => projected.at(&[b, t, h * width + c]),
            _ => f64::NAN,
        })
    };
    let (q, k, v) = (split("q_proj"), split("k_proj"), split("v_proj"));
    let t = x.dim(1);
    let seen = Array::from_fn(&[x.dim(0), 1, t, t], |at| match *at {
        [b, _, _, j] => mask.at(&[b, j]),
        _ => f64::NAN,
    });
    let (_, weights) = attention::attend(&rules.attention, &q, &k, &v, Some(&seen));
    let weights = match rules.heads {
        Heads::LikeTheFirst => Array::from_fn(weights.shape(), |at| match *at {
            [b, _, i, j] => weights.at(&[b, 0, i, j]),
            _ => f64::NAN,
        }),
        Heads::Each | Heads::LastSilent | Heads::Reversed | Heads::Bare => weights,
    };
    let dropped = drop(DROPS, case, call, &weights);
    let merged = Array::from_fn(x.shape(), |at| match *at {
        [b, i, c] => {
            let head = match rules.heads {
                Heads::LastSilent if c / width + 1 == heads => return 0.0,
                Heads::Reversed => heads - 1 - c / width,
                Heads::Each | Heads::LikeTheFirst | Heads::LastSilent | Heads::Bare => c / width,
            };
            (0..t).map(|j| dropped.at(&[b, head, i, j]) * v.at(&[b, head, j, c % width])).sum()
        }
        _ => f64::NAN,
    });
    let output = match rules.heads {
        Heads::Bare => merged,
        Heads::Each | Heads::LikeTheFirst | Heads::LastSilent | Heads::Reversed => {
            linear(case, &format!("{under}self_attn.out_proj"), true, &merged)
        }
    };
    (output, weights)
}

/// What one layer makes of a stream: its rules, and where its parameters stand.
struct Layer<'a> {
    rules: &'a Rules,
    case: &'a Case,
    under: &'a str,
    mask: &'a Array,
    /// Tells this layer's dropout from that of others.
    call: u64,
}

impl Layer<'_> {
    fn norm(&self, n: usize, x: &Array) -> Array {
        let name = match (self.rules.names, n) {
            (Names::Own, 0) | (Names::First, _) | (Names::Swapped, 1) => "norm1",
            (Names::Own | Names::Second | Names::Swapped, _) => "norm2",
        };
        let is_right = self.rules.only_norm.is_some_and(|only| only != n);
        let rules = if is_right { NORM } else { self.rules.norm };
        norm(rules, self.case, &format!("{}{name}", self.under), x)
    }

    /// The case as a sublayer hears of it.
    fn told(&self, sublayer: usize) -> Case {
        let hears = self.rules.tells.get(sublayer).copied().unwrap_or(true);
        if hears { self.case.clone() } else { self.case.with_size("train", 0) }
    }

    /// What attention gives, and its weights.
    fn attended(&self, x: &Array) -> (Array, Array) {
        let Self { rules, under, mask, call, .. } = *self;
        let case = &self.told(0);
        let mask = match rules.mask {
            Mask::Passed => mask.clone(),
            Mask::Open => mask.map(|_| 1.0),
            Mask::Inverted => mask.map(|bit| 1.0 - bit),
        };
        if rules.across {
            let swapped = Array::full(&[x.dim(1), x.dim(0)], 1.0);
            let (output, weights) = attended(rules, case, under, &swapped, call, &turned(x));
            (turned(&output), weights)
        } else {
            attended(rules, case, under, &mask, call, x)
        }
    }

    /// The `n`-th sublayer's output, dropped.
    fn sublayer(&self, is_attention: bool, x: &Array) -> Array {
        let Self { rules, case, under, call, .. } = *self;
        let output = if is_attention {
            self.attended(x).0
        } else {
            let under = format!("{under}feed_forward.");
            feed_forward::pass(&rules.feed_forward, &self.told(1), &under, call + 1, x)
        };
        let drops = if is_attention { rules.drops[0] } else { rules.drops[1] };
        let place = if is_attention { 2 } else { 3 };
        if drops { drop(rules.dropping, case, call + place, &output) } else { output }
    }

    /// Whether norms stand before the sublayers; `None` where they stand nowhere.
    fn is_pre(&self) -> Option<bool> {
        match (self.rules.placement, self.case.get_size("pre_norm") == 1) {
            (Placement::Configured, pre) => Some(pre),
            (Placement::Swapped, pre) => Some(!pre),
            (Placement::Pre, _) => Some(true),
            (Placement::Post, _) => Some(false),
            (Placement::Nowhere, _) => None,
        }
    }

    /// What the `n`-th sublayer is given.
    fn given(&self, n: usize, stream: &Array) -> Array {
        if self.is_pre() == Some(true) { self.norm(n, stream) } else { stream.clone() }
    }

    /// One sublayer with its norm and its residual connection: the `n`-th of the layer.
    fn step(
        &self,
        n: usize,
        is_attention: bool,
        (input, stream): (&Array, &Array),
        before: Option<&Array>,
    ) -> (Array, Array) {
        let pre = self.is_pre();
        let given = self.given(n, stream);
        let output = self.sublayer(is_attention, &given);
        let base = if n == 0 { self.rules.bases[0] } else { self.rules.bases[1] };
        let added = match base {
            Base::Stream => sum(stream, &output),
            Base::Nothing => output.clone(),
            Base::Normed => sum(&given, &output),
            Base::Input => sum(input, &output),
            Base::Itself => sum(&output, &output),
            Base::Attended => sum(before.unwrap_or(stream), &output),
        };
        (if pre == Some(false) { self.norm(n, &added) } else { added }, output)
    }

    fn pass(&self, x: &Array) -> Array {
        let rules = self.rules;
        let y = match rules.order {
            Order::AttentionFirst => {
                let (y, attended) = self.step(0, true, (x, x), None);
                self.step(1, false, (x, &y), Some(&attended)).0
            }
            Order::FeedForwardFirst => {
                let (y, fed) = self.step(0, false, (x, x), None);
                self.step(1, true, (x, &y), Some(&fed)).0
            }
            Order::Parallel => {
                let (y, _) = self.step(0, true, (x, x), None);
                let (_, fed) = self.step(1, false, (x, x), None);
                let both = sum(&y, &fed);
                if self.case.get_size("pre_norm") == 1 { both } else { self.norm(1, &both) }
            }
            Order::AttentionAlone => self.step(0, true, (x, x), None).0,
        };
        let pre = self.case.get_size("pre_norm") == 1;
        if rules.ends_in_norm && pre { self.norm(1, &y) } else { y }
    }
}

/// What comes out of a layer by these rules.
pub fn pass(
    rules: &Rules,
    case: &Case,
    (under, call): (&str, u64),
    mask: &Array,
    x: &Array,
) -> Array {
    Layer { rules, case, under, mask, call }.pass(x)
}

/// What comes out of a layer by these rules outside of training, and the weights of its attention.
pub fn observed(rules: &Rules, case: &Case) -> (Array, Array) {
    let (x, mask) = (case.get("x"), case.get("mask"));
    let layer = Layer { rules, case, under: "", mask: &mask, call: 0 };
    let weights = layer.attended(&layer.given(0, &x)).1;
    (layer.pass(&x), weights)
}

/// What a layer by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let case = &without_stand_ins(case);
    if has_uneven_heads(case) {
        return rules.uneven.clone();
    }
    if is_misfit(case) || rules.refuses_strided && case.inputs.iter().any(|input| input.strided) {
        return Response::Refused;
    }
    if rules.in_f64 {
        return Response::OtherType;
    }
    Response::output(pass(rules, case, ("", 0), &case.get("mask"), &case.get("x")))
}
