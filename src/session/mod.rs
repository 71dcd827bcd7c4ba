//! A conversation with a worker in a process of its own.
//!
//! Invariant: nothing that the worker says is believed: a reply is an answer or a fault, and a
//! broken worker is replaced by a fresh one.
//!
//! ```text
//! Request ──► remote ──► exchange ──► [ worker ]
//!   Reply ◄── remote ◄── reply    ◄──
//!   Fault ◄── ending ◄── how the process ended
//! ```
//!
//! **A part has a process of its own**: when another part is made the worker is replaced, so that
//! what one part leaves behind (threads, statics, spent processor time) is not charged to the next.
//!
//! **A limit is final only in a process of its own.** Where a process runs out of processor time, the
//! question is put once more, alone, to a fresh process with twice the limit, so that a verdict hangs
//! neither on what was asked before nor on how fast the machine was just then. The same is done where it
//! had too many threads between two answers. Threads are counted after each answer, so that it does not
//! matter when somebody looks; what a part has between two answers is limited for the machine's sake, at
//! eight times as many.
//!
//! **Who is to blame** for a process that does not start, or that a signal ends which somebody sent, is
//! told by trying again, three times, beside a control: a worker without any of the student's code,
//! under the same limits. Where that one starts and stays, it is the submission.
//!
//! **What a hostile submission can cost.** A part is given up, and its last fault is the answer to
//! all that is asked of it afterwards, once it has run out of time twice or has broken its process
//! in another way twelve times. So with `cpu_seconds` of 2 a part that never answers costs at most four
//! processes, of 3, 5, 3 and 5 s of processor time. All processes of a part share one limit of time that
//! the grader waits for it while it does not compute; it is doubled once and given anew once, so that
//! with `wall` of 10 s the grader waits at most 30 s and 10 s more. One that answers after a fresh start
//! every time, and all parts together, are ended by the submission's [`Budget`], to which the grader's
//! own processor time is counted too.

mod budget;
mod ending;
mod exchange;
mod log;
mod made;
mod patience;
mod place;
mod remote;
mod reply;
mod standing;
mod starting;

pub use budget::{Budget, Spent};
pub use remote::Remote;
pub use reply::{Broken, read_reply};
pub use starting::NeedsControl;
