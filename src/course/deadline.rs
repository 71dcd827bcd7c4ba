//! Deadlines as the course's file states them.

use std::fmt;

use serde::Deserialize;
use toml::value::Datetime;

use crate::course::civil_time::CivilTime;
use crate::course::moment::{DAY, Moment};
use crate::course::wall_clock::{Reading, WallClock};

/// Last moment that is in time: a day, a local time, or a time with an offset.
///
/// A local time that comes twice because clocks are set back is the second one, in favour of whoever hands in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Datetime")]
pub struct Deadline {
    stated: Stated,
    /// Clock on which it is read and shown.
    wall: WallClock,
}

/// Statement of the course's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stated {
    /// A day, to its last second; the number is that of the seconds from the beginning of 1970 to its first one.
    Day(i64),
    /// A time without an offset, in seconds since the beginning of 1970.
    Local(i64),
    /// A moment.
    Moment(Moment),
}

impl Deadline {
    /// Creates a deadline that is shown on this clock.
    pub fn new(last: Moment, wall: WallClock) -> Self {
        Self { stated: Stated::Moment(last), wall }
    }

    /// Returns the last second that is in time.
    pub fn moment(&self) -> Moment {
        match self.stated {
            Stated::Day(start) => self.wall.moment(start + DAY - 1, Reading::Later),
            Stated::Local(local) => self.wall.moment(local, Reading::Later),
            Stated::Moment(moment) => moment,
        }
    }

    /// Returns the clock on which it is stated.
    pub fn wall_clock(&self) -> &WallClock {
        &self.wall
    }

    /// Returns true if it is a time for which a time zone is needed.
    pub(super) fn needs_zone(&self) -> bool {
        matches!((self.stated, &self.wall), (Stated::Local(_), WallClock::Fixed(_)))
    }

    /// Reads and shows it on another clock.
    pub(super) fn set_clock(&mut self, wall: &WallClock) {
        self.wall = wall.clone();
    }

    /// Returns a deadline at another moment, on the same clock.
    #[must_use]
    pub fn at(&self, moment: Moment) -> Self {
        let new = |stated| Self { stated, wall: self.wall.clone() };
        let next = self.wall.local(moment) + 1;
        let day = new(Stated::Day(next - DAY));
        let is_day = matches!(self.stated, Stated::Day(_)) && next % DAY == 0;
        // The last second of a day may come twice.
        if is_day && day.moment() == moment { day } else { new(Stated::Moment(moment)) }
    }

    /// Returns the deadline as much later as `to` is than the due date `due`, by the clock: a due date that is moved by four days moves it
    /// by four days, also if clocks are changed in between.
    pub(super) fn moved(&self, due: &Self, to: Moment) -> Self {
        let later = (self.wall.local(to) - self.wall.local(due.moment())).max(0);
        let local = self.wall.local(self.moment()) + later;
        self.at(self.wall.moment(local, Reading::Later))
    }

    /// Returns the deadline some days later, at the same time of the clock.
    #[must_use]
    pub fn plus_days(&self, days: u32) -> Self {
        let seconds = i64::from(days) * DAY;
        let stated = match self.stated {
            Stated::Day(start) => Stated::Day(start + seconds),
            Stated::Local(local) => Stated::Local(local + seconds),
            Stated::Moment(moment) => {
                let later = self.wall.local(moment) + seconds;
                Stated::Moment(self.wall.moment(later, Reading::Later))
            }
        };
        Self { stated, wall: self.wall.clone() }
    }
}

impl fmt::Display for Deadline {
    /// Writes `2026-11-26`, or `2026-11-26 23:59 +01:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = self.moment();
        if matches!(self.stated, Stated::Day(_)) {
            self.wall.day(moment).fmt(f)
        } else {
            write!(f, "{} {}", self.wall.show(moment), self.wall.offset(moment))
        }
    }
}

impl TryFrom<Datetime> for Deadline {
    type Error = String;

    fn try_from(written: Datetime) -> Result<Self, String> {
        let text = written.to_string();
        let wrong = || {
            format!(
                "{text} is neither a day, such as 2026-11-26, nor a time on one, such as \
                 2026-11-26T23:59:00+01:00"
            )
        };
        let is_day = written.time.is_none();
        let first_second = if is_day { " 00:00" } else { "" };
        let CivilTime { local, offset } =
            CivilTime::parse(&format!("{text}{first_second}")).ok_or_else(wrong)?;
        let wall = WallClock::Fixed(offset.unwrap_or_default());
        let stated = match offset {
            _ if is_day => Stated::Day(local),
            None => Stated::Local(local),
            Some(_) => Stated::Moment(wall.moment(local, Reading::Later)),
        };
        Ok(Self { stated, wall })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::course::Zone;

    fn deadline(text: &str) -> Result<Deadline, String> {
        text.parse::<Datetime>().map_err(|error| error.to_string()).and_then(Deadline::try_from)
    }

    fn in_zone(text: &str, zone: &str) -> Deadline {
        let mut read = deadline(text).unwrap();
        read.set_clock(&WallClock::Zone(Zone::try_from(zone.to_owned()).unwrap()));
        read
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
            assert!(!read.needs_zone(), "{written}");
        }
        assert!(deadline("2026-11-26T23:59:00").unwrap().needs_zone());
        assert!(deadline("23:59:00").unwrap_err().contains("neither a day"));
    }

