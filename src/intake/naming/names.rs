//! Rules for reading names.

use std::str::FromStr;

use regex::Regex;
use softmark_untrusted::UntrustedName;
use thiserror::Error;

use crate::intake::error::IntakeError;
use crate::intake::found::Found;
use crate::intake::naming::preset::{PLAIN, PRESETS, Preset};
use crate::intake::naming::time::Time;
use crate::intake::naming::versions::Handed;
use crate::model::LATE_NOTE;

/// Names of the groups that a pattern may have.
const GROUPS: [&str; 6] = ["id", "name", "time", "late", "file", "attempt"];

/// Choice of the rules for reading names: set by the instructor, or detected from the names.
///
/// ```
/// use softmark::intake::Names;
///
/// assert!("canvas".parse::<Names>().is_ok());
/// assert!("(?<id>[a-z]+)_(?<time>.+)".parse::<Names>().is_ok());
/// assert!("(?<who>.+)".parse::<Names>().is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Names(Option<Rules>);

/// Reason why a text does not define rules for names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NamesError {
    /// The text is neither a preset nor a pattern.
    #[error("`{given}` is neither one of {presets} nor a pattern: {why}")]
    Pattern {
        /// Text given by the instructor.
        given: String,
        /// Names of the presets.
        presets: String,
        /// Error of the text as a pattern.
        why: String,
    },
}

/// Rules for reading names.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Name of the rules, as the instructor gives it.
    label: String,
    /// Patterns; the first that fits is used.
    patterns: Vec<Regex>,
    /// True if nbgrader's files give the time. A name that does not fit is then used unchanged and without a
    /// note, because students' folders have their names.
    has_stamps: bool,
    /// True if names carry no information beyond the submission's id.
    is_plain: bool,
}

/// Parts of a name.
#[derive(Debug, Default)]
struct Said {
    who: String,
    time: Option<String>,
    is_late: bool,
    file: Option<String>,
    attempt: Option<u64>,
}

/// The same pattern for a name as a whole.
fn whole(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("^(?:{pattern})$"))
}

impl FromStr for Names {
    type Err = NamesError;

    fn from_str(given: &str) -> Result<Self, NamesError> {
        let known = PRESETS.iter().chain([&PLAIN]);
        if let Some(preset) = known.clone().find(|preset| preset.name == given) {
            return Ok(Self(Some(Rules::of(preset))));
        }
        let wrong = |why: String| NamesError::Pattern {
            given: given.to_owned(),
            presets: known.clone().map(|preset| preset.name).collect::<Vec<_>>().join(", "),
            why,
        };
        let regex = whole(given).map_err(|error| {
            let why = error.to_string();
            wrong(why.lines().last().unwrap_or_default().trim().to_owned())
        })?;
        let groups: Vec<&str> = regex.capture_names().flatten().collect();
        if let Some(unknown) = groups.iter().find(|group| !GROUPS.contains(group)) {
            let known = GROUPS.join(", ");
            return Err(wrong(format!("there is no group `{unknown}`, only {known}")));
        }
        if !groups.contains(&"id") && !groups.contains(&"name") {
            return Err(wrong("nothing in it says who, such as `(?<id>[^_]+)`".to_owned()));
        }
        Ok(Self(Some(Rules {
            label: given.to_owned(),
            patterns: vec![regex],
            has_stamps: false,
            is_plain: false,
        })))
    }
}

impl Names {
    /// Returns the rules for the names of a group: those that were set, or else those of the platform that
    /// all of the names fit, or else `plain`.
    pub(crate) fn rules(&self, found: &[Found]) -> Rules {
        if let Some(rules) = &self.0 {
            return rules.clone();
        }
        let fits = |rules: &Rules| {
            let is_stamped = rules.has_stamps && found.iter().all(|one| one.stamp.is_some());
            let fits_all = || found.iter().all(|one| rules.said(&one.written()).is_some());
            !found.is_empty() && (is_stamped || fits_all())
        };
        PRESETS.iter().map(Rules::of).find(fits).unwrap_or_else(|| Rules::of(&PLAIN))
    }

    /// Reads the names of a group of submissions.
    pub(crate) fn read(&self, found: Vec<Found>) -> Result<Vec<Handed>, IntakeError> {
        self.rules(&found).read(found)
    }
}

impl Rules {
    fn of(preset: &Preset) -> Self {
        // All of them are patterns; a test sees to that.
        let patterns = preset.patterns.iter().filter_map(|pattern| whole(pattern).ok()).collect();
        Self {
            label: preset.name.to_owned(),
            patterns,
            has_stamps: preset.has_stamps,
            is_plain: preset.name == PLAIN.name,
        }
    }

    /// Returns the parts of a name if a pattern fits.
    fn said(&self, name: &str) -> Option<Said> {
        let (regex, found) = self
            .patterns
            .iter()
            .find_map(|regex| regex.captures(name).map(|found| (regex, found)))?;
        let mut said = Said::default();
        let mut who = [None, None];
        for group in regex.capture_names().flatten() {
            let Some(text) = found.name(group).map(|found| found.as_str()) else { continue };
            let text = Some(text).filter(|text| !text.is_empty());
            match group {
                "name" => who[0] = text,
                "id" => who[1] = text,
                "time" => said.time = text.map(str::to_owned),
                "late" => said.is_late = text.is_some(),
                "file" => said.file = text.map(str::to_owned),
                "attempt" => said.attempt = text.and_then(|text| text.parse().ok()),
                _ => {}
            }
        }
        said.who = who.into_iter().flatten().collect::<Vec<_>>().join("_");
        Some(said).filter(|said| !said.who.is_empty())
    }

