//! A submission: results with evidence, code, attempts, history, and what the student sees.

mod attempts;
mod checks;
mod code;
mod curves;
mod decisions;
mod evidence;
mod feedback;
mod frame;
mod heat_map;
mod history;
mod kill_matrix;
mod results;
mod subject;
mod written;

pub(in crate::serve) use attempts::show as attempts;
pub(in crate::serve) use code::show as code;
pub(super) use decisions::steps;
pub(in crate::serve) use decisions::{add_step, decide};
pub(in crate::serve) use feedback::{document as feedback, show as student_view};
pub(in crate::serve) use history::show as history;
pub(in crate::serve) use results::show;
