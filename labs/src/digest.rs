//! Digests of settings, data and initial parameters, by which saved runs are recognized.

use std::fmt::Write as _;

use anyhow::Result;
use candle_core::{DType, Tensor};
use sha2::{Digest as _, Sha256};
use softmark_kit::train::Examples;

/// SHA-256 over a list of pieces; no two lists of pieces are hashed as the same bytes.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Returns the digest of an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece.
    #[must_use]
    pub fn bytes(mut self, piece: &[u8]) -> Self {
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, piece: &str) -> Self {
        self.bytes(piece.as_bytes())
    }

    /// Adds examples: the ids and the label of each.
    #[must_use]
    pub fn examples(mut self, examples: &Examples) -> Self {
        self.0.update((examples.len() as u64).to_le_bytes());
        for (ids, label) in examples.ids.iter().zip(&examples.labels) {
            let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
            self = self.bytes(&bytes).bytes(&label.to_le_bytes());
        }
        self
    }

    /// Adds tensors: the name, the shape and the values of each, as `f32`.
    ///
    /// # Errors
    ///
    /// Fails if the values cannot be copied from the device.
    pub fn tensors<'a>(
        mut self,
        tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>,
    ) -> Result<Self> {
        for (name, tensor) in tensors {
            let values = tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>()?;
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            self = self.text(name).text(&format!("{:?}", tensor.dims())).bytes(&bytes);
        }
        Ok(self)
    }

    /// Returns the digest in hexadecimal.
    pub fn finish(self) -> String {
        let mut text = String::new();
        for byte in self.0.finalize() {
            write!(text, "{byte:02x}").ok();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_of_pieces_count() {
        let of =
            |pieces: &[&str]| pieces.iter().fold(Digest::new(), |all, it| all.text(it)).finish();
        assert_eq!(of(&["ab", "c"]).len(), 64);
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }

    #[test]
    fn examples_differ_by_ids_labels_and_grouping() {
        let of = |ids: &[&[u32]], labels: &[u32]| {
            let ids = ids.iter().map(|ids| ids.to_vec()).collect();
            Digest::new().examples(&Examples { ids, labels: labels.to_vec() }).finish()
        };
        let one = of(&[&[1, 2], &[3]], &[0, 1]);
        assert_ne!(one, of(&[&[1], &[2, 3]], &[0, 1]));
        assert_ne!(one, of(&[&[1, 2], &[3]], &[1, 1]));
        assert_eq!(one, of(&[&[1, 2], &[3]], &[0, 1]));
    }
}
