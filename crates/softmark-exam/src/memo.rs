//! Results of pure functions of a case, kept for the next submission.
//!
//! The questions of a check depend on its seed and not on the submission, so the submissions of a class are asked about
//! the same cases. With the expected outputs, slopes and tolerances of earlier submissions, the checks of `attention` take
//! 0.30 s; those of the first submission take 0.43 s.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::{LazyLock, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use softmark_checks::{Array, Case, defect};
use softmark_common::compare::Tolerance;

/// Most bytes of results that are stored; once there are more, all are discarded. Those of an assignment take 0.1 MB
/// (`prefix-tuning`) to 2.4 MB (`attention`) on one seed, so there is room for twenty seeds, the most that a test asks.
const MAX_BYTES: usize = 48 << 20;

/// Bytes that are counted for the place of a result, beside its own.
const ENTRY_BYTES: usize = 128;

/// SHA-256 of a place in the code and of everything that the result there depends on.
type Key = [u8; 32];

/// Value that a result depends on.
pub trait KeyPart {
    /// Adds all of the value to a digest, so that different values give different digests.
    fn add_to(&self, digest: &mut Sha256);
}

/// Result that can be stored.
pub trait CachedValue: Clone + Send + 'static {
    /// Returns about how many bytes the value takes on the heap.
    fn heap_bytes(&self) -> usize;
}

/// Results by their keys.
#[derive(Default)]
struct Store {
    results: BTreeMap<Key, Box<dyn Any + Send>>,
    bytes: usize,
}

static STORE: LazyLock<Mutex<Store>> = LazyLock::new(Mutex::default);

impl Store {
    fn get<T: CachedValue>(&self, key: &Key) -> Option<T> {
        self.results.get(key)?.downcast_ref::<T>().cloned()
    }

    fn insert<T: CachedValue>(&mut self, key: Key, result: T) {
        let bytes = result.heap_bytes().saturating_add(ENTRY_BYTES);
        if self.bytes.saturating_add(bytes) > MAX_BYTES {
            *self = Self::default();
        }
        if bytes <= MAX_BYTES && self.results.insert(key, Box::new(result)).is_none() {
            self.bytes += bytes;
        }
    }
}

/// Returns the result of `compute`, or that of an earlier call from the same place in the code with equal inputs.
///
/// `inputs` must name everything that the result depends on, type parameters of the caller included
/// ([`type_name`](std::any::type_name)). A result with a [defect] is computed each time, so that every submission gets
/// the error.
///
/// ```
/// use softmark_checks::Array;
/// use softmark_exam::memo::memoized;
///
/// fn doubled(x: &Array) -> Array {
///     memoized(&[x], || x.map(|x| 2.0 * x))
/// }
///
/// let x = Array::full(&[2], 1.5);
/// assert_eq!(doubled(&x), doubled(&x));
/// assert_eq!(doubled(&x).values(), [3.0, 3.0]);
/// ```
#[track_caller]
pub fn memoized<T: CachedValue>(inputs: &[&dyn KeyPart], compute: impl FnOnce() -> T) -> T {
    let key = key::<T>(Location::caller(), inputs);
    let store = || STORE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = store().get(&key);
    if let Some(found) = found {
        return found;
    }
    let (result, defect) = defect::watch(compute);
    match defect {
        Some(defect) => defect::note(|| defect),
        None => store().insert(key, result.clone()),
    }
    result
}

fn key<T: 'static>(place: &Location<'_>, inputs: &[&dyn KeyPart]) -> Key {
    let mut digest = Sha256::new();
    place.file().add_to(&mut digest);
    digest.update(place.line().to_le_bytes());
    digest.update(place.column().to_le_bytes());
    // The digest is that of no other program, so it need not be stable.
    format!("{:?}", TypeId::of::<T>()).as_str().add_to(&mut digest);
    for input in inputs {
        input.add_to(&mut digest);
    }
    digest.finalize().into()
}

impl KeyPart for str {
    fn add_to(&self, digest: &mut Sha256) {
        self.len().add_to(digest);
        digest.update(self.as_bytes());
    }
}

impl KeyPart for &str {
    fn add_to(&self, digest: &mut Sha256) {
        str::add_to(self, digest);
    }
}

impl KeyPart for String {
    fn add_to(&self, digest: &mut Sha256) {
        str::add_to(self, digest);
    }
}

impl KeyPart for usize {
    fn add_to(&self, digest: &mut Sha256) {
        digest.update((*self as u64).to_le_bytes());
    }
}

impl KeyPart for bool {
    fn add_to(&self, digest: &mut Sha256) {
        digest.update([u8::from(*self)]);
    }
}

impl KeyPart for f64 {
    fn add_to(&self, digest: &mut Sha256) {
        digest.update(self.to_bits().to_le_bytes());
    }
}

impl KeyPart for Tolerance {
    fn add_to(&self, digest: &mut Sha256) {
        let Self { relative, absolute } = self;
        relative.add_to(digest);
        absolute.add_to(digest);
    }
}

impl<T: KeyPart> KeyPart for Vec<T> {
    fn add_to(&self, digest: &mut Sha256) {
        self.len().add_to(digest);
        for item in self {
            item.add_to(digest);
        }
    }
}

impl<A: KeyPart, B: KeyPart> KeyPart for (A, B) {
    fn add_to(&self, digest: &mut Sha256) {
        self.0.add_to(digest);
        self.1.add_to(digest);
    }
}

