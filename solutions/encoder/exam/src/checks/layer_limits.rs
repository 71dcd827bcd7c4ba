//! Checks that an encoder layer passes on the errors of its attention.

use encoder_checks::cases::{EncoderShape, encoder_shapes};
use softmark_checks::subject::refuses;
use softmark_checks::{CheckError, Outcome, Subject, search};
use softmark_exam::limits::{with_longer_mask, with_other_masks};

pub(crate) fn refuses_uneven_heads(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/refuses-uneven-heads", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let fitting = EncoderShape { h: 1, k: 5, ..*shape }.encoder_layer(seed);
        for heads in [2, 0] {
            let mut uneven = fitting.with_size("heads", heads);
            uneven.label = format!("D=5 H={heads}");
            let claim = format!(
                "{heads} heads do not divide a width of 5, so what makes the attention returns an \
                 error, and `new` should pass it on"
            );
            let look =
                "Look at what `new` does with the number of heads, and with the result of `below`.";
            refuses(subject, (&fitting, &uneven), (&claim, look))?;
        }
        let several = EncoderShape { b: shape.b.max(2), t: shape.t.max(2), ..*shape };
        let case = several.encoder_layer(seed);
        let words = (
            "The mask does not fit the sequences, so the attention returns an error, and `forward` \
             should pass it on",
            "Look at what is done with the mask on its way to the attention.",
        );
        let misfits = with_other_masks(&case).into_iter().chain([with_longer_mask(&case)]);
        misfits.into_iter().try_for_each(|misfit| refuses(subject, (&case, &misfit), words))
    })
}
