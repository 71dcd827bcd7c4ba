//! Times in UTC, and deadlines as the course's file states them.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use toml::value::Datetime;

use crate::clock;
use crate::course::day::Day;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// Point in time, to the second, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

/// Difference between local time and UTC, in minutes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UtcOffset(i32);

/// Date and time in RFC 3339, with or without an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilTime {
    /// Seconds since the beginning of 1970 on a clock with this offset.
    local: i64,
    offset: Option<UtcOffset>,
}

/// A date, a time and perhaps an offset.
const FORM: &str = r"(?x-u)^
    ([0-9]{4})-([0-9]{2})-([0-9]{2}) (?:[Tt\x20]
    ([0-9]{2}):([0-9]{2}) (?: :([0-9]{2}) (?:[.,][0-9]+)? )?
    \x20? (Z|z|UTC|[+-][0-9]{2}:?[0-9]{2})? )? $";

static PARSER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FORM).ok());

impl Moment {
    /// Creates a moment from the seconds since the beginning of 1970, in UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Returns the seconds since the beginning of 1970, in UTC.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Returns the moment that is `seconds` later.
    #[must_use]
    pub const fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Returns the time on a clock with this offset: `2026-11-26 23:59`, with seconds unless they are zero.
    fn on_clock(self, offset: UtcOffset) -> String {
        let seconds = self.0.saturating_add(offset.seconds());
        let text = clock::rfc3339(u64::try_from(seconds).unwrap_or(0));
        let text = text.trim_end_matches('Z').replace('T', " ");
        text.strip_suffix(":00").unwrap_or(&text).to_owned()
    }
}

impl fmt::Display for Moment {
    /// Writes the moment in RFC 3339 and UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clock::rfc3339(u64::try_from(self.0).unwrap_or(0)))
    }
}

impl UtcOffset {
    fn parse(text: &str) -> Option<Self> {
        if matches!(text, "Z" | "z" | "UTC") {
            return Some(Self::default());
        }
        let (sign, digits) = text.split_at_checked(1)?;
        let (hours, minutes) = digits.split_at_checked(2)?;
        let hours: i32 = hours.parse().ok()?;
        let minutes: i32 = minutes.trim_start_matches(':').parse().ok()?;
        let total = hours * 60 + minutes;
        let is_offset = hours < 24 && minutes < 60;
        is_offset.then_some(Self(if sign == "-" { -total } else { total }))
    }

    fn seconds(self) -> i64 {
        i64::from(self.0) * 60
    }
}

impl fmt::Display for UtcOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        match self.0.unsigned_abs() {
            0 => f.write_str("UTC"),
            minutes => write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        }
    }
}

impl CivilTime {
    /// Parses a date and time in RFC 3339; the offset, seconds and fractions of a second may be missing. Fractions are cut off.
    ///
    /// ```
    /// use softmark::course::{CivilTime, UtcOffset};
    ///
    /// let utc = |text| CivilTime::parse(text).map(|it| it.moment(UtcOffset::default()).to_string());
    /// assert_eq!(utc("2026-11-26T00:30:00.25+01:00").as_deref(), Some("2026-11-25T23:30:00Z"));
    /// assert_eq!(utc("2026-11-26 00:30").as_deref(), Some("2026-11-26T00:30:00Z"));
    /// assert_eq!(utc("2026-02-30T00:00:00Z"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let found = PARSER.as_ref()?.captures(text.trim())?;
        let number = |group| found.get(group).map_or(Some(0), |it| it.as_str().parse().ok());
        let [year, month, day] = [number(1)?, number(2)?, number(3)?];
        let [hour, minute, second] = [number(4)?, number(5)?, number(6)?];
        // A second may be inserted.
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let offset = match found.get(7) {
            Some(offset) => Some(UtcOffset::parse(offset.as_str())?),
            None => None,
        };
        found.get(4)?;
        let local = days_since_1970(year, month, day)? * DAY + hour * 3600 + minute * 60 + second;
        Some(Self { local, offset })
    }

    /// Returns the moment; a time without an offset is on a clock with the offset `otherwise`.
    pub fn moment(self, otherwise: UtcOffset) -> Moment {
        Moment(self.local - self.offset.unwrap_or(otherwise).seconds())
    }
}

/// Returns the days since the beginning of 1970; `None` if the calendar has no such day.
///
/// Years are counted from March, so that the leap day is the last day of a year.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Of the days since 0000-03-01, those before 1970.
    Some(before + (153 * month + 2) / 5 + day - 1 - 719_468)
}

