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
//! **What a hostile submission can cost.** A part is given up, and its last fault is the answer to
//! all that is asked of it afterwards, once it has run out of time twice or has broken its process
//! in another way twelve times. Each process has its own limit
//! of processor time, and all processes of a part share one limit of time that the grader waits
//! for it, renewed after it has run out. So with `cpu_seconds` of 4 and `wall` of a minute a part
//! costs at most fourteen processes of 5 s of processor time each, and two minutes of waiting if it
//! only waits; one that computes just enough to be waited for, twenty.

mod ending;
mod exchange;
mod log;
mod patience;
mod place;
mod remote;
mod reply;
mod standing;

pub use remote::Remote;
pub use reply::{Broken, read_reply};
