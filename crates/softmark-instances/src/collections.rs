//! Collections of tensors, which checkpoints and loops keep.

use std::collections::BTreeMap;
use std::collections::btree_map;

use candle_core::{Tensor, Var};

use crate::instances;

/// Makes instances for tensors and variables by name, and for lists of tensors.
pub(crate) fn make() {
    by_name::<Tensor>();
    by_name::<Var>();
    listed::<Tensor>();
    listed::<Var>();
    listed::<(String, Tensor)>();
    listed::<(String, Var)>();
}

fn by_name<V: Clone + 'static>() {
    type Map<V> = BTreeMap<String, V>;
    instances!(
        <Map<V> as Clone>::clone as fn(_) -> _,
        <Map<V> as FromIterator<(String, V)>>::from_iter::<Vec<(String, V)>> as fn(_) -> _,
        <Map<V> as IntoIterator>::into_iter as fn(_) -> _,
        <btree_map::IntoIter<String, V> as Iterator>::next as fn(_) -> _,
        <btree_map::Iter<'static, String, V> as Iterator>::next as fn(_) -> _,
        Map::<V>::contains_key::<String> as fn(_, _) -> _,
        Map::<V>::contains_key::<str> as fn(_, _) -> _,
        Map::<V>::get::<String> as fn(_, _) -> _,
        Map::<V>::get::<str> as fn(_, _) -> _,
        Map::<V>::insert as fn(_, _, _) -> _,
        Map::<V>::remove::<str> as fn(_, _) -> _,
        std::ptr::drop_in_place::<Map<V>> as unsafe fn(_),
    );
}

fn listed<T>() {
    instances!(
        Vec::<T>::push as fn(_, _),
        Vec::<T>::reserve as fn(_, _),
        Vec::<T>::with_capacity as fn(_) -> _,
        std::ptr::drop_in_place::<Vec<T>> as unsafe fn(_),
    );
}