/// Deadline in the course's file: a day, which ends at midnight in UTC, or a time with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Datetime")]
pub struct Deadline {
    /// Last second that is in time.
    last: Moment,
    offset: UtcOffset,
    is_day: bool,
}

impl Deadline {
    /// Returns a deadline on a clock in UTC.
    pub fn utc(last: Moment) -> Self {
        Self { last, offset: UtcOffset::default(), is_day: false }
    }

    /// Returns the last second that is in time.
    pub fn moment(&self) -> Moment {
        self.last
    }

    /// Returns the offset of the clock on which it is stated.
    pub fn offset(&self) -> UtcOffset {
        self.offset
    }

    /// Returns the day of the last second, in UTC.
    pub fn day(&self) -> Day {
        Day::of(&self.last.to_string())
    }

    /// Returns a deadline at another moment, on the same clock.
    #[must_use]
    pub fn at(&self, moment: Moment) -> Self {
        let is_day = self.is_day && (moment.seconds() + 1) % DAY == 0;
        Self { last: moment, offset: self.offset, is_day }
    }
}

impl fmt::Display for Deadline {
    /// Writes `2026-11-26`, or `2026-11-26 23:59 +01:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_day {
            self.day().fmt(f)
        } else {
            write!(f, "{} {}", self.last.on_clock(self.offset), self.offset)
        }
    }
}

impl TryFrom<Datetime> for Deadline {
    type Error = String;

    fn try_from(written: Datetime) -> Result<Self, String> {
        let text = written.to_string();
        let wrong = || {
            format!(
                "{text} is neither a day, such as 2026-11-26, nor a time with an offset, such as \
                 2026-11-26T23:59:00+01:00 or, in UTC, 2026-11-26T23:59:00Z"
            )
        };
        match written {
            Datetime { date: Some(_), time: None, offset: None } => {
                let start = CivilTime::parse(&format!("{text} 00:00")).ok_or_else(wrong)?;
                let last = start.moment(UtcOffset::default()).plus(DAY - 1);
                Ok(Self { last, offset: UtcOffset::default(), is_day: true })
            }
            Datetime { date: Some(_), time: Some(_), offset: Some(_) } => {
                let time = CivilTime::parse(&text).ok_or_else(wrong)?;
                let offset = time.offset.unwrap_or_default();
                Ok(Self { last: time.moment(offset), offset, is_day: false })
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn deadline(text: &str) -> Result<Deadline, String> {
        text.parse::<Datetime>().map_err(|error| error.to_string()).and_then(Deadline::try_from)
    }

    #[test]
    fn a_day_ends_at_midnight_and_a_time_is_itself() {
        for (written, last, shown) in [
            ("2026-11-26", "2026-11-26T23:59:59Z", "2026-11-26"),
            ("2026-11-26T23:59:00+01:00", "2026-11-26T22:59:00Z", "2026-11-26 23:59 +01:00"),
            ("2026-11-26T23:59:30Z", "2026-11-26T23:59:30Z", "2026-11-26 23:59:30 UTC"),
            ("2026-11-26T20:00:00-05:30", "2026-11-27T01:30:00Z", "2026-11-26 20:00 -05:30"),
        ] {
            let read = deadline(written).unwrap();
            assert_eq!(read.moment().to_string(), last, "{written}");
            assert_eq!(read.to_string(), shown, "{written}");
        }
        for wrong in ["2026-11-26T23:59:00", "23:59:00"] {
            assert!(deadline(wrong).unwrap_err().contains("a time with an offset"), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in [
            "",
            "yesterday",
            "2026-11-26",
            "2026-13-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2026-11-26T24:00:00Z",
            "2026-11-26T00:00:00+25:00",
            "2026-11-26T00:00:00 CET",
        ] {
            assert_eq!(CivilTime::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_moment_reads_as_it_is_written(seconds in 0_i64..4_102_444_800) {
            let moment = Moment::from_seconds(seconds);
            let read = CivilTime::parse(&moment.to_string()).unwrap();
            // The offset that is written goes before any other.
            prop_assert_eq!(read.moment(UtcOffset(90)), moment);
        }

        #[test]
        fn an_offset_shifts_by_itself(seconds in 86_400_i64..4_102_444_800, minutes in -1439_i32..1440) {
            let (moment, offset) = (Moment::from_seconds(seconds / 60 * 60), UtcOffset(minutes));
            let text = format!("{} {offset}", moment.on_clock(offset));
            prop_assert_eq!(CivilTime::parse(&text).map(|it| it.moment(UtcOffset(7))), Some(moment), "{}", text);
        }
    }
}
