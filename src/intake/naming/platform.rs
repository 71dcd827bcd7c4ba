//! Learning platforms whose names of submissions are known.

use std::sync::LazyLock;

use regex::Regex;

use crate::intake::naming::preset::PRESETS;

/// Learning platform from which submissions were downloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Platform {
    /// Canvas.
    Canvas,
    /// Moodle.
    Moodle,
    /// Gradescope.
    Gradescope,
}

/// Pattern of the names of each platform.
static PATTERNS: LazyLock<Vec<(Platform, Regex)>> = LazyLock::new(|| {
    let all = [Platform::Canvas, Platform::Moodle, Platform::Gradescope];
    all.into_iter().filter_map(|platform| Some((platform, platform.pattern()?))).collect()
});

impl Platform {
    /// Returns the platform that names entries of its downloads like this; `None` if no platform does.
    ///
    /// ```
    /// use softmark::intake::Platform;
    ///
    /// assert_eq!(Platform::of_entry("okaforamara_70311_5550123_hw1"), Some(Platform::Canvas));
    /// assert_eq!(Platform::of_entry("amara"), None);
    /// ```
    pub fn of_entry(name: &str) -> Option<Self> {
        PATTERNS.iter().find(|(_, pattern)| pattern.is_match(name)).map(|(platform, _)| *platform)
    }

    /// Returns the platform's name, for a person.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Canvas => "Canvas",
            Self::Moodle => "Moodle",
            Self::Gradescope => "Gradescope",
        }
    }

    /// Returns the pattern of its names.
    fn pattern(self) -> Option<Regex> {
        let preset =
            PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(self.as_str()))?;
        Regex::new(&format!("^(?:{})$", preset.patterns.first()?)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_platform_has_a_pattern() {
        assert_eq!(PATTERNS.len(), 3);
        for (name, platform) in [
            ("tranbao_LATE_70312_5550124_my work", Platform::Canvas),
            ("Zoë van Dam_1234567_assignsubmission_file_", Platform::Moodle),
            ("submission_101", Platform::Gradescope),
        ] {
            assert_eq!(Platform::of_entry(name), Some(platform), "{name}");
        }
        assert_eq!(Platform::of_entry("ps1_amara_attempt_2026-01-30-15-00-00_work"), None);
    }
}
