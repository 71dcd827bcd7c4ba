//! Conversion between wire tensors and candle tensors.

use candle_core::{DType, Device, Result, Tensor};
use softmark_wire::{Data, Failure, FailureKind, Tensor as WireTensor};

/// Returns the candle tensor with the same shape, type and elements.
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

/// Returns a non-contiguous view with the same elements, of a kind that occurs in models.
///
/// A tensor with four axes is stored as `[B, T, H, K]` and viewed as `[B, H, T, K]`, as after splitting
/// heads. A tensor with fewer axes is cut out of rows twice as long, as a slice of channels is.
///
/// (A view with its last two axes swapped is not used: for such an input with more than one example,
/// `candle_nn::Linear` of candle 0.11.1 multiplies the wrong rows, and the student would be blamed for it.)
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

/// Converts a student's tensor to a wire tensor, or returns the reason why it cannot be sent.
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

    /// `candle_nn::Linear` reads a view correctly if its rows are cut out of longer ones. It reads the wrong
    /// rows of a view with its last two axes swapped, so no check uses such views.
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
