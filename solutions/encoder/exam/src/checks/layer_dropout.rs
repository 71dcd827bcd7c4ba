//! Dropout in an encoder layer: that of the layer itself, and that of its sublayers.

use encoder_checks::cases::{EncoderShape, encoder_shapes, layer_norm};
use encoder_checks::encoder_layer::{pass, silent};
use softmark_checks::check::{Judged, if_passed, wrong};
use softmark_checks::dropout::{self, with_dropout};
use softmark_checks::subject::finite;
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};

use crate::checks::dropped::{RATE, SCALE, each_drawn_by_itself};
use crate::checks::layer_inputs;

/// Outputs of the two sublayers of [`constant`].
const GIVEN: [f64; 2] = [1.0, 4.0];

/// The case with sublayers that give 1 and 4 throughout, whatever comes in.
pub(crate) fn constant(case: &Case) -> Case {
    let mut constant = silent(case);
    let names = ["self_attn.out_proj.bias", "feed_forward.linear2.bias"];
    for (name, value) in names.into_iter().zip(GIVEN) {
        constant = constant.with_parameter(name, &case.get_parameter(name).map(|_| value));
    }
    constant.label = format!("{}, the sublayers give 1 and 4", case.label);
    constant
}

pub(crate) fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/dropout-drops", seed);
    let found = search(subject, run, 2, encoder_shapes(), |subject, shape| {
        // 256 numbers, so that no outcome is missing by chance.
        let wide = EncoderShape { b: 2, t: 8, h: 2, k: 8, f: 8, padded: false, ..*shape };
        for shape in wide.each_placement() {
            // A bias of 1 in every channel would be evened out by a norm.
            let case = constant(&shape.encoder_layer(seed));
            dropout::works(subject, &case, "output", case.get("x").shape())?;
        }
        adds_what_is_dropped(subject, &EncoderShape { pre_norm: true, ..wide }, seed)?;
        norms_what_is_dropped(subject, &EncoderShape { k: 2, pre_norm: false, ..wide }, seed)?;
        norms_other_draws(subject, &EncoderShape { pre_norm: false, ..wide }, seed)?;
        let plain = EncoderShape { gelu: false, ..wide };
        plain
            .each_placement()
            .into_iter()
            .try_for_each(|shape| reaches_sublayers(subject, &shape, seed))
    })?;
    if_passed(found, || layer_inputs::are_whole(subject))
}

/// In a pre-norm layer, what is added to the input stands bare: each of the two constants should be
/// dropped or scaled.
fn adds_what_is_dropped(subject: &mut Subject<'_>, shape: &EncoderShape, seed: u64) -> Judged {
    let case = constant(&shape.encoder_layer(seed));
    let asked = with_dropout(&case, RATE, true);
    let (x, output) = (case.get("x"), pass(subject, &asked)?);
    finite(&asked, "output", &output)?;
    let added = Array::from_fn(x.shape(), |at| output.at(at) - x.at(at));
    let near = |want: f64| added.values().iter().filter(|x| (*x - want).abs() < 1e-3).count();
    let [one, four] = GIVEN.map(|given| SCALE * given);
    let counts = [0.0, one, four, one + four].map(near);
    let n = added.values().len();
    if counts.iter().sum::<usize>() == n && counts.iter().all(|count| *count > 0) {
        // With 4/3 alone the network's number is dropped, with 16/3 alone the attention's, with 0 both are.
        let without = |rest: f64| {
            added.map(|x| f64::from(u8::from(x.abs() < 1e-3 || (x - rest).abs() < 1e-3)))
        };
        each_drawn_by_itself(&asked, &without(four), "numbers that the attention gives")?;
        return each_drawn_by_itself(&asked, &without(one), "numbers that the network gives");
    }
    let [none, first, second, both] = counts;
    let other = n.saturating_sub(counts.iter().sum());
    let kept = pass(subject, &case)?;
    let mut pairs = kept.values().iter().zip(x.values());
    let look = if pairs.all(|(y, x)| (y - x - GIVEN[0] - GIVEN[1]).abs() < 1e-3) {
        "Look at where dropout stands in each of the two sums, and at its probability."
    } else {
        "Without dropout, 5 should be added to each number, and is not: look at the two residual sums and the \
         norms first, and then at dropout."
    };
    let message = format!(
        "The sublayers give 1 and 4, and with dropout of probability 0.25 each of the two should be \
         dropped or multiplied by 4/3 before it is added to the input, so that 0, 4/3, 16/3 or 20/3 is added \
         in all. Count among {n} numbers: {none} with 0 added, {first} with 4/3, {second} with 16/3, {both} \
         with 20/3, {other} with something else. {look}"
    );
    Err(wrong(&asked, message))
}

