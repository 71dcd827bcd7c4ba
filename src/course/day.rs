//! Days of the calendar.

use std::fmt;

use serde::Deserialize;
use toml::value::Datetime;

/// Day of the calendar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "Datetime")]
pub struct Day(String);

impl Day {
    /// Returns the day of a time in RFC 3339, on the clock of its offset.
    ///
    /// ```
    /// use softmark::course::Day;
    ///
    /// let day = |time| Day::of(time).to_string();
    /// assert_eq!(day("2026-11-26T21:35:15Z"), "2026-11-26");
    /// assert!(Day::of("2026-11-26T00:00:00Z") > Day::of("2026-09-30T23:59:59Z"));
    /// ```
    pub fn of(time: &str) -> Self {
        Self(time.split('T').next().unwrap_or_default().to_owned())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<Datetime> for Day {
    type Error = String;

    fn try_from(written: Datetime) -> Result<Self, String> {
        match written {
            Datetime { date: Some(date), time: None, offset: None } => Ok(Self(date.to_string())),
            _ => Err(format!("{written} is not a day, such as 2026-11-26")),
        }
    }
}
