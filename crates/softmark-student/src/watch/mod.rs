//! Watch mode: runs the checks again whenever a file is saved.
//!
//! ```text
//! files ─► Changes ─► Work: build ─► run ─► Event ─► State ─► screen, or lines of text
//! keys ───────────────────────────────────────────────┘
//! ```

mod build;
mod files;
mod plain;
mod screen;
mod state;
mod view;
mod work;

use std::io::{self, IsTerminal};

use crate::args::Selection;
use crate::error::StudentError;
use crate::setting::Setting;

/// Runs the checks of the selection now, and again whenever a file of the assignment is saved: on a screen where there is a
/// terminal, otherwise as lines of text. Returns when the student quits.
///
/// # Errors
///
/// Fails if no check is selected, files cannot be watched, or the terminal fails.
pub(crate) fn watch(setting: &Setting, selection: &Selection) -> Result<(), StudentError> {
    setting.selected(selection)?;
    if io::stdout().is_terminal() && io::stdin().is_terminal() {
        screen::watch(setting, selection)
    } else {
        plain::watch(setting, selection)
    }
}
