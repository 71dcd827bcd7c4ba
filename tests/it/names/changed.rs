//! Relatives of known mistakes: what is right of a changed question, or changed numbers of a right answer.
//!
//! A submission that leaves a bias out answers as a right one whose bias is zero. They share no code with the
//! imitations, since oracles are written apart from those.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use super::answers::{
    attention, chosen, debugging, encoder, flipped, last_best, of_one_layer, output, parameter,
    setting, shares, swapped_norms, taken, tuning, with_calls, with_mask, within, zeroed,
};

/// The assignment and the task, the mistakes that are made, and the answer.
pub(super) type Relative =
    (&'static str, &'static str, &'static [&'static str], fn(&Case) -> Response);

/// The relatives of all assignments but `modern`.
pub(super) const RELATIVES: &[Relative] = &[
    ("attention", "classifier", &["texts-without-positions"], |case| {
        attention(&zeroed(case, "position_embedding.weight"))
    }),
    ("attention", "classifier", &["shares-instead-of-logits"], |case| {
        output(attention(case), "logits", shares)
    }),
    ("attention", "classifier", &["tokens-times-root-of-width"], |case| {
        let root = (case.get_size("d_model") as f64).sqrt();
        attention(&parameter(case, "token_embedding.weight", |x| x * root))
    }),
    ("attention", "classifier", &["attention-not-normed"], |case| {
        attention(&case.with_size("norm", 0))
    }),
    ("attention", "classifier", &["pooling-whatever-asked"], |case| {
        attention(&case.with_size("kind", 0))
    }),
    ("attention", "classifier", &["unknown-words-let-pass"], |case| {
        attention(&within(case, "ids"))
    }),
    ("attention", "classifier", &["unknown-words-panic"], |case| {
        let most = case.get_size("vocabulary") as f64;
        let unknown = case.get("ids").values().iter().any(|id| *id >= most);
        if unknown { Response::Panicked } else { attention(case) }
    }),
    ("attention", "classifier", &["shares-instead-of-logits", "attention-not-normed"], |case| {
        output(attention(&case.with_size("norm", 0)), "logits", shares)
    }),
    ("encoder", "feed-forward", &["maps-without-bias"], |case| {
        encoder(&zeroed(case, "linear1.bias"))
    }),
    ("encoder", "feed-forward", &["activation-swapped"], |case| encoder(&flipped(case, "gelu"))),
    ("encoder", "feed-forward", &["one-activation-for-all"], |case| {
        encoder(&case.with_size("gelu", 1))
    }),
    ("encoder", "feed-forward", &["network-adds-its-input"], |case| {
        let x = case.get("x");
        output(encoder(case), "output", |y| Array::from_fn(y.shape(), |at| y.at(at) + x.at(at)))
    }),
    ("encoder", "feed-forward", &["hidden-dropout-missing"], |case| {
        encoder(&case.with_size("train", 0))
    }),
    ("encoder", "feed-forward", &["hidden-dropout-always"], |case| {
        encoder(&case.with_size("train", 1))
    }),
    ("encoder", "feed-forward", &["maps-without-bias", "one-activation-for-all"], |case| {
        encoder(&zeroed(&case.with_size("gelu", 0), "linear2.bias"))
    }),
    ("encoder", "encoder-layer", &["norm-placements-swapped"], |case| {
        encoder(&flipped(case, "pre_norm"))
    }),
    ("encoder", "encoder-layer", &["always-post-norm"], |case| {
        encoder(&case.with_size("pre_norm", 0))
    }),
    ("encoder", "encoder-layer", &["norms-swapped"], |case| encoder(&swapped_norms(case))),
    ("encoder", "encoder-layer", &["norms-swapped"], |case| {
        if case.get_size("pre_norm") == 1 { encoder(&swapped_norms(case)) } else { encoder(case) }
    }),
    ("encoder", "encoder-layer", &["norm-without-affine"], |case| {
        encoder(&zeroed(&zeroed(case, "norm1.bias"), "norm2.bias"))
    }),
    ("encoder", "encoder-layer", &["layer-hides-nothing"], |case| {
        encoder(&with_mask(case, |_| 1.0))
    }),
    ("encoder", "encoder-layer", &["layer-mask-inverted"], |case| {
        encoder(&with_mask(case, |x| 1.0 - x))
    }),
    ("encoder", "encoder-layer", &["layer-hides-nothing", "norms-swapped"], |case| {
        encoder(&swapped_norms(&with_mask(case, |_| 1.0)))
    }),
    ("encoder", "encoder", &["encoder-hides-nothing"], |case| encoder(&with_mask(case, |_| 1.0))),
    ("encoder", "encoder", &["encoder-mask-inverted"], |case| {
        encoder(&with_mask(case, |x| 1.0 - x))
    }),
    ("encoder", "encoder", &["positions-missing"], |case| {
        encoder(&zeroed(case, "position_embedding.weight"))
    }),
    ("encoder", "encoder", &["tokens-scaled"], |case| {
        let root = (case.get_size("d_model") as f64).sqrt();
        encoder(&parameter(case, "token_embedding.weight", |x| x * root))
    }),
    ("encoder", "encoder", &["layers-share-parameters"], |case| encoder(&of_one_layer(case))),
    ("encoder", "encoder", &["layers-left-out"], |case| {
        encoder(&case.with_size("layers", case.get_size("layers").min(1)))
    }),
    ("encoder", "encoder", &["unknown-ids-taken"], |case| encoder(&within(case, "ids"))),
    ("encoder", "encoder", &["mask-made-of-ids"], |case| {
        let mask = case.get("ids").map(|id| f64::from(u8::from(id != 0.0)));
        encoder(&case.with("mask", mask))
    }),
    ("encoder", "encoder", &["tokens-scaled", "unknown-ids-taken"], |case| {
        let root = (case.get_size("d_model") as f64).sqrt();
        encoder(&within(&parameter(case, "token_embedding.weight", |x| x * root), "ids"))
    }),
    ("encoder", "classifier", &["head-without-bias"], |case| {
        encoder(&zeroed(case, "classifier.bias"))
    }),
    ("encoder", "classifier", &["softmax-after-head"], |case| {
        output(encoder(case), "logits", shares)
    }),
    ("encoder", "classifier", &["encoder-told-otherwise"], |case| {
        encoder(&case.with_size("train", 0))
    }),
    ("encoder", "classifier", &["activation-at-head"], |case| {
        output(encoder(case), "logits", |it| it.map(|x| x.max(0.0)))
    }),
    ("encoder", "classifier", &["head-without-bias", "softmax-after-head"], |case| {
        output(encoder(&zeroed(case, "classifier.bias")), "logits", shares)
    }),
    ("encoder", "glove", &["last-line-counts"], |case| {
        let text = case.get("vectors").to_text().unwrap();
        let lines: Vec<&str> = text.lines().rev().collect();
        encoder(&case.with("vectors", Array::from_text(&(lines.join("\n") + "\n"))))
    }),
    ("encoder", "glove", &["coverage-miscounted"], |case| {
        output(encoder(case), "coverage", |it| {
            Array::from_fn(it.shape(), |at| it.at(at) + at[0] as f64)
        })
    }),
    ("encoder", "glove", &["missing-words-alike"], |case| {
        let seed = case.get_size("seed") + 1;
        let other = encoder(&case.with_size("seed", seed));
        output(encoder(case), "table", |table| {
            let other = taken(&other, "table");
            Array::from_fn(table.shape(), |at| {
                if table.at(at) == other.at(at) { table.at(at) } else { 0.0 }
            })
        })
    }),
    ("encoder", "glove", &["rows-misplaced"], |case| {
        output(encoder(case), "table", |table| {
            let rows = table.dim(0);
            Array::from_fn(table.shape(), |at| table.at(&[(at[0] + 1) % rows, at[1]]))
        })
    }),
    ("encoder", "sweep", &["chosen-by-other-scores"], |case| {
        chosen(case, &case.with("validation", case.get("test")))
    }),
    ("encoder", "sweep", &["lowest-wins"], |case| {
        chosen(case, &case.with("validation", case.get("validation").map(|x| -x)))
    }),
    ("encoder", "sweep", &["budget-overrun"], |case| encoder(&case.with_size("budget", 1_000))),
    ("encoder", "sweep", &["last-of-equals"], |case| {
        let right = encoder(case);
        let best = last_best(&taken(&right, "accuracies"));
        output(right, "best", |it| it.map(|_| best))
    }),
    ("encoder", "sweep", &["budget-overrun", "lowest-wins"], |case| {
        let case = case.with_size("budget", 1_000);
        chosen(&case, &case.with("validation", case.get("validation").map(|x| -x)))
    }),
    ("debugging", "capture", &["only-last-call-kept"], |case| {
        with_calls(case, |calls| calls.last().cloned().into_iter().collect())
    }),
    ("debugging", "capture", &["only-first-call-kept"], |case| {
        with_calls(case, |calls| calls.into_iter().take(1).collect())
    }),
    ("debugging", "capture", &["calls-in-reverse"], |case| {
        with_calls(case, |calls| calls.into_iter().rev().collect())
    }),
    ("debugging", "capture", &["hook-left-behind"], |case| {
        let left = f64::from(u8::from(case.get_size("module") < 2));
        output(debugging(case), "still_watched", |it| it.map(|_| left))
    }),
    ("debugging", "capture", &["history-kept"], |case| {
        let count = taken(&debugging(case), "count");
        output(debugging(case), "with_history", |_| count)
    }),
    ("debugging", "capture", &["calls-in-reverse", "history-kept"], |case| {
        let right = with_calls(case, |calls| calls.into_iter().rev().collect());
        let count = taken(&right, "count");
        output(right, "with_history", |_| count)
    }),
    ("debugging", "statistics", &["logarithm-to-base-two"], |case| {
        output(debugging(case), "entropy", |it| it.map(|x| x / 2_f64.ln()))
    }),
    ("debugging", "statistics", &["distance-not-halved"], |case| {
        output(debugging(case), "from_uniform", |it| it.map(|x| 2.0 * x))
    }),
    ("debugging", "statistics", &["heads-counted-together"], |case| {
        let mean = |it: &Array| {
            let mean = it.values().iter().sum::<f64>() / it.dim(0) as f64;
            it.map(|_| mean)
        };
        let names = ["entropy", "from_uniform", "on_padding"];
        names.iter().fold(debugging(case), |response, name| output(response, name, mean))
    }),
    ("debugging", "statistics", &["no-token-no-error"], |case| {
        let response = debugging(case);
        if response != Response::Refused {
            return response;
        }
        let none = Array::full(&[case.get("weights").dim(1)], f64::NAN);
        let names = ["entropy", "from_uniform", "on_padding"].map(str::to_owned);
        Response::Outputs(BTreeMap::from(names.map(|name| (name, none.clone()))))
    }),
    ("debugging", "statistics", &["distance-not-halved", "logarithm-to-base-two"], |case| {
        let halved = output(debugging(case), "from_uniform", |it| it.map(|x| 2.0 * x));
        output(halved, "entropy", |it| it.map(|x| x / 2_f64.ln()))
    }),
    ("prefix-tuning", "prefix", &["tuned-head-without-bias"], |case| {
        tuning(&zeroed(case, "classifier.bias"))
    }),
    ("prefix-tuning", "prefix", &["tuned-softmax"], |case| output(tuning(case), "logits", shares)),
    ("prefix-tuning", "prefix", &["encoder-never-told"], |case| {
        tuning(&case.with_size("train", 0))
    }),
    ("prefix-tuning", "prefix", &["encoder-always-told-to-train"], |case| {
        tuning(&case.with_size("train", 1))
    }),
    ("prefix-tuning", "prefix", &["encoder-never-told", "tuned-softmax"], |case| {
        output(tuning(&case.with_size("train", 0)), "logits", shares)
    }),
    ("prefix-tuning", "partial", &["partial-softmax"], |case| {
        output(tuning(case), "logits", shares)
    }),
    ("prefix-tuning", "partial", &["tuned-layers-never-told"], |case| {
        tuning(&case.with_size("base_dropout_permille", 0))
    }),
    ("prefix-tuning", "partial", &["partial-mask-ignored"], |case| {
        tuning(&with_mask(case, |_| 1.0))
    }),
    ("prefix-tuning", "partial", &["head-dropout-never"], |case| {
        tuning(&case.with_size("dropout_permille", 0))
    }),
    ("prefix-tuning", "partial", &["partial-mask-ignored", "head-dropout-never"], |case| {
        tuning(&with_mask(&case.with_size("dropout_permille", 0), |_| 1.0))
    }),
    ("prefix-tuning", "loop", &["clipping-missing"], |case| tuning(&setting(case, 3, 1e9))),
    ("prefix-tuning", "loop", &["weight-decay-missing"], |case| tuning(&setting(case, 2, 0.0))),
    ("prefix-tuning", "loop", &["warm-up-missing"], |case| tuning(&setting(case, 1, 0.0))),
    ("prefix-tuning", "loop", &["patience-ignored"], |case| {
        tuning(&case.with_size("patience", 100))
    }),
    ("prefix-tuning", "loop", &["patience-one-more"], |case| {
        tuning(&case.with_size("patience", case.get_size("patience") + 1))
    }),
    ("prefix-tuning", "loop", &["clipping-missing", "weight-decay-missing"], |case| {
        tuning(&setting(&setting(case, 3, 1e9), 2, 0.0))
    }),
    ("prefix-tuning", "checkpoint", &["labels-lost"], |case| {
        let response = tuning(case);
        if case.part() == "save" {
            output(response, "labels", |_| Array::new(&[0], vec![]))
        } else {
            response
        }
    }),
    ("prefix-tuning", "checkpoint", &["loaded-into-copies"], |case| {
        let response = tuning(case);
        if case.part() == "save" {
            response
        } else {
            output(response, "values", |_| case.get("fresh"))
        }
    }),
    ("prefix-tuning", "checkpoint", &["settings-forgotten"], |case| {
        output(tuning(case), "told", |it| it.map(|_| 0.0))
    }),
    ("prefix-tuning", "checkpoint", &["encoder-in-the-checkpoint"], |case| {
        let all = case.get("learns").map(|_| 1.0);
        if case.part() == "save" { tuning(&case.with("learns", all)) } else { tuning(case) }
    }),
    ("prefix-tuning", "checkpoint", &["loaded-into-copies", "settings-forgotten"], |case| {
        let response = output(tuning(case), "told", |it| it.map(|_| 0.0));
        if case.part() == "save" {
            response
        } else {
            output(response, "values", |_| case.get("fresh"))
        }
    }),
];
