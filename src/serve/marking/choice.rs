//! Choice of a marker in a form.

use std::collections::BTreeSet;

use softmark_untrusted::Untrusted;

use super::context::{ClassAnswer, MarkingContext};
use crate::clock;
use crate::model::Delta;
use crate::serve::fields::Fields;
use crate::serve::problem::Problem;
use crate::serve::visit::Visit;
use crate::store::{
    GivenMark, ItemId, ItemVersion, MarkingId, MarkingStep, NewMarking, RubricChange, RubricOutcome,
};

/// Most characters of a comment. A character takes at most 12 bytes of a form, four bytes of UTF-8 as `%XX`: 120,000 bytes of the
/// 262,144 that a form may have.
const COMMENT_LENGTH: usize = 10_000;

/// Most characters of the text of an item. The address of a preview has the text: 7,200 bytes of the 8,192 that proxies accept.
pub(super) const ITEM_LENGTH: usize = 600;

/// Mark that a form gives, without the answer that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// Chosen items.
    pub(super) items: BTreeSet<ItemId>,
    /// Free points.
    pub(super) free: Delta,
    /// Comment for the student.
    pub(super) comment: Untrusted,
}

/// Item that is to be added to the rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewItem {
    text: Untrusted,
    points: Delta,
}

/// Answer as the marker saw it: its version, and the newest marking then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenAnswer {
    /// Digest of the answer.
    pub(super) digest: String,
    /// Newest marking.
    pub(super) seen: MarkingId,
}

impl Choice {
    /// Reads the choice in a form.
    ///
    /// # Errors
    ///
    /// Fails if points are no number, an item is none of the question, or the comment is too long.
    pub(super) fn read(form: &Fields, context: &MarkingContext) -> Result<Self, Problem> {
        let comment = text_of(form.text("comment"), COMMENT_LENGTH)?;
        let mut items = BTreeSet::new();
        for item in form.all("item") {
            items.insert(item_id(item, context)?);
        }
        match form.text("quick") {
            "none" => Ok(Self { items: BTreeSet::new(), free: Delta::ZERO, comment }),
            "full" => {
                let free = Delta::from_hundredths(context.written.max_points.hundredths().into());
                Ok(Self { items: BTreeSet::new(), free, comment })
            }
            _ => Ok(Self { items, free: points(form.text("free"))?, comment }),
        }
    }

    /// Returns the marking of an answer that the marker saw.
    pub(super) fn marking(
        &self,
        context: &MarkingContext,
        (at, seen): (&ClassAnswer, &SeenAnswer),
        by: &str,
    ) -> NewMarking {
        let mark = GivenMark {
            items: self.items.clone(),
            free: self.free,
            comment: self.comment.clone(),
            answer_digest: seen.digest.clone(),
        };
        NewMarking {
            answer: context.id(&at.entry),
            role: context.role,
            seen: seen.seen,
            step: MarkingStep::Mark(mark),
            by: by.into(),
            given_at: clock::now().into(),
        }
    }
}

impl SeenAnswer {
    /// Reads what the marker saw from a text of two words, the marking and the digest.
    ///
    /// # Errors
    ///
    /// Fails if the text has another form.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let (seen, digest) = text.split_once(' ').ok_or_else(not_ours)?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let seen = seen.parse().map_err(|_| not_ours())?;
        if !is_digest {
            return Err(not_ours());
        }
        Ok(Self { digest: digest.to_owned(), seen: MarkingId::from_number(seen) })
    }

    /// Returns what a marker sees of an answer now.
    pub(super) fn now(context: &MarkingContext, at: &ClassAnswer) -> Self {
        Self { digest: at.entry.digest.clone(), seen: context.newest(&at.entry) }
    }

    /// Returns the text of [`read`](Self::read).
    pub(super) fn write(&self) -> String {
        format!("{} {}", self.seen.number(), self.digest)
    }
}

impl NewItem {
    /// Reads the item that a form adds; `None` if it adds none. A button that gives no points or full points adds none: the
    /// text stays in the form.
    ///
    /// # Errors
    ///
    /// Fails if its points are no number, or its text is too long.
    pub(super) fn read(form: &Fields) -> Result<Option<Self>, Problem> {
        let text = item_text(form.text("new_text"))?;
        if text.is_empty() || !form.text("quick").is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { text, points: points(form.text("new_points"))? }))
    }

    /// Adds the item to the rubric, and returns its id.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be written.
    pub(super) fn add(
        self,
        visit: &Visit<'_>,
        context: &MarkingContext,
    ) -> Result<ItemId, Problem> {
        let content = ItemVersion { text: self.text, points: self.points, is_retired: false };
        match change_rubric(visit, context, (None, content))? {
            RubricOutcome::Saved(id) => Ok(id),
            RubricOutcome::Conflict | RubricOutcome::Unknown => Err(Problem::NotFound),
        }
    }
}

