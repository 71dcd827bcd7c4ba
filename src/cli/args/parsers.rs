//! Parsers of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use softmark_sandbox::Level;

use crate::report::{DocumentFormat, Format};

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

/// Parser of formats of what is no record.
pub(super) fn document_format_parser() -> impl TypedValueParser<Value = DocumentFormat> {
    PossibleValuesParser::new(DocumentFormat::ALL.map(DocumentFormat::as_str))
        .try_map(|name| name.parse::<DocumentFormat>())
}
