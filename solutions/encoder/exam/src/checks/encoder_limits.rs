//! Checks that an encoder refuses ids beyond its vocabulary and sequences beyond its table of positions.

use encoder_checks::cases::{EncoderShape, encoder_shapes};
use encoder_checks::encoder::{encode, output_responds};
use softmark_checks::subject::refuses;
use softmark_checks::texts::padded_at_the_end;
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_exam::limits::with_unknown_id;

/// Returns the case with an id just beyond the vocabulary at the last place of the first text, which is padding.
fn with_unknown_padding(case: &Case, by: usize) -> Case {
    let ids = case.get("ids");
    let last = ids.dim(1).saturating_sub(1);
    let unknown = (case.get_size("vocabulary") + by) as f64;
    let strange = |at: &[usize]| if *at == [0, last] { unknown } else { ids.at(at) };
    let mut with = case.with("ids", Array::from_fn(ids.shape(), strange));
    with.label = format!("{}, id {unknown} at padding", case.label);
    with
}

pub(super) fn refuses_unknown_ids(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/refuses-unknown-ids", seed);
    search(subject, run, 3, (encoder_shapes(), 0..=2_usize), |subject, (shape, by)| {
        let case = shape.usual().encoder(seed);
        let words = (
            "An id is beyond the vocabulary, so `forward` should return an error",
            "Look at what becomes of an id that has no row in the table.",
        );
        refuses(subject, (&case, &with_unknown_id(&case, *by)), words)?;
        let padded = EncoderShape { t: shape.t.max(2), padded: true, ..shape.usual() };
        let padded = padded_at_the_end(&padded.encoder(seed));
        let words = (
            "An id at padding is beyond the vocabulary, and an id of V or more is an error wherever it stands, so \
             `forward` should return an error",
            "Look at which ids are compared with the vocabulary, and at what is done with ids before that.",
        );
        refuses(subject, (&padded, &with_unknown_padding(&padded, *by)), words)?;
        let output = encode(subject, &case)?;
        output_responds(subject, &case, &output)
    })
}

/// The case with a table of positions, whatever it stands below, that is too short by that many rows.
pub fn too_long(case: &Case, by: usize) -> Case {
    let t = case.get("ids").dim(1);
    let max_len = t - by.min(t.saturating_sub(1));
    let ending = "position_embedding.weight";
    let of_positions = case.parameters.iter().find(|(name, _)| name.ends_with(ending));
    let name = of_positions.map_or(ending, |(name, _)| name);
    let table = case.get_parameter(name);
    let shape = [max_len, table.dim(1)];
    let shorter = Array::from_fn(&shape, |at| table.at(at));
    let mut long = case.with_parameter(name, &shorter).with_size("max_len", max_len);
    long.label = format!("{}, T={t} max_len={max_len}", case.label);
    long
}

pub(super) fn refuses_too_long(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder/refuses-too-long", seed);
    search(subject, run, 3, (encoder_shapes(), 1..=2_usize), |subject, (shape, by)| {
        // A text as long as the table is the longest that fits.
        let full = EncoderShape { t: shape.t.max(2), spare: 0, pre_norm: true, ..*shape };
        let case = full.encoder(seed);
        let words = (
            "The sequence is longer than max_len, so `forward` should return an error",
            "Look at what is asked of the table of positions beyond its end.",
        );
        refuses(subject, (&case, &too_long(&case, *by)), words)
    })
}
