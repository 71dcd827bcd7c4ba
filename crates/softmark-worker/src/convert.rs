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

/// The same elements in a view whose last two axes are swapped in memory.
///
/// A tensor with fewer than two axes has no such view and comes back as it is.
pub(crate) fn strided(tensor: &Tensor) -> Result<Tensor> {
    let rank = tensor.rank();
    if rank < 2 {
        return Ok(tensor.clone());
    }
    tensor.transpose(rank - 2, rank - 1)?.contiguous()?.transpose(rank - 2, rank - 1)
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
    use super::*;

    #[test]
    fn a_strided_view_has_the_same_elements() {
        let x = Tensor::arange(0_f32, 6.0, &Device::Cpu).unwrap().reshape((1, 2, 3)).unwrap();
        let view = strided(&x).unwrap();
        assert!(!view.is_contiguous());
        assert_eq!(to_wire("x", &view).unwrap(), to_wire("x", &x).unwrap());
    }

    #[test]
    fn half_precision_is_named_as_such() {
        let x = Tensor::zeros(2, DType::F16, &Device::Cpu).unwrap();
        let failure = to_wire("weights", &x).unwrap_err();
        assert_eq!(failure.message, "`weights` has dtype f16; f32 is expected");
    }
}
