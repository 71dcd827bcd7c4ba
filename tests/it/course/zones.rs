//! The time zone of a course.

use super::{COURSE, desk, keep, record};

/// The course with local times, in a time zone.
fn course(zone: &str) -> String {
    let local = COURSE.replace("+01:00", "");
    assert_ne!(local, COURSE);
    format!("time_zone = \"{zone}\"\n{local}")
}

#[test]
fn a_time_without_an_offset_needs_a_time_zone() {
    let told = desk(&COURSE.replace("59:00+01:00", "59:00")).grade("course check").exit(2).stderr;
    assert!(
        told.contains("softmark.toml:10:7: a time without an offset is of a time zone"),
        "{told}"
    );
    let wrong = desk(&course("Europe/Berln")).grade("course check").exit(2).stderr;
    for said in ["line 1, column 13", "`Europe/Berln` is no time zone", "such as Europe/Berlin"] {
        assert!(wrong.contains(said), "{said}\n{wrong}");
    }
}

/// 20:00 in California is after midnight in UTC.
#[test]
fn a_day_ends_at_midnight_of_the_time_zone() {
    let day = |course: &str| course.replace("due = 2026-11-26T23:59:00", "due = 2026-11-26");
    let hand_in = record("amara", "attention", "2026-11-26T20:00:00-08:00", 2_850);
    for (course, said) in [
        (day(&course("America/Los_Angeles")), "in time, 28.50"),
        (
            day(COURSE).replace("26+01:00", "26"),
            "4 hours 1 minute late, 1 of 3 late days used, 28.50",
        ),
    ] {
        let desk = desk(&course);
        keep(&desk, "results/attention", std::slice::from_ref(&hand_in));
        let told = desk.grade("course check").exit(0).stdout;
        let line = format!("  amara (Amara Okafor, red): {said}");
        assert!(told.lines().any(|it| it == line), "{line}\n{told}");
    }
}

/// Clocks in Berlin are set back on 2026-10-25 at 3:00.
#[test]
fn dates_across_the_end_of_daylight_saving_time_are_local() {
    let course = course("Europe/Berlin")
        .replace("due = 2026-11-26T23:59:00", "due = 2026-10-24T23:59:00")
        .replace("late_until = 2026-12-03T23:59:00", "late_until = 2026-10-31T23:59:00");
    let desk = desk(&course);
    keep(
        &desk,
        "results/attention",
        &[
            // Without an offset: two hours later, by a clock that was set back once.
            record("amara", "attention", "2026-10-25T03:30:00", 2_850),
            // Twice, and read as the first.
            record("bao", "attention", "2026-10-25T02:30:00", 1_400),
            record("chiara", "attention", "2026-10-28T22:58:00Z", 3_000),
        ],
    );
    let told = desk.grade("course check").exit(0).stdout;
    let (first, _) = told.split_once('\n').unwrap();
    assert!(first.ends_with("roster.csv; times in Europe/Berlin"), "{first}");
    for line in [
        "attention, due 2026-10-24 23:59 +02:00",
        "  late until 2026-10-31 23:59 +01:00",
        "  extension of chiara (Chiara Rossi): due 2026-10-28 23:59 +01:00, late until 2026-11-04 23:59 +01:00",
        "  amara (Amara Okafor, red): 4 hours 31 minutes late, 1 of 3 late days used, 28.50",
        "  bao (Bao Tran, red): 2 hours 31 minutes late, 1 of 3 late days used, 14.00",
        "  chiara (Chiara Rossi): extended to 2026-10-28 23:59 +01:00, in time, 30.00",
    ] {
        assert!(told.lines().any(|it| it == line), "{line}\n{told}");
    }
    let json = desk.grade("course check --format json").exit(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["time_zone"], "Europe/Berlin");
    assert_eq!(json["assignments"][0]["due"], "2026-10-24T21:59:00Z");
    assert_eq!(json["assignments"][0]["students"][1]["submitted"], "2026-10-25T00:30:00Z");
}
