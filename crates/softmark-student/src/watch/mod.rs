//! Watch mode, to be written next.

use crate::args::Selection;
use crate::error::StudentError;
use crate::setting::Setting;

pub(crate) fn watch(_: &Setting, _: &Selection) -> Result<(), StudentError> {
    Ok(())
}