/// In a post-norm layer of four channels, each position has sixteen ways of dropping the first constant and
/// as many of dropping the second: what comes out should be what one of them gives.
fn norms_what_is_dropped(subject: &mut Subject<'_>, shape: &EncoderShape, seed: u64) -> Judged {
    let case = constant(&shape.encoder_layer(seed));
    let asked = with_dropout(&case, RATE, true);
    let output = pass(subject, &asked)?;
    finite(&asked, "output", &output)?;
    let (x, parameter) = (case.get("x"), |name| case.get_parameter(name));
    let norms = [
        (parameter("norm1.weight"), parameter("norm1.bias")),
        (parameter("norm2.weight"), parameter("norm2.bias")),
    ];
    let [first, second] = &norms;
    let after = |row: &Array, way: u32, given: f64, (weight, bias): &(Array, Array)| {
        let mut bits = (0..4).map(|bit| f64::from(way >> bit & 1));
        layer_norm(&row.map(|x| x + SCALE * given * bits.next().unwrap_or(0.0)), weight, bias)
    };
    let within = |x: &Array, y: &Array, most: f64| {
        x.values().iter().zip(y.values()).all(|(x, y)| (x - y).abs() < most)
    };
    let near = |x: &Array, y: &Array| within(x, y, 1e-3);
    // Norms that give something else when nothing is dropped are for other checks to judge.
    let inner = layer_norm(&x.map(|x| x + GIVEN[0]), &first.0, &first.1);
    let whole = layer_norm(&inner.map(|y| y + GIVEN[1]), &second.0, &second.1);
    if !within(&pass(subject, &case)?, &whole, 1e-4) {
        return Ok(());
    }
    let (mut unexplained, mut mixed) = (0, [false; 2]);
    for (row, got) in x.values().chunks(4).zip(output.values().chunks(4)) {
        let (row, got) =
            (Array::new(&[1, 1, 4], row.to_vec()), Array::new(&[1, 1, 4], got.to_vec()));
        let inner = (0..16).map(|way| (way, after(&row, way, GIVEN[0], first)));
        let ways = inner.flat_map(|(one, y)| {
            let ends = (0..16).map(|other| (other, after(&y, other, GIVEN[1], second)));
            ends.filter(|(_, end)| near(end, &got))
                .map(|(other, _)| [one, other])
                .collect::<Vec<_>>()
        });
        let ways: Vec<[u32; 2]> = ways.collect();
        unexplained += usize::from(ways.is_empty());
        // What is added to all channels alike, a norm takes away again: it cannot tell all from none.
        let is_mixed = |at: usize| {
            !ways.is_empty()
                && ways.iter().all(|way| way.get(at).is_some_and(|it| (1..15).contains(it)))
        };
        mixed = [mixed[0] || is_mixed(0), mixed[1] || is_mixed(1)];
    }
    if unexplained == 0 && mixed == [true; 2] {
        return Ok(());
    }
    let n = x.values().len() / 4;
    let shows = match mixed {
        [true, true] => "in both sums",
        [true, false] => "in the first sum, but not in the second",
        [false, true] => "in the second sum, but not in the first",
        [false, false] => "in neither sum",
    };
    let what = if unexplained == 0 {
        format!(
            "The outputs of all {n} positions can come about in that way, and dropped numbers show {shows}."
        )
    } else if unexplained == n {
        format!("The output of none of the {n} positions can come about in that way.")
    } else {
        format!(
            "The outputs of {unexplained} of {n} positions cannot come about in that way. In the others, \
             dropped numbers show {shows}."
        )
    };
    let message = format!(
        "The sublayers give 1 and 4, and with dropout of probability 0.25 each number of the two should be \
         dropped or multiplied by 4/3 before it is added and normed. {what} Look at where dropout stands in \
         each of the two sums, and at its probability."
    );
    Err(wrong(&asked, message))
}