    #[test]
    fn in_a_zone_a_day_ends_at_local_midnight_and_a_time_needs_no_offset() {
        for (written, zone, last, shown) in [
            ("2026-11-26", "America/Los_Angeles", "2026-11-27T07:59:59Z", "2026-11-26"),
            ("2026-07-26", "America/Los_Angeles", "2026-07-27T06:59:59Z", "2026-07-26"),
            (
                "2026-07-26T18:00:00",
                "Europe/Berlin",
                "2026-07-26T16:00:00Z",
                "2026-07-26 18:00 +02:00",
            ),
            (
                "2026-11-26T18:00:00Z",
                "Europe/Berlin",
                "2026-11-26T18:00:00Z",
                "2026-11-26 19:00 +01:00",
            ),
            // Twice, and the second one is meant.
            (
                "2026-10-25T02:30:00",
                "Europe/Berlin",
                "2026-10-25T01:30:00Z",
                "2026-10-25 02:30 +01:00",
            ),
        ] {
            let read = in_zone(written, zone);
            assert_eq!(read.moment().to_string(), last, "{written}");
            assert_eq!(read.to_string(), shown, "{written}");
            assert!(!read.needs_zone(), "{written}");
        }
    }

    /// In Havana, clocks are set back from 1:00 to 0:00 on 2026-11-01 and forward from 0:00 to 1:00 on 2026-03-08; in Beirut, they are
    /// set back from 0:00 to 23:00 at the end of 2026-10-24.
    #[test]
    fn a_day_is_over_when_its_date_is() {
        for (zone, day, last) in [
            ("America/Havana", "2026-10-31", "2026-11-01T03:59:59Z"),
            ("America/Havana", "2026-03-07", "2026-03-08T04:59:59Z"),
            ("Asia/Beirut", "2026-10-24", "2026-10-24T21:59:59Z"),
        ] {
            let due = in_zone(day, zone);
            assert_eq!((due.moment().to_string().as_str(), due.to_string().as_str()), (last, day));
            // The next second is of the next date, or the day would have ended too early.
            let next = due.wall_clock().day(due.moment().plus(1)).to_string();
            assert!(next.as_str() > day, "{zone}: {next}");
        }
    }

    proptest! {
        #[test]
        fn another_moment_is_that_moment(seconds in 0_i64..4_102_444_800, zone in 0_usize..3, whole in any::<bool>()) {
            let zone = ["Europe/Berlin", "America/Havana", "Asia/Beirut"][zone];
            let due = in_zone("2026-11-26", zone);
            // Half of them at the end of a day, or near it.
            let local = if whole { seconds / DAY * DAY + DAY - 1 } else { seconds };
            for reading in [Reading::Earlier, Reading::Later] {
                let moment = due.wall_clock().moment(local, reading);
                prop_assert_eq!(due.at(moment).moment(), moment);
                prop_assert_eq!(due.moved(&due, due.moment()), due.clone());
            }
        }
    }

    #[test]
    fn days_later_is_the_same_time_of_the_clock() {
        // Clocks in Berlin are set back in the night of 2026-10-25.
        for (written, days, last) in [
            ("2026-10-24T20:00:00", 2, "2026-10-26T19:00:00Z"),
            ("2026-10-24T20:00:00+02:00", 2, "2026-10-26T19:00:00Z"),
            ("2026-10-24", 2, "2026-10-26T22:59:59Z"),
            ("2026-11-24", 7, "2026-12-01T22:59:59Z"),
        ] {
            let later = in_zone(written, "Europe/Berlin").plus_days(days);
            assert_eq!(later.moment().to_string(), last, "{written}");
        }
        let fixed = deadline("2026-10-24T20:00:00+02:00").unwrap().plus_days(2);
        assert_eq!(fixed.to_string(), "2026-10-26 20:00 +02:00");
    }

    #[test]
    fn another_moment_is_shown_on_the_same_clock() {
        let due = in_zone("2026-10-24", "Europe/Berlin");
        for (moment, shown) in [
            ("2026-10-24T21:59:59Z", "2026-10-24"),
            ("2026-10-25T22:59:59Z", "2026-10-25"),
            ("2026-10-25T21:59:59Z", "2026-10-25 22:59:59 +01:00"),
        ] {
            let moment = CivilTime::parse(moment).unwrap().moment(&WallClock::UTC, Reading::Later);
            let other = due.at(moment);
            assert_eq!((other.to_string().as_str(), other.moment()), (shown, moment));
        }
    }
}
