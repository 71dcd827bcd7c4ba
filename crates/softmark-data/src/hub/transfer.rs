//! Progress of file transfers.

use std::sync::Mutex;

use hf_hub::progress::{DownloadEvent, FileProgress, ProgressEvent, ProgressHandler};
use indicatif::{ProgressBar, ProgressStyle};

/// Progress of one file's transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer<'a> {
    /// Path of the file inside the repository.
    pub file: &'a str,
    /// Bytes received so far.
    pub done: u64,
    /// Size of the file in bytes; 0 if unknown.
    pub total: u64,
}

/// Forwards progress reports of `hf-hub` to a callback.
pub(super) struct Hearing<F>(pub(super) F);

impl<F: Fn(&Transfer<'_>) + Send + Sync> ProgressHandler for Hearing<F> {
    fn on_progress(&self, event: &ProgressEvent) {
        let ProgressEvent::Download(DownloadEvent::Progress { files }) = event else { return };
        for FileProgress { filename, bytes_completed, total_bytes, .. } in files {
            self.0(&Transfer { file: filename, done: *bytes_completed, total: *total_bytes });
        }
    }
}

/// Returns a callback that shows transfers as a progress bar on a terminal; it shows nothing elsewhere.
pub fn bar() -> impl Fn(&Transfer<'_>) + Send + Sync + 'static {
    let shown: Mutex<Option<(String, ProgressBar)>> = Mutex::new(None);
    // Failing to draw a bar must not stop the transfer.
    move |transfer| {
        if let Ok(mut shown) = shown.lock() {
            show(&mut shown, transfer);
        }
    }
}

/// Shows a transfer on the bar of its file, or on a new one.
fn show(shown: &mut Option<(String, ProgressBar)>, transfer: &Transfer<'_>) {
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
