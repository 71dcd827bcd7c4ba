//! Naming schemes of learning platforms.

/// Naming scheme of a platform.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// Patterns, one of which a name must fit.
    pub(crate) patterns: &'static [&'static str],
    /// True if nbgrader's files give the time.
    pub(crate) has_stamps: bool,
}

/// Scheme that uses each name unchanged.
pub(crate) const PLAIN: Preset =
    Preset { name: "plain", patterns: &["(?<id>.+)"], has_stamps: false };

/// All of them; the first that all names of a folder fit is meant. `plain` fits everything, so it
/// is not among them.
///
/// None fits a name that a person would give a folder of their own: where there are numbers only,
/// they are as long as those that platforms count with.
pub(crate) const PRESETS: [Preset; 4] = [
    // Canvas: `okaforamara_LATE_70311_5550123_hw1-2.zip`: the student, the student's number, the
    // file's, and what the student called it; handed in again, the same name gets a number.
    Preset {
        name: "canvas",
        patterns: &[
            r"(?<name>[^_]+)(?:_(?<late>LATE))?_(?<id>\d{3,})_\d{3,}_(?<file>.+?)(?:-(?<attempt>\d{1,9}))?",
        ],
        has_stamps: false,
    },
    // Moodle: `Amara Okafor_1234567_assignsubmission_file_`, a folder or the beginning of a file's
    // name.
    Preset {
        name: "moodle",
        patterns: &[r"(?<name>.+?)_(?<id>\d+)_assignsubmission_[a-z]+(?:_(?<file>.*))?"],
        has_stamps: false,
    },
    // Gradescope: `submission_123456`, a folder in `assignment_123_export`.
    Preset { name: "gradescope", patterns: &[r"submission_(?<id>\d+)"], has_stamps: false },
    // nbgrader: `ps1_amara_attempt_2026-01-30-15-00-00_work` for `zip_collect`; `amara+ps1+TIME` in
    // an exchange; `submitted/amara/ps1/` with a file that tells the time.
    Preset {
        name: "nbgrader",
        patterns: &[
            r"(?:.+_)?(?<id>[^_]+)_attempt_(?<time>\d{4}(?:-\d{2}){5})(?:_(?<file>.*))?",
            r"(?<id>[^+]+)\+[^+]+\+(?<time>\d{4}-\d{2}-\d{2} [^+]+)(?:\+.*)?",
        ],
        has_stamps: true,
    },
];
