//! Gradebooks that `grade run` fills.

use std::path::PathBuf;
use std::str::FromStr;

use crate::course::gradebook::GradebookFormat;

/// Gradebook of a platform, written `canvas=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fill {
    /// Platform.
    pub(crate) format: GradebookFormat,
    /// File that it exported.
    pub(crate) path: PathBuf,
}

impl FromStr for Fill {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (platform, path) = text.split_once('=').ok_or("write it as PLATFORM=FILE")?;
        let format = GradebookFormat::named(platform)
            .ok_or("the platform is `canvas`, `moodle`, `blackboard` or `gradescope`")?;
        if path.is_empty() {
            return Err("write it as PLATFORM=FILE");
        }
        Ok(Self { format, path: path.into() })
    }
}
