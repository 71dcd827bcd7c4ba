//! Work on several threads, with the same results as on one.

use std::mem;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::Real;
use crate::device::threads;

/// The approximate number of elements of a block of work: 32 KiB of `f32`, so that a row that was just
/// written is still in the cache when it is read again.
const BLOCK: usize = 8192;

/// Returns the number of rows of `width` numbers in one block of work.
///
/// The number depends on the width alone, so that sums over blocks are the same for any number of threads.
pub(in crate::nn) fn block_of(width: usize) -> usize {
    (BLOCK / width.max(1)).max(1)
}

/// Runs `work` on each task and returns the results in the order of the tasks.
pub(in crate::nn) fn each<I: Send, R: Send>(
    tasks: Vec<I>,
    work: impl Fn(I) -> R + Sync + Send,
) -> Vec<R> {
    let slots: Vec<_> = tasks.into_iter().map(|task| Mutex::new(Slot::Task(task))).collect();
    let run = |slot: &Mutex<Slot<I, R>>| {
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Slot::Task(task) = mem::replace(&mut *slot, Slot::Taken) {
            *slot = Slot::Done(work(task));
        }
    };
    with_each(slots.len(), &|index| slots.get(index).into_iter().for_each(run));
    slots.into_iter().filter_map(done).collect()
}

/// Place of a task, and of its result afterwards. One thread locks it, once.
enum Slot<I, R> {
    Task(I),
    Taken,
    Done(R),
}

/// Returns the result in a slot.
fn done<I, R>(slot: Mutex<Slot<I, R>>) -> Option<R> {
    match slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Slot::Done(result) => Some(result),
        Slot::Task(_) | Slot::Taken => None,
    }
}

/// Calls `work` with each index below `count`.
///
/// Threads are rayon's, as many as candle uses (`RAYON_NUM_THREADS`, or one per core). If that is one, rayon
/// is never called: it would start a thread of its own, which a worker may not do.
///
/// `work` is a trait object, so that rayon's code and the loop are compiled once, and not once for each kernel:
/// that makes 2.0 MB of machine code instead of 3.9.
fn with_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count < 2 || threads() < 2 {
        (0..count).for_each(work);
    } else {
        (0..count).into_par_iter().for_each(work);
    }
}

/// Returns a buffer of `len` numbers that is written in blocks, and the results of the blocks in their order.
/// `work` is given the input of a block, and the block itself, filled with zeros.
///
/// On one thread a block is allocated just before it is written, so that it is in the cache: filling the
/// whole buffer with zeros first takes 1 % of a training step.
pub(in crate::nn) fn written<T: Real, I: Send, R: Send>(
    len: usize,
    block: usize,
    inputs: impl Iterator<Item = I>,
    work: impl Fn(I, &mut [T]) -> R + Sync + Send,
) -> (Vec<T>, Vec<R>) {
    let block = block.max(1);
    if threads() > 1 {
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