impl KeyPart for Array {
    fn add_to(&self, digest: &mut Sha256) {
        self.shape().len().add_to(digest);
        for size in self.shape() {
            size.add_to(digest);
        }
        let bytes: Vec<u8> = self.values().iter().flat_map(|x| x.to_bits().to_le_bytes()).collect();
        digest.update(&bytes);
    }
}

impl KeyPart for Case {
    fn add_to(&self, digest: &mut Sha256) {
        let Self { signature, config, parameters, inputs, label } = self;
        signature.part.add_to(digest);
        config.add_to(digest);
        parameters.add_to(digest);
        inputs.len().add_to(digest);
        for input in inputs {
            input.name.add_to(digest);
            (input.kind as usize).add_to(digest);
            input.strided.add_to(digest);
            input.array.add_to(digest);
        }
        label.add_to(digest);
    }
}

impl CachedValue for Array {
    fn heap_bytes(&self) -> usize {
        8 * (self.values().len() + self.shape().len())
    }
}

impl CachedValue for Tolerance {
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl<N: Clone + Send + 'static, T: CachedValue> CachedValue for BTreeMap<N, T> {
    fn heap_bytes(&self) -> usize {
        self.values().map(|value| value.heap_bytes() + ENTRY_BYTES).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use softmark_checks::Signature;

    use super::*;

    static PART: Signature = Signature::new("part", &[&["kind"]], &["x", "mask"], &["output"]);

    fn case() -> Case {
        let array = Array::new(&[2], vec![1.0, 2.0]);
        Case::new(&PART, "T=2".to_owned())
            .size("kind", 1)
            .parameter("w", array.clone())
            .input("x", array)
    }

    /// Cases that differ in one thing.
    fn others() -> Vec<Case> {
        let array = Array::new(&[2], vec![1.0, -2.0]);
        let mut masked = case();
        masked.inputs[0].kind = softmark_checks::case::InputKind::Mask;
        let mut renamed = case();
        renamed.inputs[0].name = "mask";
        vec![
            case().with("x", array.clone()),
            case().with("x", Array::new(&[1, 2], vec![1.0, 2.0])),
            case().with_parameter("w", &array),
            case().with_size("kind", 2),
            case().strided(),
            Case { label: String::new(), ..case() },
            masked,
            renamed,
        ]
    }

    fn sum(case: &Case, calls: &Cell<u32>) -> Array {
        memoized(&[case], || {
            calls.set(calls.get() + 1);
            Array::full(&[1], case.get("x").values().iter().sum())
        })
    }

    #[test]
    fn a_result_is_computed_once_for_equal_cases() {
        let calls = Cell::new(0);
        let key = "T=2, once".to_owned();
        let case = Case { label: key, ..case() };
        assert_eq!(sum(&case, &calls).values(), [3.0]);
        assert_eq!(sum(&case, &calls).values(), [3.0]);
        assert_eq!(calls.get(), 1);
    }

    #[test]
    fn every_part_of_a_case_counts() {
        let keys = |case: &Case| key::<Array>(Location::caller(), &[case]);
        for other in others() {
            assert_ne!(keys(&other), keys(&case()), "{other:?}");
        }
        assert_eq!(keys(&case()), keys(&case()));
    }

    #[test]
    fn places_types_and_boundaries_of_inputs_count() {
        let place = Location::caller();
        let of = |inputs: &[&dyn KeyPart]| key::<Array>(place, inputs);
        assert_ne!(of(&[&"ab", &"c"]), of(&[&"a", &"bc"]));
        assert_ne!(of(&[&1_usize]), of(&[&1_usize, &1_usize]));
        assert_ne!(key::<Array>(place, &[&1_usize]), key::<Tolerance>(place, &[&1_usize]));
        assert_ne!(of(&[]), key::<Array>(Location::caller(), &[]));
        let one = memoized(&[], || Array::full(&[1], 1.0));
        let two = memoized(&[], || Array::full(&[1], 2.0));
        assert_ne!(one, two);
    }

    #[test]
    fn a_defect_is_told_each_time() {
        let broken = || {
            memoized(&[&"a defect"], || {
                defect::note(|| "no such name".to_owned());
                Array::full(&[1], 0.0)
            })
        };
        for _ in 0..2 {
            assert_eq!(defect::watch(broken).1.as_deref(), Some("no such name"));
        }
    }

    #[test]
    fn what_is_kept_is_limited() {
        let mut store = Store::default();
        let big = Array::full(&[MAX_BYTES / 8 / 2], 0.0);
        let key = |n: u8| [n; 32];
        store.insert(key(0), Array::full(&[1], 5.0));
        store.insert(key(1), big.clone());
        assert_eq!(store.get::<Array>(&key(0)), Some(Array::full(&[1], 5.0)));
        store.insert(key(2), big);
        assert_eq!(store.results.len(), 1, "the earlier ones are discarded");
        assert!(store.get::<Array>(&key(2)).is_some() && store.bytes <= MAX_BYTES);
        store.insert(key(3), Array::full(&[MAX_BYTES / 4], 0.0));
        assert!(store.get::<Array>(&key(3)).is_none(), "one that is too large is not kept");
        assert_eq!(
            store.get::<Tolerance>(&key(2)).map(|_| ()),
            None,
            "another type is another result"
        );
    }
}
