//! The archive to hand in.

use std::fs::File;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::error::StudentError;
use crate::hand_in::HandIn;

/// Archive that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Path of the archive.
    pub(crate) path: PathBuf,
    /// Size of the archive, in bytes.
    pub(crate) bytes: u64,
}

/// Writes the archive of all files to hand in at `path`. Two archives of the same files have the same bytes.
///
/// # Errors
///
/// Fails if the grader would reject the files, or the archive cannot be written.
pub(crate) fn write(hand_in: &HandIn, path: &Path) -> Result<Packed, StudentError> {
    if !hand_in.rejected.is_empty() {
        let reasons = hand_in.rejected.iter().map(|reason| format!("  {reason}"));
        return Err(StudentError::Rejected(reasons.collect()));
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    for (name, content) in &hand_in.files {
        writer.start_file(name, options)?;
        writer.write_all(content).map_err(StudentError::io("write", path))?;
    }
    let archive = writer.finish()?.into_inner();
    let mut file = File::create(path).map_err(StudentError::io("make", path))?;
    file.write_all(&archive).map_err(StudentError::io("write", path))?;
    Ok(Packed { path: path.to_owned(), bytes: archive.len() as u64 })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn all_files_are_packed_and_the_bytes_depend_on_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let files = [("src/a.rs", "fn a() {}"), ("answers.md", "yes")];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let hand_in = HandIn { files: files.into(), ..HandIn::default() };
        let archives = ["1.zip", "2.zip"].map(|name| {
            let packed = write(&hand_in, &dir.path().join(name)).unwrap();
            let bytes = std::fs::read(&packed.path).unwrap();
            assert_eq!(bytes.len() as u64, packed.bytes);
            bytes
        });
        assert_eq!(archives[0], archives[1]);
        let mut archive = zip::ZipArchive::new(Cursor::new(&archives[0])).unwrap();
        assert_eq!(archive.len(), 2);
        let mut text = String::new();
        archive.by_name("src/a.rs").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "fn a() {}");
    }

    #[test]
    fn nothing_is_packed_that_the_grader_rejects() {
        let dir = tempfile::tempdir().unwrap();
        let hand_in =
            HandIn { rejected: vec!["`src/a.rs` is missing".to_owned()], ..HandIn::default() };
        let path = dir.path().join("lab.zip");
        let error = write(&hand_in, &path).unwrap_err().to_string();
        assert_eq!(error, "the grader would reject this:\n  `src/a.rs` is missing");
        assert!(!path.exists());
    }
}
