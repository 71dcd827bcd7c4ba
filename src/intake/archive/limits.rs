//! Limits on the contents of an archive.

/// Limits on the contents of an archive, checked before anything is decompressed; for `.tar.gz`, during
/// decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The archive itself, in bytes.
    pub archive_bytes: u64,
    /// Entries, and the folders that only stand in the names of others.
    pub entries: usize,
    /// The files together, in bytes, as the archive declares them; of a tar archive all of it.
    pub total_bytes: u64,
    /// Largest ratio of the files' total size to the archive's size.
    pub ratio: u64,
    /// Most levels of folders.
    pub depth: usize,
    /// A path, in bytes.
    pub path_bytes: usize,
}

impl Limits {
    /// Limits for one student's archive.
    pub const SUBMISSION: Self = Self {
        // At most 1 MiB of it is taken, and a checkpoint of some more where an assignment asks for one.
        // Thirty times that leaves room for a report with pictures beside the code; a `target/` with
        // candle in it (a gigabyte) is left out before packing.
        // An archive in a bulk download is held in memory: 32 MiB for each job.
        archive_bytes: 32 << 20,
        // A handed-out folder has about 20; a year of work in `.git/` some thousands. A folder
        // with one thing in it, the dearest node in memory, takes less than 2 KiB: all take 20 MiB.
        entries: 10_000,
        // What `gzip` inflates in about a second: nothing of a `.tar.gz` is seen without that.
        total_bytes: 256 << 20,
        // Source text shrinks to a fifth or a tenth, a log to a fiftieth; deflate reaches 1032, and
        // only with bytes that are all the same.
        ratio: 200,
        // `src/` is one; build folders, which nest deepest, have about ten.
        depth: 24,
        // Windows takes 260; what is longer was not made on purpose.
        path_bytes: 400,
    };

    /// Limits for a bulk download.
    pub const BULK: Self = Self {
        // What a zip archive can have without the extension for larger ones: a hundred students
        // with 40 MiB each. It stays on the disk; only its list is held.
        archive_bytes: u32::MAX as u64 - 1,
        // Likewise.
        entries: u16::MAX as usize - 1,
        // Archives in it do not shrink any further; folders do, as those of one student.
        total_bytes: 16 << 30,
        // Two folders more: the download's own and the student's.
        depth: Self::SUBMISSION.depth + 2,
        path_bytes: Self::SUBMISSION.path_bytes + 200,
        ..Self::SUBMISSION
    };

    /// Below this the ratio is not looked at, in bytes: that much is small however it was packed.
    pub const SMALL: u64 = 1 << 20;

    /// Returns the most bytes that may be extracted from an archive of this size.
    pub(crate) fn may_hold(&self, archive_bytes: u64) -> u64 {
        self.total_bytes.min(archive_bytes.saturating_mul(self.ratio).max(Self::SMALL))
    }
}
