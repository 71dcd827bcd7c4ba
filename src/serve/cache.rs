//! Values that are made once for each state of the results.

use std::sync::{Arc, Mutex, PoisonError};

use super::problem::Problem;

/// Value of the last state for which it was made.
#[derive(Debug)]
pub(super) struct Cache<K, V>(Mutex<Option<Kept<K, V>>>);

#[derive(Debug)]
struct Kept<K, V> {
    key: K,
    value: Arc<V>,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<K: PartialEq, V> Cache<K, V> {
    /// Returns the value of this state, which is made from the last one if the state is another. One request makes it, and the
    /// others wait.
    ///
    /// # Errors
    ///
    /// Fails as `make` does.
    pub(super) fn get(
        &self,
        key: K,
        make: impl FnOnce(Option<&V>) -> Result<V, Problem>,
    ) -> Result<Arc<V>, Problem> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.key == key) {
            return Ok(Arc::clone(&kept.value));
        }
        let value = Arc::new(make(kept.as_ref().map(|kept| kept.value.as_ref()))?);
        *kept = Some(Kept { key, value: Arc::clone(&value) });
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_for_each_state_from_the_one_before() {
        let cache: Cache<u8, Vec<u8>> = Cache::default();
        let add = |key: u8| {
            cache
                .get(key, |last| Ok([last.cloned().unwrap_or_default(), vec![key]].concat()))
                .unwrap()
        };
        assert_eq!(*add(1), [1]);
        assert_eq!(*add(1), [1]);
        assert_eq!(*add(2), [1, 2]);
        let failed = cache.get(3, |_| Err(Problem::NotFound));
        assert!(failed.is_err());
        assert_eq!(*add(2), [1, 2], "an error changes nothing");
    }
}
