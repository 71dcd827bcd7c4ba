//! Access to the elements of tensors in host memory.

use candle_core::{
    CpuStorage, Layout, Result, Shape, Storage, StorageRef, Tensor, WithDType, bail,
};

/// The elements of a tensor, locked for reading.
#[derive(Debug)]
pub(in crate::nn) struct Host<'a> {
    storage: StorageRef<'a>,
    layout: &'a Layout,
}

impl<'a> Host<'a> {
    /// Locks the storage of `x`.
    pub(in crate::nn) fn of(x: &'a Tensor) -> Self {
        let (storage, layout) = x.storage_and_layout();
        Self { storage, layout }
    }

    /// Returns all elements of the storage, and the tensor's layout.
    pub(in crate::nn) fn strided<T: WithDType>(&self) -> Result<(&[T], &Layout)> {
        let (storage, layout) = self.cpu()?;
        Ok((storage.as_slice()?, layout))
    }

    /// Returns the storage, and the tensor's layout.
    pub(in crate::nn) fn cpu(&self) -> Result<(&CpuStorage, &Layout)> {
        match &*self.storage {
            Storage::Cpu(storage) => Ok((storage, self.layout)),
            Storage::Cuda(_) | Storage::Metal(_) => bail!("a fused kernel reads CPU tensors only"),
        }
    }

    /// Returns the elements of the tensor in row-major order; fails if the tensor is not contiguous.
    pub(in crate::nn) fn slice<T: WithDType>(&self) -> Result<&[T]> {
        let (all, layout) = self.strided()?;
        within(all, layout)
    }
}

/// Returns the elements of a contiguous tensor inside of an operation.
pub(in crate::nn) fn contiguous<'a, T: WithDType>(
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<&'a [T]> {
    within(storage.as_slice()?, layout)
}

fn within<'a, T>(all: &'a [T], layout: &Layout) -> Result<&'a [T]> {
    match layout.contiguous_offsets().and_then(|(from, to)| all.get(from..to)) {
        Some(numbers) => Ok(numbers),
        None => bail!("a fused kernel was handed a tensor that is not contiguous: {layout:?}"),
    }
}

/// Returns the result of an operation, from its elements and their shape.
pub(in crate::nn) fn of_shape<T: WithDType>(
    numbers: Vec<T>,
    shape: impl Into<Shape>,
) -> (CpuStorage, Shape) {
    (T::to_cpu_storage_owned(numbers), shape.into())
}