    /// Reads the names of a group of submissions.
    pub(crate) fn read(&self, found: Vec<Found>) -> Result<Vec<Handed>, IntakeError> {
        let said: Vec<Option<Said>> = found.iter().map(|one| self.said(&one.written())).collect();
        if let Some(first) = found.first()
            && said.iter().all(Option::is_none)
            && !self.has_stamps
        {
            let path = first.path.parent().unwrap_or(&first.path).to_owned();
            let (pattern, name) = (self.label.clone(), first.name());
            return Err(IntakeError::NoFit { path, pattern, name });
        }
        Ok(found.into_iter().zip(said).map(|(found, said)| self.handed(found, said)).collect())
    }

    fn handed(&self, found: Found, said: Option<Said>) -> Handed {
        let mut notes = Vec::new();
        if said.is_none() && !self.has_stamps {
            notes.push(format!("its name does not fit `--names {}`", self.label).into());
        }
        let whole = || Said { who: found.written(), ..Said::default() };
        let said = said.unwrap_or_else(whole);
        if said.is_late {
            notes.push(LATE_NOTE.into());
        }
        let stamp = found.stamp.as_ref().filter(|_| self.has_stamps);
        let written = said.time.as_ref().or(stamp);
        let time = written.and_then(|written| Time::read(written));
        if let (Some(written), None) = (written, &time) {
            let written = UntrustedName::from(written.as_str());
            notes.push(format!("when it was handed in cannot be read: `{written}`").into());
        }
        // A name that says nothing of who is told apart by all of it.
        let who = if self.is_plain { found.written() } else { said.who };
        let (file, attempt, is_alone) = (said.file, said.attempt, self.is_plain);
        Handed { found, who, time, file, attempt, is_alone, notes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(preset: &str, name: &str) -> Option<(String, Option<String>, bool, Option<u64>)> {
        let rules = preset.parse::<Names>().unwrap().0.unwrap();
        rules.said(name).map(|said| {
            let time = said.time.and_then(|time| Time::read(&time)).map(|time| time.text());
            (said.who, time, said.is_late, said.attempt)
        })
    }

    #[test]
    fn every_preset_is_made_of_patterns() {
        for preset in PRESETS.iter().chain([&PLAIN]) {
            assert_eq!(Rules::of(preset).patterns.len(), preset.patterns.len(), "{}", preset.name);
            for regex in Rules::of(preset).patterns {
                assert!(regex.capture_names().flatten().all(|group| GROUPS.contains(&group)));
            }
        }
    }

    #[test]
    fn platforms_are_read() {
        let who = |who: &str| Some((who.to_owned(), None, false, None));
        assert_eq!(read("canvas", "okaforamara_70311_5550123_hw1"), who("okaforamara_70311"));
        let late = Some(("okaforamara_70311".to_owned(), None, true, Some(2)));
        assert_eq!(read("canvas", "okaforamara_LATE_70311_5550123_my_hw-2"), late);
        assert_eq!(read("canvas", "okaforamara_70311"), None);
        assert_eq!(read("canvas", "lab_3_4_x"), None);
        let moodle = "Zoë van Dam_1234567_assignsubmission_file_";
        assert_eq!(read("moodle", moodle), who("Zoë van Dam_1234567"));
        assert_eq!(read("moodle", &format!("{moodle}work")), who("Zoë van Dam_1234567"));
        assert_eq!(
            read("moodle", "Zoë van Dam_1234567_assignsubmission_file"),
            who("Zoë van Dam_1234567")
        );
        assert_eq!(read("gradescope", "submission_123456"), who("123456"));
        assert_eq!(read("gradescope", "submission_amara"), None);
        let at = |who: &str, time: &str| Some((who.to_owned(), Some(time.to_owned()), false, None));
        assert_eq!(
            read("nbgrader", "ps_1_amara_attempt_2026-01-30-15-00-00_work"),
            at("amara", "2026-01-30T15:00:00")
        );
        assert_eq!(
            read("nbgrader", "amara+ps1+2026-01-30 15:00:00.25 UTC+a1b2"),
            at("amara", "2026-01-30T15:00:00.25Z")
        );
        assert_eq!(read("plain", "anything at all"), who("anything at all"));
    }

    #[test]
    fn a_pattern_says_who() {
        let wrong = |given: &str| given.parse::<Names>().unwrap_err().to_string();
        assert!(wrong("canvass").contains("neither one of canvas, moodle"), "{}", wrong("canvass"));
        assert!(wrong("[a-z]+").contains("nothing in it says who"), "{}", wrong("[a-z]+"));
        assert!(wrong("(?<id>a)(?<when>b)").contains("no group `when`"));
        assert!(wrong("(?<id>a").contains("unclosed group"), "{}", wrong("(?<id>a"));
        let given = r"(?<time>\d{8}_\d{4})-(?<id>\w+)";
        let time = "2026-01-30T15:00:00".to_owned();
        assert_eq!(
            read(given, "20260130_1500-amara"),
            Some(("amara".to_owned(), Some(time), false, None))
        );
        assert_eq!(read(given, "x20260130_1500-amara"), None, "a name is fitted whole");
    }
}
