//! Tensors of the wire as tensors of candle, and back.

use candle_core::{DType, Device, Result, Tensor};
use softmark_wire::{Data, Failure, FailureKind, Tensor as WireTensor};

/// The candle tensor with the same shape, type and elements.
pub(crate) fn to_candle(tensor: &WireTensor, device: &Device) -> Result<Tensor> {
    let shape = tensor.shape();
    match tensor.data() {
        Data::F32(v) => Tensor::from_slice(v, shape, device),
        Data::F64(v) => Tensor::from_slice(v, shape, device),
        Data::U8(v) => Tensor::from_slice(v, shape, device),
        Data::U32(v) => Tensor::from_slice(v, shape, device),
        Data::I64(v) => Tensor::from_slice(v, shape, device),
    }
}

/// The same elements in a view that is not contiguous in memory, of a kind that models make.
///
/// Four axes are laid out as `[B, T, H, K]` and seen as `[B, H, T, K]`, which is what splitting
/// heads leaves. Fewer are cut out of rows that are twice as long, as a slice of channels is.
///
/// (Not a view with its last two axes swapped: with such an input and more than one example,
/// `candle_nn::Linear` of candle 0.11.1 multiplies the wrong rows, and the student would be to
/// blame for that.)
pub(crate) fn strided(tensor: &Tensor) -> Result<Tensor> {
    match tensor.rank() {
        0 => Ok(tensor.clone()),
        4 => tensor.transpose(1, 2)?.contiguous()?.transpose(1, 2),
        rank => {
            let last = rank - 1;
            Tensor::cat(&[tensor, tensor], last)?.narrow(last, 0, tensor.dim(last)?)
        }
    }
}

/// What to send for a student's tensor, or why it cannot be sent.
#[expect(clippy::wildcard_enum_match_arm, reason = "every type that candle has or will have")]
pub(crate) fn to_wire(name: &str, tensor: &Tensor) -> std::result::Result<WireTensor, Failure> {
    let unsendable =
        |message: String| Failure { kind: FailureKind::Unsendable, message, place: String::new() };
    let flat = tensor.flatten_all().map_err(|error| unsendable(error.to_string()))?;
    let data = match tensor.dtype() {
        DType::F32 => flat.to_vec1().map(Data::F32),
        DType::F64 => flat.to_vec1().map(Data::F64),
        DType::U8 => flat.to_vec1().map(Data::U8),
        DType::U32 => flat.to_vec1().map(Data::U32),
        DType::I64 => flat.to_vec1().map(Data::I64),
        other => {
            let message = format!("`{name}` has dtype {}; f32 is expected", other.as_str());
            return Err(unsendable(message));
        }
    };
    let data = data.map_err(|error| unsendable(error.to_string()))?;
    WireTensor::new(tensor.dims(), data).map_err(|error| unsendable(format!("`{name}`: {error}")))
}

#[cfg(test)]
mod tests {
    use candle_nn::{Linear, Module};

    use super::*;

    #[test]
    fn a_strided_view_has_the_same_elements() {
        for shape in [vec![2, 3], vec![2, 2, 3], vec![2, 2, 2, 3]] {
            let n: usize = shape.iter().product();
            let x = Tensor::arange(0_f32, n as f32, &Device::Cpu).unwrap().reshape(shape).unwrap();
            let view = strided(&x).unwrap();
            assert!(!view.is_contiguous());
            assert_eq!(to_wire("x", &view).unwrap(), to_wire("x", &x).unwrap());
        }
    }

    /// A view whose rows are cut out of longer ones is what `candle_nn::Linear` reads as it is meant; of one
    /// with its last two axes swapped it reads the wrong rows, and so no check hands out such a view.
    #[test]
    fn a_linear_map_of_a_strided_view_is_that_of_a_contiguous_tensor() {
        let numbers = |n: usize, shape: &[usize]| {
            let numbers: Vec<f32> = (0..n).map(|at| (at * 7 % 16) as f32 / 8.0 - 1.0).collect();
            Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
        };
        let (b, t, d) = (2, 3, 4);
        let (weight, bias) = (numbers(d * d, &[d, d]), numbers(d, &[d]));
        let linear = Linear::new(weight, Some(bias));
        let x = numbers(b * t * d, &[b, t, d]);
        let view = strided(&x).unwrap();
        assert!(!view.is_contiguous());
        let [of_view, of_tensor] = [&view, &x].map(|x| linear.forward(x).unwrap());
        assert_eq!(to_wire("y", &of_view).unwrap(), to_wire("y", &of_tensor).unwrap());
    }

    #[test]
    fn half_precision_is_named_as_such() {
        let x = Tensor::zeros(2, DType::F16, &Device::Cpu).unwrap();
        let failure = to_wire("weights", &x).unwrap_err();
        assert_eq!(failure.message, "`weights` has dtype f16; f32 is expected");
    }
}
