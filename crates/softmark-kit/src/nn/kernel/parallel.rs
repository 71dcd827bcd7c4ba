//! Work on several threads, without any trace of it in the result.

use candle_core::utils::get_num_threads;
use rayon::prelude::*;

use super::Real;

/// How many numbers a block of work has about: 32 KiB of them, so that a row that was just written
/// is still near when it is read again.
const BLOCK: usize = 8192;

/// How many rows of `width` numbers are one piece of work.
///
/// It hangs on the width alone: what is added up per block is the same for any number of threads.
pub(in crate::nn) fn block_of(width: usize) -> usize {
    (BLOCK / width.max(1)).max(1)
}

/// Does `work` on each task and returns what came of them, in the order of the tasks.
///
/// Threads are those of rayon, as many as candle uses (`RAYON_NUM_THREADS`, or a thread a core).
/// Where that is one, rayon is never called: it would start a thread of its own, and a worker may
/// not.
pub(in crate::nn) fn each<I: Send, R: Send>(
    tasks: Vec<I>,
    work: impl Fn(I) -> R + Sync + Send,
) -> Vec<R> {
    if tasks.len() < 2 || get_num_threads() < 2 {
        tasks.into_iter().map(work).collect()
    } else {
        tasks.into_par_iter().map(work).collect()
    }
}

/// A buffer of `len` numbers, written in blocks: `work` is given what belongs to a block, and the block
/// itself, of zeros. Returns the buffer, and what came of the blocks in their order.
///
/// On one thread a block is made when it is its turn, so that it is near when it is written to: to fill
/// the whole with zeros first takes 1 % of a training step.
pub(in crate::nn) fn written<T: Real, I: Send, R: Send>(
    len: usize,
    block: usize,
    inputs: impl Iterator<Item = I>,
    work: impl Fn(I, &mut [T]) -> R + Sync + Send,
) -> (Vec<T>, Vec<R>) {
    let block = block.max(1);
    if get_num_threads() > 1 {
        let mut all = vec![T::zero(); len];
        let tasks = inputs.zip(all.chunks_mut(block)).collect();
        let done = each(tasks, |(input, part)| work(input, part));
        return (all, done);
    }
    let mut all = Vec::with_capacity(len);
    let mut done = Vec::new();
    for (input, from) in inputs.zip((0..len).step_by(block)) {
        all.resize(len.min(from + block), T::zero());
        done.push(work(input, all.split_at_mut(from).1));
    }
    all.resize(len, T::zero());
    (all, done)
}
