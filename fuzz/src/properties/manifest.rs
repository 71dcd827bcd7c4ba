//! A submission's `Cargo.toml`.

use softmark::assignment::is_id;
use softmark::intake::assignment_in;

/// A manifest names an id or nothing: it becomes a part of a path and of messages.
pub fn manifest(data: &[u8]) {
    if let Some(id) = assignment_in(data) {
        assert!(is_id(&id), "{id:?} is no id");
        assert_eq!(assignment_in(data), Some(id));
    }
}
