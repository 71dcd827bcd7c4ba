//! Figures in words, for every format that people read.

use super::checks::CheckStatistics;
use super::class::Counts;

/// Most mistakes of a check that are listed.
const MOST_MISTAKES: usize = 4;

/// Returns the number of submissions by how they ended: `24 graded, 1 not started`.
pub(crate) fn counts(counts: &Counts) -> String {
    let parts = [
        (counts.graded, "graded"),
        (counts.not_started, "not started"),
        (counts.build_failed, "build failed"),
        (counts.rejected, "rejected"),
        (counts.no_grade, "no grade"),
    ];
    let parts = parts.iter().enumerate().filter(|(place, (number, _))| *place == 0 || *number > 0);
    let parts: Vec<String> = parts.map(|(_, (number, word))| format!("{number} {word}")).collect();
    parts.join(", ")
}

/// Returns a rate in percent.
pub(crate) fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| format!("{:.1}", rate * 100.0))
}

/// Returns a correlation.
pub(crate) fn correlation(r: Option<f64>) -> String {
    r.map_or_else(|| "–".to_owned(), |r| format!("{r:+.2}"))
}

/// Returns the limits of a rate in percent.
pub(super) fn interval(check: &CheckStatistics) -> String {
    check.interval().map_or_else(String::new, |interval| {
        format!("{:.0}–{:.0}", interval.low * 100.0, interval.high * 100.0)
    })
}

/// Returns the mistakes of a check: `5× missing-scale, 1× shallow-mask`.
pub(crate) fn mistakes(check: &CheckStatistics) -> String {
    let shown = check.mistakes.iter().take(MOST_MISTAKES);
    let mut words: Vec<String> = shown.map(|(id, count)| format!("{count}× {id}")).collect();
    let more = check.mistakes.len().saturating_sub(MOST_MISTAKES);
    words.extend((more > 0).then(|| format!("{more} more")));
    words.join(", ")
}
