//! Parsers of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use softmark_sandbox::Level;

use crate::audit;
use crate::ledger;
use crate::report::Format;
use crate::similar;

/// Parser of levels that isolate; `none` has an option of its own, which says what it does.
pub(super) fn level_parser() -> impl TypedValueParser<Value = Level> {
    let levels = Level::ALL.into_iter().filter(|level| *level != Level::None);
    // `strict` is known, so that whoever asks for it is told why it cannot be had.
    let value = |level: Level| PossibleValue::new(level.as_str()).hide(level == Level::Strict);
    PossibleValuesParser::new(levels.map(value))
        .try_map(|name| Level::from_name(&name).ok_or("there is no such level"))
}

/// Parser of formats of records.
pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::as_str))
        .try_map(|name| name.parse::<Format>())
}

/// Parser of formats of audits.
pub(super) fn audit_parser() -> impl TypedValueParser<Value = audit::Format> {
    PossibleValuesParser::new(audit::Format::ALL.map(audit::Format::as_str))
        .try_map(|name| name.parse::<audit::Format>())
}

/// Parser of formats of comparisons.
pub(super) fn similar_parser() -> impl TypedValueParser<Value = similar::Format> {
    PossibleValuesParser::new(similar::Format::ALL.map(similar::Format::as_str))
        .try_map(|name| name.parse::<similar::Format>())
}

/// Parser of formats of the ledger and of statistics.
pub(super) fn ledger_parser() -> impl TypedValueParser<Value = ledger::Format> {
    PossibleValuesParser::new(ledger::Format::ALL.map(ledger::Format::as_str))
        .try_map(|name| name.parse::<ledger::Format>())
}
