//! File that a command writes in place of standard output.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::printer::Printer;
use crate::report::Layout;
use crate::store::{replace, replace_with};

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
        .and_then(|()| write_file(out, &text))
        .map_err(|error| Failure::unwritten(out, &error))
}

/// Replaces the file at `path` atomically; it keeps its permissions. If `path` is a link, the file that it leads to is replaced; a device or a pipe is written to.
///
/// # Errors
///
/// Fails if the file cannot be written.
fn write_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            replace_with(&fs::canonicalize(path)?, contents, found.permissions())
        }
        // A new file in the place of a device would be what all programs of the machine get.
        Ok(found) if !found.is_dir() => File::options().write(true).open(path)?.write_all(contents),
        Ok(_) | Err(_) => replace(path, contents),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    #[test]
    fn the_file_that_a_link_leads_to_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        // A report about students that others may not read stays one.
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        write_file(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(link.is_symlink());
    }

    #[test]
    fn a_pipe_is_written_to_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        // To open a pipe for reading and writing waits for nobody.
        let mut reader = File::options().read(true).write(true).open(&pipe).unwrap();
        write_file(&pipe, b"new").unwrap();
        let mut read = [0; 3];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"new");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
    }

    #[test]
    fn what_cannot_be_written_is_an_error_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        write_file(folder.path(), b"new").unwrap_err();
        assert!(folder.path().is_dir());
        write_file(Path::new("/dev/full"), b"new").unwrap_err();
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
        write_file(&folder.path().join("none/file"), b"new").unwrap_err();
    }
}
