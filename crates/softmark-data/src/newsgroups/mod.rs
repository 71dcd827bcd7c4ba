//! 20 Newsgroups, "bydate": one folder per group with one file per post, Latin-1.
//!
//! Headers contain people's names, addresses and subjects, footers are signatures, and quotes are parts of
//! other posts: a classifier that reads them learns the author instead of the topic. [`Removed`] selects the
//! parts to remove, as scikit-learn's `fetch_20newsgroups(remove=("headers", "footers", "quotes"))` does.

mod strip;

use std::path::Path;

use crate::dataset::{TextDataset, TextExample};
use crate::decode::latin1;
use crate::fault::{DataError, Location, Reason};
use crate::files;

pub use strip::{strip_footer, strip_header, strip_quoting};

/// The parts of a post to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Treatment of the header, by [`strip_header`].
    pub headers: Part,
    /// Treatment of the footer, by [`strip_footer`].
    pub footers: Part,
    /// Treatment of quotes, by [`strip_quoting`].
    pub quotes: Part,
}

/// Treatment of a part of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The part is kept.
    Kept,
    /// The part is removed.
    Removed,
}

impl Removed {
    /// Keeps whole posts.
    pub const NOTHING: Self = Self { headers: Part::Kept, footers: Part::Kept, quotes: Part::Kept };
    /// Removes headers, footers and quotes.
    pub const ALL: Self =
        Self { headers: Part::Removed, footers: Part::Removed, quotes: Part::Removed };

    /// Returns the post without the removed parts: first the header, then the footer, then quotes.
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

/// Reads the posts of `groups` below `root`, such as `20news-bydate-train`; labels are indices into `groups`.
///
/// A post that becomes empty stays in the data set as an empty text; see [`TextDataset::without_blank`].
///
/// # Errors
///
/// Fails if a group has no folder or no posts, if the name of a file is not a number, or if [`files::bytes`] fails.
pub fn read(root: &Path, groups: &[&str], removed: Removed) -> Result<TextDataset, DataError> {
    let mut examples = Vec::new();
    for (label, group) in (0..).zip(groups) {
        let folder = root.join(group);
        for name in files::names(&folder)? {
            let path = folder.join(&name);
            let source = files::location(&path);
            check_name(&name, &source)?;
            let post = latin1(&files::bytes(&path, files::MAX_DOCUMENT_BYTES)?);
            examples.push(TextExample { text: removed.strip(&post), label, source });
        }
    }
    let classes = groups.iter().map(|group| (*group).to_owned()).collect();
    TextDataset::new(&root.display().to_string(), classes, examples)
}

fn check_name(name: &str, place: &Location) -> Result<(), DataError> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(());
    }
    let what = "it is something else".to_owned();
    Err(place.error(Reason::Name { what, form: "the number of a post" }))
}
