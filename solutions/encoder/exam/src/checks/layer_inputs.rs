//! Checks that an encoder layer drops nothing on the way into its sublayers.

use encoder_checks::cases::{EncoderShape, layer_norm};
use encoder_checks::encoder_layer::{pass, silent};
use softmark_checks::check::{Judged, wrong};
use softmark_checks::dropout::with_dropout;
use softmark_checks::{Array, Case, Subject};
use softmark_exam::formula::project;

use crate::checks::dropped::{RATE, SCALE};
use crate::checks::{FIXED, LONG};

/// A layer in which one sublayer gives zeros and the other one draws a single number for all channels of a
/// position: what it gives is dropped as a whole, or scaled; and so is each of its channels after it.
struct Lonely {
    /// The layer.
    case: Case,
    /// The same layer in which both sublayers give zeros.
    silent: Case,
    /// Name of the sublayer that gives something.
    sublayer: &'static str,
}

/// Holds, for both placements of the norms, that what a sublayer is given is not dropped.
pub(crate) fn are_whole(subject: &mut Subject<'_>) -> Judged {
    let shape = EncoderShape { b: 2, t: 8, padded: false, gelu: false, ..LONG };
    for lonely in [network(EncoderShape { pre_norm: true, ..shape }), attention(true)] {
        adds_the_whole(subject, &lonely)?;
    }
    for lonely in [network(EncoderShape { k: 2, pre_norm: false, ..shape }), attention(false)] {
        norms_the_whole(subject, &lonely)?;
    }
    Ok(())
}

/// A network with a single hidden number, which is larger than 0.
fn network(shape: EncoderShape) -> Lonely {
    let silent = silent(&EncoderShape { f: 1, ..shape }.encoder_layer(FIXED));
    let weight = "feed_forward.linear1.weight";
    // Normed numbers are at most 1.5 · √(D − 1) + 2 < 6, and weights 1/2 · 1/16: eight of them come to less
    // than 1.5.
    let mut case = silent
        .with_parameter(weight, &silent.get_parameter(weight).map(|x| x / 16.0))
        .with_parameter("feed_forward.linear1.bias", &Array::full(&[1], 1.5))
        .with_parameter("feed_forward.linear2.weight", &Array::full(&[shape.d(), 1], 1.0));
    case.label = format!("{}, the network has one hidden number", shape_label(shape.pre_norm));
    Lonely { case, silent, sublayer: "the feed-forward network" }
}

/// An attention with one head over texts of one token, whose value is handed on as it is.
fn attention(pre_norm: bool) -> Lonely {
    let k = if pre_norm { 8 } else { 4 };
    let shape = EncoderShape { b: 16, t: 1, h: 1, k, pre_norm, padded: false, gelu: false, ..LONG };
    let silent = silent(&shape.encoder_layer(FIXED));
    let identity = Array::from_fn(&[k, k], |at| f64::from(u8::from(at.first() == at.last())));
    let mut case = silent.with_parameter("self_attn.out_proj.weight", &identity);
    case.label = format!("{}, texts of one token", shape_label(pre_norm));
    Lonely { case, silent, sublayer: "the attention" }
}

fn shape_label(pre_norm: bool) -> &'static str {
    if pre_norm { "pre-norm" } else { "post-norm" }
}

/// The factor of what neither the sublayer nor the layer drops: each of the two scales it.
const TWICE: f64 = SCALE * SCALE;

fn not_whole(case: &Case, sublayer: &str, what: &str) -> softmark_checks::Stop {
    let message = format!(
        "With dropout of probability 0.25, {sublayer} drops or keeps all that it gives at a position here, \
         and then each of these numbers should be dropped or kept by itself: what is added is 16/9 of what \
         {sublayer} gives without dropout, or nothing. {what}. Look at whether anything is dropped before \
         {sublayer}."
    );
    wrong(case, message)
}

/// In a pre-norm layer, the sums stand bare. They are held against the part's own numbers without dropout,
/// so that wrong norms and sums are for other checks.
fn adds_the_whole(subject: &mut Subject<'_>, lonely: &Lonely) -> Judged {
    let asked = with_dropout(&lonely.case, RATE, true);
    let base = pass(subject, &lonely.silent)?;
    let kept = pass(subject, &lonely.case)?;
    // Sums that are something else when nothing is dropped are for other checks to judge.
    let given = given(&lonely.case);
    let is_right =
        |((base, kept), given): ((&f64, &f64), &f64)| (kept - base - given).abs() < CLOSELY;
    if !base.values().iter().zip(kept.values()).zip(given.values()).all(is_right) {
        return Ok(());
    }
    let got = pass(subject, &asked)?;
    let places = base.values().iter().zip(kept.values()).zip(got.values());
    let pairs: Vec<(f64, f64)> = places
        .map(|((base, kept), got)| (kept - base, got - base))
        .filter(|(kept, _)| kept.abs() > 1e-2)
        .collect();
    // Sums of numbers up to 8 in `f32`, and a factor of 16/9.
    let near = |x: f64, y: f64| (x - y).abs() < 1e-4 * y.abs().max(1.0);
    let dropped = pairs.iter().filter(|(_, got)| near(*got, 0.0)).count();
    let scaled = pairs.iter().filter(|(kept, got)| near(*got, TWICE * kept)).count();
    let n = pairs.len();
    if dropped + scaled == n {
        return Ok(());
    }
    let rest = n.saturating_sub(dropped + scaled);
    let what = format!(
        "Count among {n} sums: {dropped} with nothing added, {scaled} with 16/9, {rest} with something else"
    );
    Err(not_whole(&asked, lonely.sublayer, &what))
}

