//! Statistics of the checks of an assignment: classical item analysis of the results in the ledger.
//!
//! The last grading of each submission to the assignment counts, if it has results. Submissions in
//! which every check reached a stub count as not started and are left out: a few of them, with all checks failed and
//! no points, would make every check look as if it told good work from bad. Overrides are left out as well: the
//! subject is the checks, and not the grades.
//!
//! | figure | formula | source |
//! |---|---|---|
//! | pass rate | `p = passed / n`, with a 95 % score interval | Wilson, *JASA* 22 (1927) |
//! | discrimination | point-biserial correlation of passing the check with the points of all other checks | Lord and Novick, *Statistical Theories of Mental Test Scores* (1968), 15.5 |
//! | "better students fail" | one-sided t-test of that correlation, `t = r √((n−2) / (1−r²))` with `n−2` degrees of freedom; all checks of the assignment together err in 5 % of classes at most (step-down) | Tate, *Ann. Math. Stat.* 25 (1954); Holm, *Scand. J. Stat.* 6 (1979) |
//! | "everybody passes" | one-sided 95 % bound of the rate after `n` of `n`: `0.05^(1/n)` | Clopper and Pearson, *Biometrika* 26 (1934) |
//! | quartiles | linear interpolation between order statistics, type 7 | Hyndman and Fan, *Am. Stat.* 50 (1996) |
//!
//! A flag needs at least [`MIN_CLASS`] submissions. That a correlation is below zero is only tested where at least
//! [`MIN_GROUP`] passed and as many failed: the t-test takes the means of both groups to be about normal,
//! which points of one or two students are not.

mod attempts;
mod checks;
mod class;
mod figures;
mod flag;
mod flags;
mod format;
mod html;
mod json;
mod picture;
mod terminal;
mod words;

pub use attempts::Attempts;
pub use checks::{CheckStatistics, StatusCounts};
pub use class::{Counts, Statistics};
pub use figures::{
    Distribution, Interval, Pair, all_pass_bound, holm, negative_correlation_p, point_biserial,
    wilson,
};
pub use flag::Flag;
pub(crate) use flags::words as flag_words;
pub use flags::{MIN_CLASS, MIN_GROUP};
pub use format::write;
pub(crate) use picture::{boxes, histogram, map, rate};
pub(crate) use words::{correlation, counts, mistakes, percent};