/// In a post-norm layer whose input is the same at every position of every text, only what is dropped can make a
/// difference between texts or positions: each of the two sublayers in turn gives 1 throughout, and the other one 0.
///
/// Two positions of sixteen channels drop the same ones with a probability of (5/8)¹⁶, and one of the eight has to
/// differ.
fn norms_other_draws(subject: &mut Subject<'_>, shape: &EncoderShape, seed: u64) -> Judged {
    let plain = silent(&shape.encoder_layer(seed));
    let x = plain.get("x");
    let first_token = |at: &[usize]| x.at(&at_first(&at_first(at, 0), 1));
    let plain = plain.with("x", Array::from_fn(x.shape(), first_token));
    let sublayers = [
        ("self_attn.out_proj.bias", "the attention"),
        ("feed_forward.linear2.bias", "the feed-forward network"),
    ];
    for (name, sublayer) in sublayers {
        let case = plain.with_parameter(name, &plain.get_parameter(name).map(|_| 1.0));
        let asked = with_dropout(&case, RATE, true);
        let output = pass(subject, &asked)?;
        finite(&asked, "output", &output)?;
        let differs_along = |axis: usize| {
            let first = Array::from_fn(output.shape(), |at| output.at(&at_first(at, axis)));
            output.largest_difference(&first) > 1e-3
        };
        let together = if !differs_along(0) {
            "every text"
        } else if !differs_along(1) {
            "every position of a text"
        } else {
            continue;
        };
        let message = format!(
            "The input is the same at every position of every text, and of the two sublayers only {sublayer} gives \
             anything but zeros. With dropout of probability 0.25 in training, each of its numbers should be dropped \
             or kept by a draw of its own, but the output is the same in {together}. Look at the shape of what \
             dropout is asked to draw for."
        );
        return Err(wrong(&asked, message));
    }
    Ok(())
}

/// The index with 0 along one axis.
fn at_first(at: &[usize], axis: usize) -> Vec<usize> {
    at.iter().enumerate().map(|(of, &at)| if of == axis { 0 } else { at }).collect()
}

/// Holds that both sublayers drop numbers in training: if nothing is dropped inside of them, the attention
/// gives 1 whatever its weights are, and the network gives 1 whatever its second map is.
fn reaches_sublayers(subject: &mut Subject<'_>, shape: &EncoderShape, seed: u64) -> Judged {
    let case = silent(&shape.encoder_layer(seed));
    let (d, f) = (shape.d(), shape.f);
    let identity = Array::from_fn(&[d, d], |at| f64::from(u8::from(at.first() == at.last())));
    let zero =
        |of: &Case, name: &str| of.with_parameter(name, &of.get_parameter(name).map(|_| 0.0));
    let ones =
        |of: &Case, name: &str| of.with_parameter(name, &of.get_parameter(name).map(|_| 1.0));

    let attends = ones(&zero(&case, "self_attn.v_proj.weight"), "self_attn.v_proj.bias")
        .with_parameter("self_attn.out_proj.weight", &identity);
    let evenly = zero(&zero(&attends, "self_attn.q_proj.weight"), "self_attn.q_proj.bias");
    told(subject, (&attends, &evenly), "the attention")?;

    let feeds = ones(&zero(&case, "feed_forward.linear1.weight"), "feed_forward.linear1.bias");
    let second = |even: f64, odd: f64| {
        let weight = Array::from_fn(&[d, f], |at| match *at {
            [_, i] if i % 2 == 0 => even / f as f64,
            _ => odd / f as f64,
        });
        feeds.with_parameter("feed_forward.linear2.weight", &weight)
    };
    told(subject, (&second(2.0, 0.0), &second(1.0, 1.0)), "the feed-forward network")
}

/// Holds that two questions have the same answer outside of training and not in training.
fn told(subject: &mut Subject<'_>, (one, other): (&Case, &Case), sublayer: &str) -> Judged {
    let (one, other) = (with_dropout(one, RATE, true), with_dropout(other, RATE, true));
    let (x, y) = (pass(subject, &one)?, pass(subject, &other)?);
    finite(&one, "output", &x)?;
    finite(&other, "output", &y)?;
    // The layer's own dropout is the same in both: what is left of the sublayer's is far more than rounding.
    if x.largest_difference(&y) > 1e-3 {
        return Ok(());
    }
    let message = format!(
        "`train` is true, and nothing is dropped inside {sublayer}: what should depend on it did not \
         move. Look at what is passed on to each of the two sublayers."
    );
    Err(wrong(&one, message))
}