/// In a post-norm layer of four channels, each position has sixteen ways of dropping what is added: what
/// comes out should be what one of them gives.
fn norms_the_whole(subject: &mut Subject<'_>, lonely: &Lonely) -> Judged {
    let case = &lonely.case;
    let given = given(case);
    let x = case.get("x");
    let rows = |of: &Array| -> Vec<Array> {
        of.values().chunks(4).map(|row| Array::new(&[1, 1, 4], row.to_vec())).collect()
    };
    let places: Vec<(Array, Array)> = rows(&x).into_iter().zip(rows(&given)).collect();
    // Norms that give something else when nothing is dropped are for other checks to judge. They take away what
    // is added to all channels, so it is added to one.
    let (seen, channels) = seen(case);
    let whole = rows(&pass(subject, &seen)?);
    let plain = |(x, given): &(Array, Array)| {
        let added = given.values().iter().enumerate();
        let added = added.map(|(c, given)| if c < channels { *given } else { 0.0 });
        normed(case, x, &Array::new(given.shape(), added.collect()))
    };
    if !places.iter().zip(&whole).all(|(place, got)| near(&plain(place), got, CLOSELY)) {
        return Ok(());
    }
    let asked = with_dropout(case, RATE, true);
    let got = rows(&pass(subject, &asked)?);
    let is_explained = |((x, given), got): (&(Array, Array), &Array)| {
        (0..16_u32).any(|way| {
            let added = Array::from_fn(&[1, 1, 4], |at| match *at {
                [.., c] => TWICE * given.at(at) * f64::from(way >> c & 1),
                _ => f64::NAN,
            });
            near(&normed(case, x, &added), got, ROUGHLY)
        })
    };
    let n = places.len();
    let explained = places.iter().zip(&got).filter(|place| is_explained(*place)).count();
    if explained == n {
        return Ok(());
    }
    let what = format!(
        "At {} of {n} positions, the output cannot come about in that way",
        n.saturating_sub(explained)
    );
    Err(not_whole(&asked, lonely.sublayer, &what))
}

/// The post-norm layer with a sublayer that gives its first channels only, and how many of them: a network gives
/// the same number for all channels.
fn seen(case: &Case) -> (Case, usize) {
    if is_attention(case) {
        return (case.clone(), 4);
    }
    let weight = case.get_parameter("feed_forward.linear2.weight");
    let first = Array::from_fn(weight.shape(), |at| if at == [0, 0] { weight.at(at) } else { 0.0 });
    (case.with_parameter("feed_forward.linear2.weight", &first), 1)
}

/// Far more than rounding does to two norms of numbers of ordinary size. A layer that is further off without
/// dropout has another mistake, which other checks name.
const CLOSELY: f64 = 1e-4;

/// Far more than another ε of up to 1e-3 does to them, also where little is left to be normed, and far less than a
/// channel that is dropped.
const ROUGHLY: f64 = 2e-2;

fn near(x: &Array, y: &Array, most: f64) -> bool {
    x.values().iter().zip(y.values()).all(|(x, y)| (x - y).abs() < most)
}

/// Output of the sublayer that is not silent, without dropout, `[B, T, D]`.
fn given(case: &Case) -> Array {
    let (x, parameter) = (case.get("x"), |name| case.get_parameter(name));
    let norm = |n: u8| {
        let of = |what: &str| case.get_parameter(&format!("norm{n}.{what}"));
        layer_norm(&x, &of("weight"), &of("bias"))
    };
    let is_pre_norm = case.get_size("pre_norm") == 1;
    if is_attention(case) {
        let input = if is_pre_norm { norm(1) } else { x.clone() };
        return project(
            &input,
            &parameter("self_attn.v_proj.weight"),
            &parameter("self_attn.v_proj.bias"),
        );
    }
    // The attention gives zeros: what comes to the network went through one norm.
    let y = if is_pre_norm { norm(2) } else { norm(1) };
    let (weight, bias) =
        (parameter("feed_forward.linear1.weight"), parameter("feed_forward.linear1.bias"));
    let hidden = project(&y, &weight, &bias).map(|h| h.max(0.0));
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, _] => hidden.at(&[b, t, 0]),
        _ => f64::NAN,
    })
}

/// True if the attention is the sublayer that gives something.
fn is_attention(case: &Case) -> bool {
    case.get_parameter("self_attn.out_proj.weight").magnitude() > 0.0
}

/// A position of a post-norm layer in which `added` is added in the sum of the sublayer that is not silent.
fn normed(case: &Case, x: &Array, added: &Array) -> Array {
    let norm = |x: &Array, n: u8| {
        let of = |what: &str| case.get_parameter(&format!("norm{n}.{what}"));
        layer_norm(x, &of("weight"), &of("bias"))
    };
    let plus = |x: &Array| Array::from_fn(x.shape(), |at| x.at(at) + added.at(at));
    if is_attention(case) { norm(&norm(&plus(x), 1), 2) } else { norm(&plus(&norm(x, 1)), 2) }
}
