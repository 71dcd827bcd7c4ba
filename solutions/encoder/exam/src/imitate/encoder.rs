//! The encoder by changeable rules, with right layers inside.

use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::limits::{has_long_texts, has_uneven_heads, has_unknown_ids};

use crate::imitate::algebra::{DROPS, Dropping, NORM, Norm, drop, norm, sum};
use crate::imitate::layer;
use crate::oracle::without_stand_ins;
use crate::truth::is_misfit;

/// How positions enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    /// Row `t` at position `t`, as they should.
    Added,
    /// Not at all.
    Missing,
    /// Row `b` at every position of example `b`.
    ByExample,
    /// Row `t + 1`, and the last row where there is none.
    FromOne,
    /// The first row everywhere.
    FirstRow,
    /// They are multiplied with the tokens.
    Multiplied,
    /// Before each layer once more.
    EachLayer,
    /// The row of the token's id.
    ByToken,
    /// From the first row again after sixteen.
    AgainAfterSixteen,
    /// Row `T − 1 − t`.
    Backwards,
    /// The last `T` rows of the table.
    FromEnd,
}

/// Which layers are run, and with whose parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layers {
    /// Each once, with its own.
    Each,
    /// As many, all with those of the first.
    FirstForAll,
    /// The first alone.
    FirstOnly,
    /// All but the last.
    AllButLast,
    /// From the last to the first.
    Backwards,
    /// Each from the embedded tokens, so that only the last one's output is left.
    FromTheStart,
    /// The outputs of all layers are added up.
    Summed,
}

/// Which final norm there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// In pre-norm encoders alone, as it should be.
    Configured,
    /// In none.
    Never,
    /// In all: where there are no parameters for it, they are asked for in vain.
    Always,
    /// Before the layers.
    First,
}

/// What becomes of ids and lengths that no table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// An error, as it should be.
    Refused,
    /// A panic.
    Panicked,
    /// The last row there is.
    Clamped,
    /// Counted on from the start.
    Wrapped,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    /// What tokens are multiplied with, by the width of the model.
    pub(crate) scale: fn(f64) -> f64,
    /// Whether the row of padding counts as zeros.
    pub(crate) clears_padding: bool,
    pub(crate) positions: Positions,
    pub(crate) layers: Layers,
    pub(crate) ends: Ends,
    pub(crate) mask: layer::Mask,
    /// Whether the mask is made of the ids: 1 where they are not 0.
    pub(crate) mask_of_ids: bool,
    pub(crate) unknown: Beyond,
    pub(crate) too_long: Beyond,
    pub(crate) dropping: Dropping,
    /// Whether the layers are told that they learn; else they are told this.
    pub(crate) tells_layers: Option<bool>,
    /// True if all layers but the first are passed `train = false`.
    pub(crate) tells_first_alone: bool,
    /// The norm after the layers.
    pub(crate) final_norm: Norm,
    /// True if an error of the layers' constructor ends in a panic.
    pub(crate) unwraps: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    scale: |_| 1.0,
    clears_padding: true,
    positions: Positions::Added,
    layers: Layers::Each,
    ends: Ends::Configured,
    mask: layer::Mask::Passed,
    mask_of_ids: false,
    unknown: Beyond::Refused,
    too_long: Beyond::Refused,
    dropping: DROPS,
    tells_layers: None,
    tells_first_alone: false,
    final_norm: NORM,
    unwraps: false,
};

fn place(beyond: Beyond, at: usize, rows: usize) -> usize {
    match beyond {
        Beyond::Clamped => at.min(rows.saturating_sub(1)),
        Beyond::Wrapped => at % rows.max(1),
        Beyond::Refused | Beyond::Panicked => at,
    }
}

