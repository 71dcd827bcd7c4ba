//! Parses times in names.

use std::sync::LazyLock;

use regex::Regex;

/// Date and time, as exact as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Time {
    /// Date and time in ISO 8601, without the zone.
    date: String,
    /// Digits after the second.
    fraction: String,
    /// Zone: `Z`, `+01:00` or nothing.
    zone: String,
}

/// Year, month and day, hour and minute, perhaps a second and the zone.
const FORM: &str = r"(?x-u)^
    ([0-9]{4})-?([0-9]{2})-?([0-9]{2}) [-_T\x20]?
    ([0-9]{2})[-:.]?([0-9]{2}) (?:[-:.]?([0-9]{2}))? (?:\.([0-9]{1,9}))?
    \x20? (Z|UTC|UCT|GMT|[+-][0-9]{2}:?[0-9]{2})? $";

static PARSER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FORM).ok());

impl Time {
    /// Reads a time; `None` where it is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let found = PARSER.as_ref()?.captures(text.trim())?;
        let part = |group| found.get(group).map_or("", |part| part.as_str());
        let number = |group| part(group).parse::<u32>().unwrap_or(0);
        let (year, month, day) = (number(1), number(2), number(3));
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        // A second may be inserted.
        let is_time = number(4) < 24 && number(5) < 60 && number(6) <= 60;
        if !(1..=days).contains(&day) || !is_time {
            return None;
        }
        let zone = match part(8) {
            "Z" | "UTC" | "UCT" | "GMT" => "Z".to_owned(),
            offset => match offset.split_at_checked(3) {
                Some((hours, minutes)) => {
                    format!("{hours}:{}", minutes.trim_start_matches(':'))
                }
                None => String::new(),
            },
        };
        let second = if part(6).is_empty() { "00" } else { part(6) };
        let [year, month, day, hour, minute] = [1, 2, 3, 4, 5].map(part);
        Some(Self {
            date: format!("{year}-{month}-{day}T{hour}:{minute}:{second}"),
            fraction: part(7).trim_end_matches('0').to_owned(),
            zone,
        })
    }

    /// Returns the time in ISO 8601.
    pub(crate) fn text(&self) -> String {
        let Self { date, fraction, zone } = self;
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{date}{point}{fraction}{zone}")
    }

    /// Returns the sort key of times in one zone.
    pub(crate) fn order(&self) -> (&str, &str) {
        // Digits after the point order like words.
        (&self.date, &self.fraction)
    }

    /// Returns the zone, as far as it is known.
    pub(crate) fn zone(&self) -> &str {
        &self.zone
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_time_is_written_in_one_way() {
        for (text, read) in [
            ("2026-01-30-15-00-07", Some("2026-01-30T15:00:07")),
            ("2026-01-30 15:00:07.958200 UTC", Some("2026-01-30T15:00:07.9582Z")),
            ("2026-01-30T15:00:07+0130", Some("2026-01-30T15:00:07+01:30")),
            ("2026-01-30T15:00:07-08:00", Some("2026-01-30T15:00:07-08:00")),
            ("20260130_1500", Some("2026-01-30T15:00:00")),
            ("2024-02-29 00:00:00Z", Some("2024-02-29T00:00:00Z")),
            ("2026-02-29 00:00:00Z", None),
            ("2026-13-01 00:00:00", None),
            ("2026-00-10 00:00:00", None),
            ("2026-01-30 24:00:00", None),
            ("2026-01-30 23:60:00", None),
            ("2026-01-30 23:59:00 CEST", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(Time::read(text).map(|time| time.text()).as_deref(), read, "{text}");
        }
    }

    #[test]
    fn times_have_an_order() {
        let time = |text: &str| Time::read(text).unwrap();
        let times = [
            "2026-01-30 15:00:07.09",
            "2026-01-30 15:00:07.5",
            "2026-01-30 15:00:07.51",
            "2026-01-30 15:00:08",
            "2026-02-01 00:00:00",
        ];
        for pair in times.windows(2) {
            assert!(time(pair[0]).order() < time(pair[1]).order(), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn what_was_read_reads_the_same(text in "[0-9]{4}-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|\\+0[0-9]:30)?") {
            if let Some(time) = Time::read(&text) {
                prop_assert_eq!(Time::read(&time.text()), Some(time));
            }
        }
    }
}