/// Adds an item, or a version of an item that the user saw in a version.
///
/// # Errors
///
/// Fails if the ledger cannot be written.
pub(super) fn change_rubric(
    visit: &Visit<'_>,
    context: &MarkingContext,
    (of, content): (Option<(ItemId, i64)>, ItemVersion),
) -> Result<RubricOutcome, Problem> {
    let change = RubricChange {
        assignment: context.written.assignment.clone(),
        question: context.written.id.clone(),
        of,
        content,
        by: visit.user().name.as_str().into(),
        given_at: clock::now().into(),
    };
    visit.shared.stores.with(|store| Ok(store.change_rubric(&change)?))
}

/// Reads points, which may be negative; an empty text is no points.
///
/// # Errors
///
/// Fails if the text is no number of hundredths.
pub(super) fn points(text: &str) -> Result<Delta, Problem> {
    let text = text.trim().replace(',', ".").replace('\u{2212}', "-");
    if text.is_empty() {
        return Ok(Delta::ZERO);
    }
    let points = text.parse().ok().and_then(Delta::parse);
    let shown = Untrusted::from(text.as_str());
    points.ok_or_else(|| {
        Problem::Invalid(format!("`{shown}` is no number of points, such as 1.5 or -0.25"))
    })
}

/// Returns the text of an item in a field.
///
/// # Errors
///
/// Fails if it is too long.
pub(super) fn item_text(field: &str) -> Result<Untrusted, Problem> {
    text_of(field, ITEM_LENGTH)
}

/// Returns the text in a field, with newlines in place of the line ends that a browser sends.
///
/// # Errors
///
/// Fails if it has more than `most` characters.
fn text_of(field: &str, most: usize) -> Result<Untrusted, Problem> {
    let text = field.trim().replace("\r\n", "\n");
    if text.chars().count() > most {
        return Err(Problem::Invalid(format!(
            "a text has more than {most} characters; nothing was changed"
        )));
    }
    Ok(text.into())
}

/// Reads the id of an item of the question.
///
/// # Errors
///
/// Fails if the question has no such item.
pub(super) fn item_id(text: &str, context: &MarkingContext) -> Result<ItemId, Problem> {
    let id = text.parse().map(ItemId::from_number).map_err(|_| not_ours())?;
    let MarkingContext { snapshot, written, .. } = context;
    let question = snapshot.book.question(&written.assignment, &written.id, written.max_points);
    question.rubric.item(id).map(|item| item.id).ok_or_else(not_ours)
}

fn not_ours() -> Problem {
    Problem::Invalid("the form has a value that no page of this server sends".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_people_write_them() {
        for (text, hundredths) in [
            ("", 0),
            (" 1.5 ", 150),
            ("1,5", 150),
            ("-0.25", -25),
            ("\u{2212}1", -100),
            ("+2", 200),
            ("-0", 0),
        ] {
            assert_eq!(points(text).unwrap(), Delta::from_hundredths(hundredths), "{text}");
        }
        for text in ["much", "0.125", "NaN", "inf", "1e9", "1 2", "<b>"] {
            assert!(matches!(points(text), Err(Problem::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn texts_have_newlines_and_a_limit() {
        assert_eq!(item_text(" one\r\ntwo\n ").unwrap(), "one\ntwo");
        let most = "\u{1f937}".repeat(ITEM_LENGTH);
        assert_eq!(item_text(&most).unwrap(), most);
        assert!(matches!(item_text(&format!("{most}a")), Err(Problem::Invalid(_))));
    }

    #[test]
    fn what_a_marker_saw_is_read_as_it_was_written() {
        let seen = SeenAnswer { digest: "0a".repeat(32), seen: MarkingId::from_number(7) };
        assert_eq!(SeenAnswer::read(&seen.write()).unwrap(), seen);
        for text in ["", "7", "x 0a", "7 0a", &format!("7 {}", "zz".repeat(32))] {
            assert!(SeenAnswer::read(text).is_err(), "{text}");
        }
    }
}
