//! Clocks on which local times are read: at a fixed offset from UTC, or in a time zone.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::course::day::Day;
use crate::course::moment::Moment;

/// Difference between local time and UTC, in minutes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UtcOffset(pub(super) i32);

/// Time zone of the IANA database.
///
/// ```
/// use softmark::course::Zone;
///
/// let zone = Zone::try_from("europe/berlin".to_owned()).unwrap();
/// assert_eq!(zone.to_string(), "Europe/Berlin");
/// assert!(Zone::try_from("CEST".to_owned()).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Zone(TimeZone);

/// Clock on which local times are read and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WallClock {
    /// At one offset from UTC.
    Fixed(UtcOffset),
    /// Clock of a time zone, with daylight saving time.
    Zone(Zone),
}

/// Moment that a local time means when clocks are changed.
///
/// When they are set back, a local time comes twice, and it is the first or the second. When they are set forward, a local time is
/// left out, and it is read as on the clock after the change or before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The earlier moment.
    Earlier,
    /// The later moment.
    Later,
}

impl UtcOffset {
    /// Parses `Z`, `UTC`, `+01:00` or `+0100`.
    pub(super) fn parse(text: &str) -> Option<Self> {
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

    pub(super) fn seconds(self) -> i64 {
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

impl Zone {
    /// Returns the offset at a moment, in seconds.
    fn offset(&self, moment: Moment) -> i64 {
        let at = Timestamp::from_second(moment.seconds()).unwrap_or_default();
        self.0.to_offset(at).seconds().into()
    }

    /// Returns the moment of a local time; `None` before the year −9999 and after 9999.
    fn moment(&self, local: i64, reading: Reading) -> Option<Moment> {
        let local = TimeZone::UTC.to_datetime(Timestamp::from_second(local).ok()?);
        let found = self.0.to_ambiguous_timestamp(local);
        let found = match reading {
            Reading::Earlier => found.earlier(),
            Reading::Later => found.later(),
        };
        Some(Moment::from_seconds(found.ok()?.as_second()))
    }
}

impl TryFrom<String> for Zone {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        TimeZone::get(&name).map(Self).map_err(|_| {
            format!(
                "`{name}` is no time zone of the IANA database, such as Europe/Berlin or \
                 America/New_York"
            )
        })
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.iana_name().unwrap_or_default())
    }
}

impl WallClock {
    /// Clock in UTC.
    pub const UTC: Self = Self::Fixed(UtcOffset(0));

    /// Returns the offset from UTC at a moment.
    pub(super) fn offset(&self, moment: Moment) -> UtcOffset {
        match self {
            Self::Fixed(offset) => *offset,
            // Offsets of whole minutes are all that there have been since 1972.
            Self::Zone(zone) => UtcOffset(i32::try_from(zone.offset(moment) / 60).unwrap_or(0)),
        }
    }

    /// Returns what the clock shows at a moment, in seconds since it showed the beginning of 1970.
    pub(super) fn local(&self, moment: Moment) -> i64 {
        moment.plus(self.offset(moment).seconds()).seconds()
    }

    /// Returns what the clock shows at a moment: `2026-11-26 23:59`, with seconds unless they are zero.
    pub(super) fn show(&self, moment: Moment) -> String {
        let text = Moment::from_seconds(self.local(moment)).to_string();
        let text = text.trim_end_matches('Z').replace('T', " ");
        text.strip_suffix(":00").unwrap_or(&text).to_owned()
    }

    /// Returns the day that the clock shows at a moment.
    pub(super) fn day(&self, moment: Moment) -> Day {
        Day::of(&Moment::from_seconds(self.local(moment)).to_string())
    }

    /// Returns the moment at which the clock shows a time, which is in seconds since it showed the beginning of 1970.
    pub(super) fn moment(&self, local: i64, reading: Reading) -> Moment {
        let fixed =
            |offset: UtcOffset| Moment::from_seconds(local.saturating_sub(offset.seconds()));
        match self {
            Self::Fixed(offset) => fixed(*offset),
            Self::Zone(zone) => zone.moment(local, reading).unwrap_or_else(|| fixed(UtcOffset(0))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::course::CivilTime;

    fn zone(name: &str) -> WallClock {
        WallClock::Zone(Zone::try_from(name.to_owned()).unwrap())
    }

    /// The moments of a local time: read as the earlier one, and as the later one.
    fn both(clock: &WallClock, local: &str) -> [String; 2] {
        let time = CivilTime::parse(local).unwrap();
        [Reading::Earlier, Reading::Later].map(|reading| time.moment(clock, reading).to_string())
    }

    #[test]
    fn a_local_time_is_read_in_summer_and_in_winter() {
        for (name, local, moment) in [
            ("Europe/Berlin", "2026-07-01 12:00", "2026-07-01T10:00:00Z"),
            ("Europe/Berlin", "2026-12-01 12:00", "2026-12-01T11:00:00Z"),
            ("America/Los_Angeles", "2026-07-01 23:59", "2026-07-02T06:59:00Z"),
            ("America/Los_Angeles", "2026-12-01 23:59", "2026-12-02T07:59:00Z"),
            ("Asia/Kolkata", "2026-07-01 05:30", "2026-07-01T00:00:00Z"),
            ("UTC", "2026-07-01 05:30", "2026-07-01T05:30:00Z"),
        ] {
            assert_eq!(both(&zone(name), local), [moment, moment], "{name} {local}");
        }
    }

    /// In Berlin, 2026-10-25 has the hour from 2:00 twice, and 2026-03-29 does not have it.
    #[test]
    fn a_time_that_comes_twice_or_not_at_all_is_read_in_two_ways() {
        let berlin = zone("Europe/Berlin");
        let twice = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"];
        assert_eq!(both(&berlin, "2026-10-25 02:30"), twice);
        let never = ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"];
        assert_eq!(both(&berlin, "2026-03-29 02:30"), never);
        // Whatever states its own offset is read in one way.
        let own = ["2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z"];
        assert_eq!(both(&berlin, "2026-10-25T02:30:00+02:00"), own);
    }

    #[test]
    fn a_zone_is_found_by_its_name_and_nothing_else() {
        assert_eq!(zone("america/new_york"), zone("America/New_York"));
        for wrong in ["", "CEST", "+01:00", "Berlin", "Europe/Berln", "../Europe/Berlin"] {
            let error = Zone::try_from(wrong.to_owned()).unwrap_err();
            assert!(error.contains("such as Europe/Berlin"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_a_clock_shows_is_read_as_that_moment(seconds in 0_i64..4_102_444_800, index in 0_usize..4) {
            let names = ["Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe"];
            let (clock, moment) = (zone(names[index]), Moment::from_seconds(seconds));
            let local = clock.local(moment);
            let [earlier, later] =
                [Reading::Earlier, Reading::Later].map(|reading| clock.moment(local, reading));
            prop_assert!(earlier == moment || later == moment, "{earlier} {later} {moment}");
            // None of these zones changes its clocks by more than an hour.
            prop_assert!(earlier <= later && later.seconds() - earlier.seconds() <= 3600);
        }
    }
}
