//! File that a command writes in place of standard output.

use std::io;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::printer::Printer;
use crate::report::Layout;

/// Checks that the file at `out` can be written, before anything is computed; `what` is its content, as in `an audit`.
///
/// # Errors
///
/// Fails if it is a folder, or would be in a folder that is not there.
pub(crate) fn check(out: Option<&Path>, what: &str) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    if out.is_dir() {
        return Err(Failure::usage(
            format!("{} is a folder", out.display()),
            format!("{what} is one file; `--out` names it"),
        ));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::usage(
            format!("there is no folder {}", folder.display()),
            "make it, or name another file with `--out`",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Writes what `content` writes into the file at `out`, or to standard output if there is none.
///
/// # Errors
///
/// Fails if it cannot be written.
pub(crate) fn write(
    out: Option<&Path>,
    printer: &mut Printer<'_>,
    content: impl FnOnce(Layout, &mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(out) = out else { return printer.data(content) };
    let mut text = Vec::new();
    // A file has no colors and no width of its own.
    content(Layout::default(), &mut text)
        .and_then(|()| std::fs::write(out, text))
        .map_err(|error| Failure::unwritten(out, &error))
}
