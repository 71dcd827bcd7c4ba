//! Dates with times, as files state them.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use regex::Regex;

use crate::course::moment::Moment;
use crate::course::wall_clock::{Reading, UtcOffset, WallClock};

/// Date and time in RFC 3339, with or without an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilTime {
    /// Local time, in seconds from the beginning of 1970.
    pub(super) local: i64,
    /// Offset of the clock; `None` if none is stated.
    pub(super) offset: Option<UtcOffset>,
}

/// A date, a time and perhaps an offset.
const FORM: &str = r"(?x-u)^
    ([0-9]{4})-([0-9]{2})-([0-9]{2}) (?:[Tt\x20]
    ([0-9]{2}):([0-9]{2}) (?: :([0-9]{2}) (?:[.,][0-9]+)? )?
    \x20? (Z|z|UTC|[+-][0-9]{2}:?[0-9]{2})? )? $";

static PARSER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FORM).ok());

impl CivilTime {
    /// Parses a date and time in RFC 3339; the offset, seconds and fractions of a second may be missing. Fractions are cut off.
    ///
    /// ```
    /// use softmark::course::{CivilTime, Reading, WallClock};
    ///
    /// let utc = |text| {
    ///     let time = CivilTime::parse(text)?;
    ///     Some(time.moment(&WallClock::UTC, Reading::Later).to_string())
    /// };
    /// assert_eq!(utc("2026-11-26T00:30:00.25+01:00").as_deref(), Some("2026-11-25T23:30:00Z"));
    /// assert_eq!(utc("2026-11-26 00:30").as_deref(), Some("2026-11-26T00:30:00Z"));
    /// assert_eq!(utc("2026-02-30T00:00:00Z"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let found = PARSER.as_ref()?.captures(text.trim())?;
        let text = |group| found.get(group).map_or("0", |it| it.as_str());
        let number = |group| text(group).parse::<i64>().ok();
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
        let day = seconds_to(text(1).parse().ok()?, text(2).parse().ok()?, text(3).parse().ok()?)?;
        let local = day + hour * 3600 + minute * 60 + second;
        Some(Self { local, offset })
    }

    /// Returns the moment; a time without an offset is on the clock `wall`.
    pub fn moment(self, wall: &WallClock, reading: Reading) -> Moment {
        match self.offset {
            Some(offset) => Moment::from_seconds(self.local - offset.seconds()),
            None => wall.moment(self.local, reading),
        }
    }
}

/// Returns the seconds from the beginning of 1970 to a day; `None` if the calendar has no such day.
fn seconds_to(year: i16, month: i8, day: i8) -> Option<i64> {
    let midnight = Date::new(year, month, day).ok()?.at(0, 0, 0, 0);
    Some(TimeZone::UTC.to_timestamp(midnight).ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            prop_assert_eq!(read.moment(&WallClock::Fixed(UtcOffset(90)), Reading::Later), moment);
        }

        #[test]
        fn an_offset_shifts_by_itself(seconds in 86_400_i64..4_102_444_800, minutes in -1439_i32..1440) {
            let (moment, offset) = (Moment::from_seconds(seconds / 60 * 60), UtcOffset(minutes));
            let text = format!("{} {offset}", WallClock::Fixed(offset).show(moment));
            let read = CivilTime::parse(&text).unwrap();
            let other = WallClock::Fixed(UtcOffset(7));
            prop_assert_eq!(read.moment(&other, Reading::Later), moment, "{}", text);
        }
    }
}
