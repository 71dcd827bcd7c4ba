//! Experiments as they come from a submission's process: any tensors at all.

use softmark_checks::subject::Named;
use softmark_checks::{Array, Case};
use softmark_common::debugging::layer_parameter_shapes;
use softmark_common::encoder::{Activation, EncoderConfig, NormPlacement};
use softmark_wire::{DType, Tensor};

/// The most texts and tokens that a suspect is run on.
const MOST: [usize; 2] = [8, 16];

/// The config of a suspect as the kit has it.
pub(super) fn kit_config(case: &Case) -> EncoderConfig {
    EncoderConfig {
        vocabulary: 1,
        max_len: 1,
        d_model: case.get_size("d_model"),
        heads: case.get_size("heads"),
        d_ff: case.get_size("d_ff"),
        layers: 1,
        norm: if case.get_size("pre_norm") == 1 { NormPlacement::Pre } else { NormPlacement::Post },
        activation: if case.get_size("gelu") == 1 { Activation::Gelu } else { Activation::Relu },
        dropout: 0.0,
    }
}

/// One of the named tensors, which has to be of that type.
fn find<'a>(all: &'a Named, name: &str, dtype: DType) -> Result<&'a Tensor, String> {
    let found = all.iter().find(|(of, _)| of == name).map(|(_, tensor)| tensor);
    let tensor = found.ok_or_else(|| format!("the experiment has no `{name}`"))?;
    if tensor.dtype() != dtype {
        return Err(format!("`{name}` is {}, and not {dtype}", tensor.dtype()));
    }
    Ok(tensor)
}

/// The question that an experiment is, put to a layer of the sizes of `config`.
///
/// # Errors
///
/// What does not fit, in words for the detector's author.
pub(super) fn read(config: &Case, parameters: &Named, inputs: &Named) -> Result<Case, String> {
    let (x, mask) = (find(inputs, "x", DType::F32)?, find(inputs, "mask", DType::U8)?);
    let d = config.get_size("d_model");
    let &[b, t, width] = x.shape() else {
        return Err(format!("`x` is [B, T, D], and not {:?}", x.shape()));
    };
    if width != d || b == 0 || t == 0 || b > MOST[0] || t > MOST[1] {
        return Err(format!(
            "`x` is [B, T, {d}] with B up to {} and T up to {}, and not {:?}",
            MOST[0],
            MOST[1],
            x.shape()
        ));
    }
    if mask.shape() != [b, t] {
        return Err(format!("`mask` is {:?} for this `x`, and not {:?}", [b, t], mask.shape()));
    }
    let mask = Array::from_tensor(mask);
    if mask.values().iter().any(|bit| *bit != 0.0 && *bit != 1.0) {
        return Err("`mask` holds something else than 0 and 1".to_owned());
    }
    let mut case = config.clone();
    for (name, shape) in layer_parameter_shapes(kit_config(config)) {
        let tensor = find(parameters, &name, DType::F32)?;
        if tensor.shape() != shape {
            return Err(format!("`{name}` is {shape:?}, and not {:?}", tensor.shape()));
        }
        case = case.parameter(name, Array::from_tensor(tensor));
    }
    Ok(case.input("x", Array::from_tensor(x)).mask(Some(mask)))
}

/// What came of it, as it travels.
#[expect(clippy::unnecessary_wraps, reason = "as the engine wants it")]
pub(super) fn write((output, weights): (Array, Array)) -> Result<Vec<(String, Tensor)>, String> {
    Ok(vec![("output".to_owned(), output.to_f32()), ("weights".to_owned(), weights.to_f32())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::{SIZES, config};

    type Owned = Vec<(String, Tensor)>;

    fn experiment() -> (Case, Owned, Owned) {
        let config = config(SIZES[0], [true, true]);
        let zeros = |shape: &[usize]| Array::full(shape, 0.5).to_f32();
        let shapes = layer_parameter_shapes(kit_config(&config));
        let parameters = shapes.into_iter().map(|(name, shape)| (name, zeros(&shape))).collect();
        let mask = Array::full(&[2, 3], 1.0).to_mask();
        (config, parameters, vec![("x".to_owned(), zeros(&[2, 3, 8])), ("mask".to_owned(), mask)])
    }

    #[test]
    fn what_fits_is_read() {
        let (config, parameters, inputs) = experiment();
        let case = read(&config, &parameters, &inputs).unwrap();
        assert_eq!(case.get("x").shape(), [2, 3, 8]);
        assert_eq!(case.get_parameter("norm1.weight").shape(), [8]);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        type Spoil = fn(&mut Owned, &mut Owned);
        let spoils: [(Spoil, &str); 8] = [
            (|_, inputs| drop(inputs.remove(0)), "has no `x`"),
            (|_, inputs| inputs[0].1 = Array::full(&[2, 3], 0.0).to_f32(), "`x` is [B, T, D]"),
            (|_, inputs| inputs[0].1 = Array::full(&[2, 3, 7], 0.0).to_f32(), "`x` is [B, T, 8]"),
            (|_, inputs| inputs[0].1 = Array::full(&[2, 17, 8], 0.0).to_f32(), "T up to 16"),
            (|_, inputs| inputs[1].1 = Array::full(&[3, 2], 1.0).to_mask(), "`mask` is [2, 3]"),
            (|_, inputs| inputs[1].1 = Array::full(&[2, 3], 1.0).to_f32(), "`mask` is f32"),
            (|parameters, _| drop(parameters.remove(0)), "has no `feed_forward.linear1.bias`"),
            (
                |parameters, _| parameters[0].1 = Array::full(&[5], 0.0).to_f32(),
                "`feed_forward.linear1.bias` is [12], and not [5]",
            ),
        ];
        for (spoil, told) in spoils {
            let (config, mut parameters, mut inputs) = experiment();
            spoil(&mut parameters, &mut inputs);
            let error = read(&config, &parameters, &inputs).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
