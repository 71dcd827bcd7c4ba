//! How far a file is on its way.

use std::sync::Mutex;

use hf_hub::progress::{DownloadEvent, FileProgress, ProgressEvent, ProgressHandler};
use indicatif::{ProgressBar, ProgressStyle};

/// How far a file is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer<'a> {
    /// Its path inside the repository.
    pub file: &'a str,
    /// Bytes that are here.
    pub done: u64,
    /// Bytes in all; 0 where nobody knows.
    pub total: u64,
}

/// Hands what `hf-hub` says of a file on to who wants to hear it.
pub(super) struct Hearing<F>(pub(super) F);

impl<F: Fn(&Transfer<'_>) + Send + Sync> ProgressHandler for Hearing<F> {
    fn on_progress(&self, event: &ProgressEvent) {
        let ProgressEvent::Download(DownloadEvent::Progress { files }) = event else { return };
        for FileProgress { filename, bytes_completed, total_bytes, .. } in files {
            self.0(&Transfer { file: filename, done: *bytes_completed, total: *total_bytes });
        }
    }
}

/// Shows transfers as a bar below what is on the terminal; on anything but a terminal, nothing.
pub fn bar() -> impl Fn(&Transfer<'_>) + Send + Sync + 'static {
    let shown: Mutex<Option<(String, ProgressBar)>> = Mutex::new(None);
    move |transfer| {
        // A bar that cannot be drawn is no reason to stop.
        let Ok(mut shown) = shown.lock() else { return };
        let is_same = shown.as_ref().is_some_and(|(file, _)| file == transfer.file);
        if !is_same {
            let bar = ProgressBar::new(transfer.total);
            let form = "{msg}  {bar:30}  {bytes} of {total_bytes}  {bytes_per_sec}";
            if let Ok(style) = ProgressStyle::with_template(form) {
                bar.set_style(style);
            }
            bar.set_message(transfer.file.to_owned());
            *shown = Some((transfer.file.to_owned(), bar));
        }
        if let Some((_, bar)) = shown.as_ref() {
            bar.set_length(transfer.total.max(transfer.done));
            bar.set_position(transfer.done);
            if transfer.done >= transfer.total {
                bar.finish_and_clear();
            }
        }
    }
}
