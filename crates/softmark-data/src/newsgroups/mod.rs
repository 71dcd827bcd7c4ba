//! 20 Newsgroups, "bydate": a folder a group, a file a post, Latin-1.
//!
//! Headers name people, their addresses and subjects, footers are signatures, and quotes are other posts: a
//! classifier that reads them learns who writes and not what about. [`Removed`] says what is taken
//! out, in the way of scikit-learn's `fetch_20newsgroups(remove=("headers", "footers", "quotes"))`.

mod strip;

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::latin1;
use crate::fault::{DataError, Place, Reason};
use crate::files;

pub use strip::{strip_footer, strip_header, strip_quoting};

/// What is taken out of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// [`strip_header`].
    pub headers: Part,
    /// [`strip_footer`].
    pub footers: Part,
    /// [`strip_quoting`].
    pub quotes: Part,
}

/// Whether a part of a post stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It stays.
    Kept,
    /// It is taken out.
    Removed,
}

impl Removed {
    /// Nothing is taken out.
    pub const NOTHING: Self = Self { headers: Part::Kept, footers: Part::Kept, quotes: Part::Kept };
    /// Headers, footers and quotes are.
    pub const ALL: Self =
        Self { headers: Part::Removed, footers: Part::Removed, quotes: Part::Removed };

    /// The post without what is taken out: the header first, then the footer, then quotes.
    ///
    /// ```
    /// use softmark_data::newsgroups::Removed;
    ///
    /// let post = "From: a@b\nSubject: c\n\nHe writes:\n> Is it?\nIt is.\n--\nA.\n";
    /// assert_eq!(Removed::ALL.strip(post), "It is.");
    /// ```
    pub fn strip(self, post: &str) -> String {
        let mut text = post.to_owned();
        if self.headers == Part::Removed {
            text = strip_header(&text).to_owned();
        }
        if self.footers == Part::Removed {
            text = strip_footer(&text).to_owned();
        }
        if self.quotes == Part::Removed {
            text = strip_quoting(&text);
        }
        text
    }
}

/// The posts of `groups` below `root`, such as `20news-bydate-train`; a class is a place in `groups`.
///
/// A post of which nothing is left stays, as an empty text; see
/// [`TextDataset::without_blank`].
///
/// # Errors
///
/// When a group has no folder or no posts, when a file's name is no number, or as [`files::bytes`].
pub fn read(root: &Path, groups: &[&str], removed: Removed) -> Result<TextDataset, DataError> {
    let mut examples = Vec::new();
    for (label, group) in (0..).zip(groups) {
        let folder = root.join(group);
        for name in files::names(&folder)? {
            let path = folder.join(&name);
            let source = files::place(&path);
            check_name(&name, &source)?;
            let post = latin1(&files::bytes(&path, files::MAX_DOCUMENT_BYTES)?);
            examples.push(TextExample { text: removed.strip(&post), label, source });
        }
    }
    let classes = groups.iter().map(|group| (*group).to_owned()).collect();
    TextDataset::new(&root.display().to_string(), classes, examples)
}

fn check_name(name: &str, place: &Place) -> Result<(), DataError> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(());
    }
    let what = "it is something else".to_owned();
    Err(place.error(Reason::Name { what, form: "the number of a post" }))
}
