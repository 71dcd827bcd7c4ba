//! Outcomes that ended a process.

use softmark_checks::Outcome;
use softmark_wire::Fault;

/// Most faults per task that end the process: each of them takes as long as a worker's limits
/// allow.
pub(crate) const MOST_ENDS: usize = 2;

/// True if the process ended with the outcome.
pub(crate) fn outcome_ends(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Fault { fault, .. } if fault_ends(fault))
}

/// True if the process ended with the fault.
pub(crate) fn fault_ends(fault: &Fault) -> bool {
    match fault {
        Fault::CpuTime { .. }
        | Fault::WallTime { .. }
        | Fault::OutOfMemory { .. }
        | Fault::NotStarted { .. }
        | Fault::Crowded { .. }
        | Fault::Killed { .. }
        | Fault::Exited { .. } => true,
        Fault::Code(_) | Fault::NotRun | Fault::Garbled(_) => false,
    }
}
