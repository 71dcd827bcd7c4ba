//! Hidden checks of the encoder.

use softmark_checks::check::{Judged, wrong};
use softmark_checks::encoder::cases::{EncoderShape, encoder_shapes};
use softmark_checks::encoder::dropout::{self, with_dropout};
use softmark_checks::encoder::encoder::{encode, output_responds, shape_of};
use softmark_checks::encoder::texts::embedded;
use softmark_checks::subject::{compare, refuses, responds};
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_kit::encoder::EncoderConfig;

use crate::check::{answer_inside, follows_updates, with_parameters_of};
use crate::suite::encoder::checks::encoder_layer::{constant, small};
use crate::suite::encoder::checks::feed_forward::drops_or_doubles;
use crate::suite::encoder::checks::{below, output_of, right, slopes};
use crate::suite::encoder::oracle::{finished, tolerance};

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/matches-reference", seed);
    search(subject, run, 6, encoder_shapes(), |subject, shape| {
        let words = (
            "The output should be that of the formula: embed, then every layer in its turn, then a \
             norm where the layers are pre-norm",
            "Go through the formula in the documentation of Encoder step by step, and try an encoder \
             without layers first.",
        );
        // What a layer gets from the one before shows in two; what padding does, sharper in one.
        let two = EncoderShape { layers: 2, ..*shape };
        let one = EncoderShape { layers: 1, padded: true, t: shape.t.max(2), ..*shape };
        let each = [one, two].into_iter().flat_map(EncoderShape::each_placement);
        each.map(|shape| shape.encoder(seed)).try_for_each(|it| right(subject, &it, words))
    })
}

/// The numbers in the parameters that the reference configuration asks for.
const REFERENCE_PARAMETERS: usize = 419_968;

/// The reference configuration, with parameters of zeros.
fn reference(seed: u64) -> Case {
    let config = EncoderConfig::reference();
    let shape = EncoderShape {
        b: 1,
        t: 1,
        h: config.heads,
        k: config.d_model / config.heads,
        f: config.d_ff,
        v: config.vocabulary,
        spare: config.max_len - 1,
        layers: config.layers,
        c: 4,
        pre_norm: true,
        gelu: true,
        padded: false,
        dropout_permille: 100,
        train: false,
        strided: false,
        data: 0,
    };
    shape.encoder(seed)
}

pub(crate) fn parameter_count(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let case = reference(seed);
    let mut judge = || {
        let asked = subject.asked(&case)?;
        let count: usize = asked.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        if count == REFERENCE_PARAMETERS {
            return Ok(());
        }
        let message = format!(
            "The reference configuration (EncoderConfig::reference) has {REFERENCE_PARAMETERS} \
             parameters, and what was asked for comes to {count}. Look at which of them are missing \
             or shared: write the shape of each beside its name, and add them up."
        );
        Err(wrong(&case, message))
    };
    softmark_checks::check::outcome(judge())
}

/// The case with an id just beyond the vocabulary at a real token of the last text.
pub(crate) fn with_unknown_id(case: &Case, by: usize) -> Case {
    let (ids, mask) = (case.get("ids"), case.get("mask"));
    let last = ids.dim(0).saturating_sub(1);
    let place = (0..ids.dim(1)).find(|&t| mask.at(&[last, t]) == 1.0).unwrap_or(0);
    let unknown = (case.get_size("vocabulary") + by) as f64;
    let mut strange = case.with(
        "ids",
        Array::from_fn(ids.shape(), |at| match *at {
            [b, t] if b == last && t == place => unknown,
            _ => ids.at(at),
        }),
    );
    strange.label = format!("{}, id {unknown}", case.label);
    strange
}

pub(crate) fn refuses_unknown_ids(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/refuses-unknown-ids", seed);
    search(subject, run, 3, (encoder_shapes(), 0..=2_usize), |subject, (shape, by)| {
        let case = shape.encoder(seed);
        let words = (
            "An id is beyond the vocabulary, so `forward` should return an error",
            "Look at what becomes of an id that has no row in the table.",
        );
        refuses(subject, (&case, &with_unknown_id(&case, *by)), words)
    })
}

/// The case with a table of positions that is too short by that many rows.
pub(crate) fn too_long(case: &Case, by: usize) -> Case {
    let t = case.get("ids").dim(1);
    let max_len = t - by.min(t.saturating_sub(1));
    let name = "position_embedding.weight";
    let table = case.get_parameter(name);
    let shape = [max_len, table.dim(1)];
    let shorter = Array::from_fn(&shape, |at| table.at(at));
    let mut long = case.with_parameter(name, &shorter).with_size("max_len", max_len);
    long.label = format!("{}, T={t} max_len={max_len}", case.label);
    long
}

