//! A checkpoint of a tuned model, as a submission may hand one in.

use softmark_kit::tuning::Saved;

/// What reads as a checkpoint has no more numbers than bytes, and what does not is told in words.
pub fn checkpoint(data: &[u8]) {
    match Saved::from_bytes("best.safetensors", data) {
        Ok(saved) => {
            let count = |shape: &[usize]| shape.iter().product::<usize>();
            let numbers: usize = saved.tensors.values().map(|tensor| count(tensor.dims())).sum();
            assert!(numbers <= data.len(), "{numbers} numbers in {} bytes", data.len());
        }
        Err(error) => assert!(error.to_string().starts_with("best.safetensors: "), "{error}"),
    }
}
