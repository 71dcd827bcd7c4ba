//! Worker threads that process a queue.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Message of a worker thread.
#[derive(Debug)]
pub(crate) enum FromThread<M, R> {
    /// Intermediate message.
    Told(M),
    /// Result for the item with this index.
    Done(usize, R),
}

/// Most messages that wait to be handled. A record takes a tenth of a megabyte, and earlier results
/// are read faster than they are stored again.
const MOST_WAITING: usize = 16;

/// Applies `work` to each of `things`, on `threads` threads; `hear` handles their messages on the
/// calling thread.
///
/// Results arrive in the order of completion. Threads wait while [`MOST_WAITING`] messages are not
/// handled. When `hear` returns an error, no further items are processed; the function returns after
/// the current ones are finished.
///
/// # Errors
///
/// Returns the error of `hear`, or an error if a thread cannot be started.
pub(crate) fn distribute<T: Sync, M: Send, R: Send, E: From<io::Error>>(
    things: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T, &mut dyn FnMut(M)) -> R + Sync,
    mut hear: impl FnMut(FromThread<M, R>) -> Result<(), E>,
) -> Result<(), E> {
    let queue = &Queue { things, next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
    let (sender, receiver) = mpsc::sync_channel(MOST_WAITING);
    let serve = |sender| queue.serve(&sender, &work);
    let serve = &serve;
    thread::scope(|scope| {
        let mut heard = Ok(());
        for number in 1..=threads.get().min(things.len()) {
            let (sender, builder) = (sender.clone(), thread::Builder::new());
            let builder = builder.name(format!("grader {number}"));
            if let Err(error) = builder.spawn_scoped(scope, move || serve(sender)) {
                queue.stop.store(true, Ordering::Relaxed);
                heard = Err(error.into());
                break;
            }
        }
        drop(sender);
        for said in receiver {
            if heard.is_ok() {
                heard = hear(said);
                queue.stop.store(heard.is_err(), Ordering::Relaxed);
            }
        }
        heard
    })
}

/// Items that threads take one after another.
struct Queue<'a, T> {
    things: &'a [T],
    /// Index of the next item.
    next: AtomicUsize,
    /// True if no further item is to be taken.
    stop: AtomicBool,
}

impl<T> Queue<'_, T> {
    /// Works on items until there are none.
    fn serve<M, R>(
        &self,
        sender: &mpsc::SyncSender<FromThread<M, R>>,
        work: &impl Fn(&T, &mut dyn FnMut(M)) -> R,
    ) {
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = self.things.get(place) else { return };
            // Sending fails only if the receiver is gone, when nobody needs the message.
            let mut tell = |message| drop(sender.send(FromThread::Told(message)));
            let result = work(thing, &mut tell);
            drop(sender.send(FromThread::Done(place, result)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, most: usize) -> (io::Result<()>, Vec<u64>, usize) {
        let things: Vec<u64> = (0..100).collect();
        let (mut results, mut told) = (vec![0; things.len()], 0);
        let mut heard = 0;
        let ended = distribute(
            &things,
            NonZeroUsize::new(threads).unwrap(),
            |thing: &u64, tell| {
                tell(*thing);
                thing * thing
            },
            |said| {
                match said {
                    FromThread::Told(_) => told += 1,
                    FromThread::Done(place, result) => {
                        results[place] = result;
                        heard += 1;
                    }
                }
                if heard == most { Err(io::Error::other("enough")) } else { Ok(()) }
            },
        );
        (ended, results, told)
    }

    #[test]
    fn every_thing_is_worked_on_once_whatever_the_threads() {
        let expected: Vec<u64> = (0..100).map(|x| x * x).collect();
        for threads in [1, 2, 7, 200] {
            let (ended, results, told) = squares(threads, usize::MAX);
            ended.unwrap();
            assert_eq!((results, told), (expected.clone(), 100), "{threads} threads");
        }
    }

    #[test]
    fn threads_wait_for_who_hears_slowly() {
        let (worked, mut heard) = (AtomicUsize::new(0), 0);
        let threads = NonZeroUsize::new(3).unwrap();
        let work = |_: &u64, _: &mut dyn FnMut(())| worked.fetch_add(1, Ordering::SeqCst);
        distribute(&[0; 500], threads, work, |_| {
            heard += 1;
            thread::sleep(std::time::Duration::from_micros(50));
            let ahead = worked.load(Ordering::SeqCst) - heard;
            // What waits, and a result in the hands of each thread.
            assert!(ahead <= MOST_WAITING + 3, "{ahead}");
            Ok::<(), io::Error>(())
        })
        .unwrap();
        assert_eq!(heard, 500);
    }

    #[test]
    fn an_error_ends_it() {
        let (ended, _, told) = squares(3, 5);
        assert_eq!(ended.unwrap_err().to_string(), "enough");
        assert!(told < 100, "{told}");
    }
}