pub(crate) fn refuses_too_long(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/refuses-too-long", seed);
    search(subject, run, 3, (encoder_shapes(), 1..=2_usize), |subject, (shape, by)| {
        let case = EncoderShape { t: shape.t.max(2), ..*shape }.encoder(seed);
        let words = (
            "The sequence is longer than max_len, so `forward` should return an error",
            "Look at what is asked of the table of positions beyond its end.",
        );
        refuses(subject, (&case, &too_long(&case, *by)), words)
    })
}

pub(crate) fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/gradients", seed);
    // The corners have each placement.
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        slopes(subject, &small(shape).encoder(seed), seed)
    })
}

/// Without layers the embedded tokens stand bare; and with embeddings of zeros, only a layer that
/// learns can make anything different.
pub(crate) fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/dropout-drops", seed);
    search(subject, run, 2, encoder_shapes(), |subject, shape| {
        let wide = EncoderShape { b: 2, t: 4, h: 2, k: 4, ..*shape };
        let bare = EncoderShape { layers: 0, pre_norm: false, ..wide }.encoder(seed);
        let dropped = dropout::works(subject, &bare, "output", &shape_of(&bare))?;
        drops_or_doubles(&with_dropout(&bare, 500, true), &dropped, &encode(subject, &bare)?)?;
        let case = silenced(&EncoderShape { layers: 1, pre_norm: true, ..wide }.encoder(seed));
        let asked = with_dropout(&case, 500, true);
        let (before, after) = (encode(subject, &case)?, encode(subject, &asked)?);
        let changed = "`train` was set, with dropout of probability 0.5 in the layers";
        responds(&asked, "output", (&before, &after), changed)
    })
}

/// The case with embeddings of zeros, and a first layer whose sublayers give constants.
fn silenced(case: &Case) -> Case {
    let layer = constant(&below(case, "encoder-layer", "layers.0."));
    let mut silenced = case.clone();
    for (name, array) in &layer.parameters {
        silenced = silenced.with_parameter(&format!("layers.0.{name}"), array);
    }
    for name in ["token_embedding.weight", "position_embedding.weight"] {
        silenced = silenced.with_parameter(name, &case.get_parameter(name).map(|_| 0.0));
    }
    silenced
}

/// One text without padding: what goes wrong with those is for other checks.
pub(crate) fn updated_parameters(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/updated-parameters", seed);
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { b: 1, padded: false, ..*shape };
        let case = shape.encoder(seed);
        let other = EncoderShape { data: shape.data.wrapping_add(1), ..shape };
        let changed = with_parameters_of(&case, &other.encoder(seed), &|_| true);
        let allowed = tolerance(&changed);
        follows_updates(subject, (&case, &changed), ("output", &shape_of(&case)), allowed)
    })
}

/// What the encoder should make of the submission's own layers, whatever they do.
pub(crate) fn own_layers(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder/own-layers", seed);
    search(subject, run, 2, encoder_shapes(), |subject, shape| {
        // What one layer hands to the next shows in two; what padding does, sharper in one.
        let two = EncoderShape { layers: 2, ..*shape };
        let one = EncoderShape { layers: 1, padded: true, t: shape.t.max(2), ..*shape };
        let each = [one, two].into_iter().flat_map(EncoderShape::each_placement);
        let cases = each.map(|shape| shape.encoder(seed));
        cases.into_iter().try_for_each(|case| follows_its_layers(subject, &case))?;
        // Constants follow layers that give constants. Without layers, the encoder's own part shows.
        let bare = EncoderShape { layers: 0, pre_norm: false, ..*shape }.encoder(seed);
        let output = encode(subject, &bare)?;
        output_responds(subject, &bare, &output)
    })
}

fn follows_its_layers(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let mut x = embedded(case);
    let mut last = case.clone();
    for n in 0..case.get_size("layers") {
        let inner = below(case, "encoder-layer", &format!("layers.{n}."))
            .input("x", x.clone())
            .mask(case.find("mask"));
        let by = "encoder-layer/matches-reference";
        let shape = x.shape().to_vec();
        x = answer_inside(subject, (case, &inner), by, output_of(&shape))?;
        last = inner;
    }
    let words = (
        "With your own layers inside, the encoder should hand each layer's output to the next",
        "Look at whether the layers that `below` makes are the ones that are used, each once.",
    );
    let (want, tolerance) = finished(case, &last, &x);
    compare(case, "output", (&encode(subject, case)?, &want), tolerance, words)
}
