//! The weights of a pretrained encoder, from a safetensors file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use candle_core::safetensors::Load as _;
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use safetensors::tensor::{Metadata, TensorInfo, TensorView};
use softmark_common::pretrained::{published_name, published_names};

use crate::pretrained::config::{PretrainedConfig, PretrainedError};

/// Maximum length of a header in bytes, as in the format's specification.
const LONGEST_HEADER: u64 = 100_000_000;

/// The parameters of an encoder by the kit's names, in `f32`.
#[derive(Debug, Clone)]
pub struct Weights {
    tensors: BTreeMap<String, Tensor>,
}

impl Weights {
    /// Reads the parameters of an encoder of these sizes, one tensor at a time: the memory in use is at most
    /// the weights and one tensor. Numbers of half precision are converted to `f32`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is cut off, lacks a parameter, or has one in another shape.
    pub fn read(
        path: &Path,
        config: &PretrainedConfig,
        device: &Device,
    ) -> Result<Self, PretrainedError> {
        let file = File::open(path).map_err(unreadable)?;
        Self::from_reader(file, config, device)
    }

    /// Reads the parameters from memory.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read).
    pub fn from_bytes(
        bytes: &[u8],
        config: &PretrainedConfig,
        device: &Device,
    ) -> Result<Self, PretrainedError> {
        Self::from_reader(Cursor::new(bytes), config, device)
    }

    fn from_reader<R: Read + Seek>(
        from: R,
        config: &PretrainedConfig,
        device: &Device,
    ) -> Result<Self, PretrainedError> {
        let mut file = Stored::open(from)?;
        let mut tensors = BTreeMap::new();
        for (ours, wanted) in config.parameters() {
            let names = published_names(config.family, &ours);
            let mut there =
                names.iter().filter_map(|name| Some((name, file.header.info(name)?.clone())));
            let Some((name, info)) = there.next() else {
                let name = published_name(config.family, &ours).unwrap_or_default();
                return Err(PretrainedError::Missing { name, ours });
            };
            if there.next().is_some() {
                return Err(PretrainedError::Twice { name: ours });
            }
            if info.shape != wanted {
                return Err(PretrainedError::Shape { name: ours, there: info.shape, wanted });
            }
            let tensor = file.tensor(name, &info, device)?;
            tensors.insert(ours, tensor);
        }
        Ok(Self { tensors })
    }

    /// Returns every parameter, sorted by name.
    pub fn tensors(&self) -> &BTreeMap<String, Tensor> {
        &self.tensors
    }

    /// Returns a builder that hands out the parameters as constants: modules built with it are not trained.
    pub fn builder(&self) -> VarBuilder<'static> {
        let device = self.tensors.values().next().map_or(Device::Cpu, |it| it.device().clone());
        VarBuilder::from_tensors(self.tensors.clone().into_iter().collect(), DType::F32, &device)
    }
}

/// An open safetensors file whose header was checked against the file's length.
struct Stored<R> {
    from: R,
    header: Metadata,
    /// Offset of the first tensor.
    start: u64,
}

#[expect(clippy::needless_pass_by_value, reason = "what is mapped over errors takes them")]
fn unreadable(error: io::Error) -> PretrainedError {
    PretrainedError::Unreadable(error.to_string())
}

fn cut_off() -> PretrainedError {
    PretrainedError::Weights("the file is cut off, or longer than its header says".to_owned())
}

impl<R: Read + Seek> Stored<R> {
    /// Reads the header. Memory is allocated only for sizes that the file's length permits.
    fn open(mut from: R) -> Result<Self, PretrainedError> {
        let end = from.seek(SeekFrom::End(0)).map_err(unreadable)?;
        from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let mut length = [0; 8];
        from.read_exact(&mut length).map_err(|_| cut_off())?;
        let length = u64::from_le_bytes(length);
        let start = length.saturating_add(8);
        if length > LONGEST_HEADER || start > end {
            return Err(cut_off());
        }
        let mut header = Vec::new();
        from.by_ref().take(length).read_to_end(&mut header).map_err(unreadable)?;
        let header: Metadata = serde_json::from_slice(&header)
            .map_err(|error| PretrainedError::Weights(format!("its header: {error}")))?;
        let numbers = u64::try_from(header.data_len()).unwrap_or(u64::MAX);
        if start.checked_add(numbers) != Some(end) {
            return Err(cut_off());
        }
        Ok(Self { from, header, start })
    }

    fn tensor(
        &mut self,
        name: &str,
        info: &TensorInfo,
        device: &Device,
    ) -> Result<Tensor, PretrainedError> {
        let said = |error: String| PretrainedError::Weights(format!("`{name}`: {error}"));
        let (from, to) = info.data_offsets;
        let at = self.start + from as u64;
        self.from.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        let mut bytes = Vec::with_capacity(to - from);
        let taken = self.from.by_ref().take((to - from) as u64).read_to_end(&mut bytes);
        taken.map_err(unreadable)?;
        let view = TensorView::new(info.dtype, info.shape.clone(), &bytes)
            .map_err(|error| said(error.to_string()))?;
        let tensor = view.load(device).and_then(|tensor| tensor.to_dtype(DType::F32));
        tensor.map_err(|error| said(error.to_string()))
    }
}
