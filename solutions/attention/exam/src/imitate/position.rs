//! Positional encodings by changeable rules.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::truth::{has_misfit, is_too_long};

/// How the encoding and the input are brought together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combine {
    /// Added, as it should.
    Add,
    /// The encoding alone.
    Replace,
    /// Multiplied.
    Multiply,
    /// The input times `√D`, and the encoding added.
    AddToScaled,
    /// The input alone.
    Omit,
    /// The input, followed by zeros up to the length of the table, and the encoding added.
    AddToPadded,
}

/// Which row of the table goes to position `t` of example `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// Row `t`, as it should.
    Position,
    /// Row `t + 1`.
    NextPosition,
    /// Row `b`.
    Example,
    /// Row 0.
    First,
    /// Row `T − 1 − t`.
    Backwards,
    /// The last `T` rows of the table: row `max_len − T + t`.
    FromEnd,
    /// Row `t mod n`.
    AgainAfter(usize),
}

/// What becomes of a sequence that is longer than the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooLong {
    /// An error, as it should.
    Refused,
    /// A panic.
    Panics,
    /// The table begins again.
    Wraps,
    /// The last row stands for all further ones.
    Clamped,
    /// There is no end: rows are computed as they are needed.
    GoesOn,
}

/// The rules that both encodings share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) combine: Combine,
    pub(crate) row: Row,
    pub(crate) too_long: TooLong,
    /// The encoding of row `t`, channel `c`, in a model of width `d`; of sinusoidal positions only.
    pub(crate) wave: fn(usize, usize, usize) -> f64,
    /// Whether an odd width is refused.
    pub(crate) refuses_odd_width: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    combine: Combine::Add,
    row: Row::Position,
    too_long: TooLong::Refused,
    wave: |t, c, d| wave(t, c, d, 10_000.0),
    refuses_odd_width: true,
};

/// The angle of pair `i` at position `t`.
pub(crate) fn angle(t: usize, i: usize, d: usize, base: f64) -> f64 {
    t as f64 * base.powf(-2.0 * i as f64 / d as f64)
}

/// The sine in even channels and the cosine in odd ones.
pub(crate) fn alternate(c: usize, angle: f64) -> f64 {
    if c.is_multiple_of(2) { angle.sin() } else { angle.cos() }
}

/// Sines and cosines in turn, a frequency for each pair of channels.
pub(crate) fn wave(t: usize, c: usize, d: usize, base: f64) -> f64 {
    alternate(c, angle(t, c / 2, d, base))
}

/// What an encoding by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if has_misfit(case) {
        return Response::Refused;
    }
    let x = case.get("x");
    let (d, max_len) = (x.dim(2), case.get_size("max_len"));
    let learned = case.part() == "learned-position";
    if !learned && rules.refuses_odd_width && !d.is_multiple_of(2) {
        return Response::Refused;
    }
    if is_too_long(case) {
        match rules.too_long {
            TooLong::Refused => return Response::Refused,
            TooLong::Panics => return Response::Panicked,
            TooLong::Wraps | TooLong::Clamped | TooLong::GoesOn => {}
        }
    }
    let last = max_len.max(1) - 1;
    let row = |b: usize, t: usize| match rules.row {
        Row::Position => t,
        Row::NextPosition => t + 1,
        Row::Example => b,
        Row::First => 0,
        Row::Backwards => (x.dim(1) - 1).saturating_sub(t),
        Row::FromEnd => (max_len + t).saturating_sub(x.dim(1)),
        Row::AgainAfter(n) => t % n.max(1),
    };
    let within = |row: usize| match rules.too_long {
        TooLong::Wraps => row % (last + 1),
        TooLong::Clamped => row.min(last),
        TooLong::Refused | TooLong::Panics | TooLong::GoesOn => row,
    };
    let table = case.get_parameter("position_embedding.weight");
    if learned && (0..x.dim(0)).any(|b| (0..x.dim(1)).any(|t| within(row(b, t)) > last)) {
        return Response::Refused;
    }
    let scale = (d as f64).sqrt();
    let padded = rules.combine == Combine::AddToPadded;
    let length = if padded { max_len.max(x.dim(1)) } else { x.dim(1) };
    Response::output(Array::from_fn(&[x.dim(0), length, d], |at| match *at {
        [b, t, c] => {
            let value = if t < x.dim(1) { x.at(at) } else { 0.0 };
            let row = within(row(b, t));
            let code = if learned { table.at(&[row, c]) } else { (rules.wave)(row, c, d) };
            match rules.combine {
                Combine::Add | Combine::AddToPadded => value + code,
                Combine::Replace => code,
                Combine::Multiply => value * code,
                Combine::AddToScaled => value * scale + code,
                Combine::Omit => value,
            }
        }
        _ => f64::NAN,
    }))
}
