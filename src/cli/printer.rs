//! Prints data to stdout, and all else to stderr.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};

use anstyle::{AnsiColor, Style as Ansi};
use softmark_untrusted::escape_line;

use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::report::{Layout, Style};

/// Output streams, and the layout and style of what they print.
pub(crate) struct Printer<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Layout of data.
    pub(crate) layout: Layout,
    /// Style of all other output.
    pub(crate) style: Style,
}

impl<'a> Printer<'a> {
    /// Creates a printer to `out` and `err`, with the styles that the environment allows.
    pub(crate) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, env: &Env) -> Self {
        let style = |is_terminal| {
            if is_terminal && env.allows_color() { Style::Colored } else { Style::Plain }
        };
        let width = env.width().unwrap_or(Layout::default().width);
        let layout = Layout { width, style: style(env.stdout_is_terminal) };
        Self { out, err, layout, style: style(env.stderr_is_terminal) }
    }

    /// Prints data. A reader that closes its end early is no error.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be written.
    pub(crate) fn data(
        &mut self,
        write: impl FnOnce(Layout, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(&mut *self.out);
        let written = write(self.layout, &mut out).and_then(|()| out.flush());
        // Else it would be written once more as it goes.
        let (_, _unwritten) = out.into_parts();
        match written {
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                Err(Failure::broken(error.to_string(), "choose another `--format`"))
            }
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::broken(
                format!("cannot write to stdout: {error}"),
                "is the disk full?",
            )),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Says something that is worth a look.
    pub(crate) fn warning(&mut self, text: impl Display) {
        self.labeled("warning", AnsiColor::Yellow, &text);
    }

    /// Says what may be useful next.
    pub(crate) fn hint(&mut self, text: impl Display) {
        self.labeled("hint", AnsiColor::Cyan, &text);
    }

    /// Says why there is no more.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        self.labeled("error", AnsiColor::Red, &failure.message);
        if let Some(hint) = &failure.hint {
            self.hint(hint);
        }
    }

    /// Says something as it is.
    pub(crate) fn plain(&mut self, text: impl Display) {
        let text = printable(&text.to_string());
        // Where nobody listens there is nobody to tell.
        write!(self.err, "{text}").ok();
    }

    fn labeled(&mut self, label: &str, color: AnsiColor, text: &dyn Display) {
        let style = match self.style {
            Style::Colored => color.on_default().bold(),
            Style::Plain => Ansi::new(),
        };
        let text = printable(&text.to_string());
        // Where nobody listens there is nobody to tell.
        writeln!(self.err, "{style}{label}{style:#}: {text}").ok();
    }
}

/// Text with its lines as they are, and nothing in them that a terminal acts on: errors name files,
/// and students name those.
fn printable(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escape_line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn printed(kind: ErrorKind) -> Result<(), Failure> {
        let (mut out, mut err) = (Broken(kind), Vec::new());
        Printer::new(&mut out, &mut err, &Env::of(&[])).data(|_, out| out.write_all(b"data"))
    }

    #[test]
    fn a_reader_that_has_enough_is_no_error() {
        assert_eq!(printed(ErrorKind::BrokenPipe), Ok(()));
        assert!(printed(ErrorKind::StorageFull).is_err());
    }

    #[test]
    fn what_is_said_moves_no_cursor() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut printer = Printer::new(&mut out, &mut err, &Env::of(&[]));
        printer.failure(&Failure::usage("\u{1b}[2J is no folder", "rename\r\n\u{202e}it"));
        printer.plain("kept in \u{9b}A\n");
        let said = String::from_utf8(err).unwrap();
        assert_eq!(
            said,
            "error: ␛[2J is no folder\nhint: rename␍\n\\u{202e}it\nkept in \\u{9b}A\n"
        );
    }

    #[test]
    fn hints_stand_apart_from_errors() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let failure = Failure::usage("there is no x", "use y");
        Printer::new(&mut out, &mut err, &Env::of(&[])).failure(&failure);
        assert_eq!(String::from_utf8(err).unwrap(), "error: there is no x\nhint: use y\n");
        assert!(out.is_empty());
    }
}
