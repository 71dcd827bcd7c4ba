//! Changes of a folder of results by people: points that they decide, steps of appeals, and the files that show both.
//!
//! Commands and pages call the same functions. A decision is in the ledger before anything else is written: records and the
//! gradebook follow from it, and are written again by whatever comes next if the program is killed in between.

mod appeal;
mod error;
mod gradebook;
mod override_points;
mod record;

pub use appeal::{NewStep, add_step};
pub use error::ChangeError;
pub use gradebook::{GRADEBOOK, write_gradebook};
pub use override_points::{Decided, NewOverride, decide};
pub use record::{find_record, refresh_record};
