//! Communication with a worker in a process of its own.
//!
//! Invariant: the grader trusts nothing that the worker sends: a reply is an answer or a fault, and
//! a broken worker is replaced by a fresh one.
//!
//! ```text
//! Request ──► remote ──► exchange ──► [ worker ]
//!   Reply ◄── remote ◄── reply    ◄──
//!   Fault ◄── ending ◄── how the process ended
//! ```
//!
//! **Each component has a process of its own**, so that what one component leaves behind (threads,
//! statics, spent processor time) is not charged to the next. When another component is constructed,
//! the worker is kept for later questions if it is at rest: it has no threads of the student's, and
//! little memory. Otherwise it is ended. Checks of one component with the submission's own parts inside
//! turn from one to the other dozens of times, and starting a worker costs 13 ms of processor time.
//!
//! **A limit is final only in a fresh process.** If a process runs out of processor time, the
//! question is asked once more, alone, in a fresh process with twice the limit, so that a verdict
//! depends neither on earlier questions nor on how fast the machine was at the moment. The same is
//! done if it had too many threads between two answers; that limit only protects the machine, and
//! is eight times as high as the limit after an answer. Threads are counted exactly after each
//! answer, so that the count does not depend on the time of observation.
//!
//! **Attribution**: a process that does not start, or is ended by a signal from outside, is tried
//! again, three times, and compared with a control: a worker without any of the student's code,
//! under the same limits. If the control starts and keeps running, the submission is at fault.
//!
//! **Cost of a hostile submission.** A component is given up once it has run out of time twice or
//! has broken its process in another way twelve times; its last fault is then the answer to all
//! further questions. So with `cpu_seconds` of 2 a component that never answers costs at most four
//! processes, of 3, 5, 3 and 5 s of processor time. A detector that runs out of time twice is given up by itself, so that it
//! takes no other one down; after six time-outs, none of the component's detectors is run any more. All processes of a component share one limit of
//! time that the grader waits for it while it does not compute. This limit is doubled once and
//! renewed once, so that with `wall` of 10 s the grader waits at most 30 s and 10 s more. A
//! component that answers after a fresh start every time, and all components together, are limited
//! by the submission's [`Budget`], which also counts the grader's own processor time. The processor
//! time of a process is counted when it ends, so that a submission may exceed its budget by one limit
//! for each of its components, whose processes are kept.

mod budget;
mod ending;
mod exchange;
mod history;
mod launcher;
mod log;
mod made;
mod place;
mod remote;
mod reply;
mod starting;
mod waiting;
mod worker;

pub use budget::{Budget, Spent};
pub use remote::Remote;
pub use reply::{Broken, read_reply};
pub use starting::NeedsControl;
pub(crate) use starting::WorkerProgram;
