//! A checkpoint of a tuned model, as a submission may hand one in.

use softmark_exam::check::Checkpoint;

/// What reads as a checkpoint has no more numbers than bytes, and what does not is told in words.
pub fn checkpoint(data: &[u8]) {
    match Checkpoint::from_bytes("best.safetensors", data) {
        Ok(checkpoint) => {
            let numbers: usize = checkpoint.tensors.values().map(|it| it.values.len()).sum();
            assert!(numbers <= data.len(), "{numbers} numbers in {} bytes", data.len());
        }
        Err(error) => assert!(error.starts_with("best.safetensors: "), "{error}"),
    }
}
