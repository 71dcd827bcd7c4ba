//! What is right for each part of the `encoder` assignment, in `f64`.

use std::collections::BTreeMap;

use encoder_checks::classifier::head;
use encoder_checks::glove::words_of;
use encoder_checks::sweep::{grid, place_of_best, validations};
use softmark_checks::{Array, Case};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::Expected;
use softmark_exam::dropout::Dropper;
use softmark_exam::formula::gelu;
use softmark_exam::memo::memoized;
use softmark_exam::noisy::Noisy;

/// The right outputs of a case that has an answer.
pub(crate) fn oracle(case: &Case) -> Expected {
    let case = &without_stand_ins(case);
    match case.part() {
        "glove" => glove(case).unwrap_or_default(),
        "sweep" => sweep(case),
        "classifier" => named("logits", network(case).values),
        _ => named("output", network(case).values),
    }
}

/// Largest possible error of a right answer in `f32`, for a part of the network: a bound on every error,
/// step by step.
pub(crate) fn bound(case: &Case) -> Tolerance {
    memoized(&[case], || network(&without_stand_ins(case)).tolerance())
}

/// The size by which a worker is asked for stand-ins.
const STAND_INS: &str = "stand_ins";

/// The case with stand-ins for the parts below: the right parts with outputs of the opposite sign.
///
/// An encoder of pre-norm layers may have one layer at most: what a second one is given could not be
/// undone by other parameters ([`without_stand_ins`]).
pub(crate) fn with_stand_ins(case: &Case) -> Case {
    let mut asked = case.clone().size(STAND_INS, 1);
    asked.label = format!("{}, stand-ins below", case.label);
    asked
}

/// A case with the same answer, and with the right parts below: the parameters of the last map of what is
/// below, or of the first map of what comes after it, have the opposite sign.
pub(crate) fn without_stand_ins(case: &Case) -> Case {
    if case.find_size(STAND_INS) != Some(1) {
        return case.clone();
    }
    let mut plain = case.with_size(STAND_INS, 0);
    let is_pre = case.get_size("pre_norm") == 1;
    let is_opposite = |name: &str| match case.part() {
        "encoder-layer" => {
            name.starts_with("self_attn.out_proj.") || name.starts_with("feed_forward.linear2.")
        }
        "encoder" if is_pre => name == "norm.weight",
        "encoder" => name.contains(".norm2."),
        _ => name == "classifier.weight",
    };
    for (_, array) in plain.parameters.iter_mut().filter(|(name, _)| is_opposite(name)) {
        *array = array.map(|x| -x);
    }
    plain
}

fn named(name: &'static str, output: Array) -> Expected {
    Expected::from([(name, output)])
}

/// What a part of the network gives.
fn network(case: &Case) -> Noisy {
    let drop = Dropper::new(case);
    match case.part() {
        "feed-forward" => feed_forward(case, "", &Noisy::exact(case.get("x")), &drop),
        "encoder-layer" => layer(case, "", &Noisy::exact(case.get("x")), &drop),
        "encoder" => encoder(case, &drop),
        _ => classifier(case, &drop),
    }
}

fn feed_forward(case: &Case, under: &str, x: &Noisy, drop: &Dropper) -> Noisy {
    let hidden = x.linear(case, &format!("{under}linear1"));
    let active = if case.get_size("gelu") == 1 {
        // Its steepest slope is 1.13; an error function takes a dozen operations.
        hidden.each(gelu, 1.13, 16)
    } else {
        hidden.each(|x| x.max(0.0), 1.0, 0)
    };
    drop.drop(&active).linear(case, &format!("{under}linear2"))
}

fn layer(case: &Case, under: &str, x: &Noisy, drop: &Dropper) -> Noisy {
    let mask = case.get("mask");
    let attend = |x: &Noisy| {
        let weights_factors = |shape: &[usize]| drop.factors(shape);
        drop.drop(&x.attended(case, &format!("{under}self_attn"), &mask, &weights_factors))
    };
    let feed =
        |x: &Noisy| drop.drop(&feed_forward(case, &format!("{under}feed_forward."), x, drop));
    let norm = |x: &Noisy, n: u8| x.norm(case, &format!("{under}norm{n}"));
    if case.get_size("pre_norm") == 1 {
        let y = x.plus(&attend(&norm(x, 1)));
        y.plus(&feed(&norm(&y, 2)))
    } else {
        let y = norm(&x.plus(&attend(x)), 1);
        norm(&y.plus(&feed(&y)), 2)
    }
}

/// The row of a table that an id stands for; `None` where there is none.
fn row(table: &Array, id: f64) -> Option<usize> {
    (0..table.dim(0)).find(|row| *row as f64 == id)
}

fn encoder(case: &Case, drop: &Dropper) -> Noisy {
    let (ids, tokens) = (case.get("ids"), case.get_parameter("token_embedding.weight"));
    let positions = case.get_parameter("position_embedding.weight");
    let shape = [ids.dim(0), ids.dim(1), tokens.dim(1)];
    let token = Array::from_fn(&shape, |at| match *at {
        [b, t, c] => match row(&tokens, ids.at(&[b, t])) {
            Some(0) => 0.0,
            Some(id) => tokens.at(&[id, c]),
            None => f64::NAN,
        },
        _ => f64::NAN,
    });
    let position = Array::from_fn(&shape, |at| match *at {
        [_, t, c] => positions.at(&[t, c]),
        _ => f64::NAN,
    });
    let mut x = drop.drop(&Noisy::exact(token).plus(&Noisy::exact(position)));
    for n in 0..case.get_size("layers") {
        x = layer(case, &format!("layers.{n}."), &x, drop);
    }
    if case.get_size("pre_norm") == 1 { x.norm(case, "norm") } else { x }
}