fn embedded(rules: &Rules, case: &Case) -> Array {
    let (ids, tokens) = (case.get("ids"), case.get_parameter("token_embedding.weight"));
    let positions = case.get_parameter("position_embedding.weight");
    let scale = (rules.scale)(tokens.dim(1) as f64);
    let rows: Vec<usize> = (0..=tokens.dim(0) + 8).collect();
    let id = |b: usize, t: usize| {
        let value = ids.at(&[b, t]);
        rows.iter().copied().find(|row| *row as f64 == value).unwrap_or(0)
    };
    Array::from_fn(&[ids.dim(0), ids.dim(1), tokens.dim(1)], |at| match *at {
        [b, t, c] => {
            let id = id(b, t);
            let row = place(rules.unknown, id, tokens.dim(0));
            let is_cleared = id == 0 && rules.clears_padding;
            let token = if is_cleared { 0.0 } else { tokens.at(&[row, c]) * scale };
            let n = positions.dim(0);
            let position = |t: usize| positions.at(&[place(rules.too_long, t, n), c]);
            match rules.positions {
                Positions::Added | Positions::EachLayer => token + position(t),
                Positions::Missing => token,
                Positions::ByExample => token + position(b.min(n - 1)),
                Positions::FromOne => token + position((t + 1).min(n - 1)),
                Positions::FirstRow => token + position(0),
                Positions::Multiplied => token * position(t),
                Positions::ByToken => token + position(id.min(n - 1)),
                Positions::AgainAfterSixteen => token + position(t % 16),
                Positions::Backwards => token + position((ids.dim(1) - 1).saturating_sub(t)),
                Positions::FromEnd => token + position((n + t).saturating_sub(ids.dim(1))),
            }
        }
        _ => f64::NAN,
    })
}

/// What comes out of an encoder by these rules; `None` where a parameter is missing.
pub(crate) fn pass(rules: &Rules, case: &Case, mask: &Array) -> Option<Array> {
    let ids = case.get("ids");
    let mask = match (rules.mask_of_ids, rules.mask) {
        (true, _) => ids.map(|id| f64::from(u8::from(id != 0.0))),
        (false, layer::Mask::Passed) => mask.clone(),
        (false, layer::Mask::Open) => mask.map(|_| 1.0),
        (false, layer::Mask::Inverted) => mask.map(|bit| 1.0 - bit),
    };
    let pre = case.get_size("pre_norm") == 1;
    let told = match rules.tells_layers {
        Some(train) => case.with_size("train", usize::from(train)),
        None => case.clone(),
    };
    let start = drop(rules.dropping, case, 0, &embedded(rules, case));
    let start =
        if rules.ends == Ends::First && pre { norm(NORM, case, "norm", &start) } else { start };
    let n = case.get_size("layers");
    let run = |at: usize, call: u64, x: &Array| {
        let under = format!("layers.{at}.");
        let silent = rules.tells_first_alone && call > 0;
        let told = if silent { told.with_size("train", 0) } else { told.clone() };
        layer::pass(&layer::RIGHT, &told, (&under, 10 + 10 * call), &mask, x)
    };
    let (mut x, mut total) = (start.clone(), start.clone());
    let count = match rules.layers {
        Layers::FirstOnly => n.min(1),
        Layers::AllButLast => n.saturating_sub(1),
        Layers::Each
        | Layers::FirstForAll
        | Layers::Backwards
        | Layers::FromTheStart
        | Layers::Summed => n,
    };
    for at in 0..count {
        if rules.positions == Positions::EachLayer && at > 0 {
            let zero = case.with_parameter(
                "token_embedding.weight",
                &case.get_parameter("token_embedding.weight").map(|_| 0.0),
            );
            x = sum(&x, &embedded(&RIGHT, &zero));
        }
        let which = match rules.layers {
            Layers::FirstForAll => 0,
            Layers::Backwards => n - 1 - at,
            Layers::Each
            | Layers::FirstOnly
            | Layers::AllButLast
            | Layers::FromTheStart
            | Layers::Summed => at,
        };
        let from = if rules.layers == Layers::FromTheStart { &start } else { &x };
        x = run(which, at as u64, from);
        total = sum(&total, &x);
    }
    if rules.layers == Layers::Summed {
        x = total;
    }
    match (rules.ends, pre) {
        (Ends::Configured | Ends::Always, true) => Some(norm(rules.final_norm, case, "norm", &x)),
        (Ends::Configured, false) | (Ends::Never | Ends::First, _) => Some(x),
        (Ends::Always, false) => None,
    }
}

/// What an encoder by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let case = &without_stand_ins(case);
    if rules.unwraps && case.get_size("layers") > 0 && has_uneven_heads(case) {
        return Response::Panicked;
    }
    if is_misfit(case) {
        return Response::Refused;
    }
    for (is_beyond, beyond) in
        [(has_unknown_ids(case), rules.unknown), (has_long_texts(case), rules.too_long)]
    {
        match beyond {
            Beyond::Refused if is_beyond => return Response::Refused,
            Beyond::Panicked if is_beyond => return Response::Panicked,
            Beyond::Refused | Beyond::Panicked | Beyond::Clamped | Beyond::Wrapped => {}
        }
    }
    pass(rules, case, &case.get("mask")).map_or(Response::Refused, Response::output)
}