/// The mean over the real tokens; a mean has no larger error than what it is a mean of, and a
/// rounding a token.
fn classifier(case: &Case, drop: &Dropper) -> Noisy {
    let x = encoder(case, drop);
    let mask = case.get("mask");
    let mean = |of: &Array| {
        Array::from_fn(&[of.dim(0), of.dim(2)], |at| match *at {
            [b, c] => {
                let real = (0..of.dim(1)).filter(|&t| mask.at(&[b, t]) == 1.0);
                let tokens: Vec<f64> = real.map(|t| of.at(&[b, t, c])).collect();
                tokens.iter().sum::<f64>() / tokens.len().max(1) as f64
            }
            _ => f64::NAN,
        })
    };
    let sizes = x.values.map(f64::abs);
    let roundings = mask.dim(1) as f64 + 2.0;
    let own = mean(&sizes).map(|size| roundings * softmark_common::compare::F32_ROUNDING * size);
    let came = mean(&x.errors);
    let errors = Array::from_fn(own.shape(), |at| own.at(at) + came.at(at));
    Noisy { values: mean(&x.values), errors }.linear(case, "classifier")
}

/// What the head makes of encoded texts: the public check's own formula, for texts that the submission
/// itself encoded.
pub(crate) fn logits_of(case: &Case, encoded: &Array) -> Array {
    head(case, encoded)
}

/// The next part's input, for a submission's own parts: `x` through one layer of the case with the
/// feed-forward network's answer in place of the oracle's.
pub(crate) fn layer_input_of_feed_forward(case: &Case) -> Array {
    let (x, drop) = (Noisy::exact(case.get("x")), Dropper::new(case));
    let mask = case.get("mask");
    let attend =
        |x: &Noisy| x.attended(case, "self_attn", &mask, &|shape: &[usize]| drop.factors(shape));
    if case.get_size("pre_norm") == 1 {
        x.plus(&attend(&x.norm(case, "norm1"))).norm(case, "norm2").values
    } else {
        x.plus(&attend(&x)).norm(case, "norm1").values
    }
}

/// What the layer makes of the feed-forward network's answer `fed`.
pub(crate) fn layer_from_feed_forward(case: &Case, fed: &Array) -> Array {
    let (x, drop) = (Noisy::exact(case.get("x")), Dropper::new(case));
    let fed = Noisy::exact(fed.clone());
    let mask = case.get("mask");
    let attend =
        |x: &Noisy| x.attended(case, "self_attn", &mask, &|shape: &[usize]| drop.factors(shape));
    if case.get_size("pre_norm") == 1 {
        x.plus(&attend(&x.norm(case, "norm1"))).plus(&fed).values
    } else {
        x.plus(&attend(&x)).norm(case, "norm1").plus(&fed).norm(case, "norm2").values
    }
}

/// What an encoder makes of `x`, which its last layer gave when it was asked `last`, and by how much that may
/// be off.
///
/// Each layer answers the same question twice, once from here and once from within: what is left is what
/// rounding does to the last answer, and on the way to the end.
pub(crate) fn finished(case: &Case, last: &Case, x: &Array) -> (Array, Tolerance) {
    let x = Noisy { values: x.clone(), errors: network(last).errors };
    let end = if case.get_size("pre_norm") == 1 { x.norm(case, "norm") } else { x };
    let tolerance = end.tolerance();
    (end.values, tolerance)
}

/// The vectors of a file, the first of each word; `None` where a line is not as it should be.
fn published(text: &str, width: usize) -> Option<BTreeMap<String, Vec<f64>>> {
    let mut vectors = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (word, numbers) = line.split_once(' ')?;
        let numbers: Option<Vec<f64>> = numbers
            .split(' ')
            .map(|number| number.parse::<f32>().ok().filter(|x| x.is_finite()).map(f64::from))
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() == width)?;
        vectors.entry(word.to_owned()).or_insert(numbers);
    }
    Some(vectors)
}

/// The table and the counts; `None` where the file is to be refused.
pub(crate) fn glove(case: &Case) -> Option<Expected> {
    let (width, seed) = (case.get_size("d_model"), case.get_size("seed") as u64);
    let vectors = published(&case.get("vectors").to_text()?, width)?;
    let words = words_of(case);
    let find = |word: &String| vectors.get(word).or_else(|| vectors.get(&word.to_lowercase()));
    let asked = words.get(1..).unwrap_or_default();
    let found: Vec<&Vec<f64>> = asked.iter().filter_map(find).collect();
    if found.is_empty() && !asked.is_empty() {
        return None;
    }
    let numbers: Vec<f64> = found.iter().flat_map(|row| row.iter().copied()).collect();
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let sigma = (numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
    let mut rows = vec![0.0; width.min(words.len() * width)];
    for word in asked {
        let mut stream = Stream::derive(seed, word, 0);
        match find(word) {
            Some(row) => rows.extend(row),
            None => rows.extend(
                (0..width)
                    .map(|_| (f64::from(stream.uniform()) * 2.0 - 1.0) * 3_f64.sqrt() * sigma),
            ),
        }
    }
    let counts = vec![found.len() as f64, (asked.len() - found.len()) as f64];
    Some(Expected::from([
        ("table", Array::new(&[words.len(), width], rows)),
        ("coverage", Array::new(&[2], counts)),
    ]))
}

fn sweep(case: &Case) -> Expected {
    let (done, accuracies) = (grid(case), validations(case));
    Expected::from([
        ("trained", done.clone()),
        ("reported", done),
        ("best", Array::new(&[1], vec![place_of_best(&accuracies)])),
        ("accuracies", Array::new(&[accuracies.len()], accuracies)),
    ])
}
