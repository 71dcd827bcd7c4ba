//! Rubrics: the items of a question as they are now.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

use crate::model::{Delta, Points};
use crate::store::{ItemId, SavedItem};

/// Number of items that have a key: `1` to `9`.
pub const KEYS: usize = 9;

/// Item of a rubric in its newest version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Id.
    pub id: ItemId,
    /// Number of the version.
    pub version: i64,
    /// Description, which the student reads.
    pub text: Untrusted,
    /// Points that the item adds or takes away.
    pub points: Delta,
    /// True if the item is no longer part of the rubric.
    pub is_retired: bool,
}

/// Rubric of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rubric(BTreeMap<ItemId, Item>);

impl Rubric {
    /// Adds a version of an item, which counts from then on.
    pub fn add(&mut self, version: &SavedItem) {
        let SavedItem { item, version, content, .. } = version;
        let item = Item {
            id: *item,
            version: *version,
            text: content.text.clone(),
            points: content.points,
            is_retired: content.is_retired,
        };
        self.0.insert(item.id, item);
    }

    /// Returns the items that can be chosen, in the order in which they were added. The first [`KEYS`] of them have the keys
    /// `1` to `9`.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.0.values().filter(|item| !item.is_retired)
    }

    /// Returns the items that are not in use, in the order in which they were added.
    pub fn retired(&self) -> impl Iterator<Item = &Item> {
        self.0.values().filter(|item| item.is_retired)
    }

    /// Returns the item with this id, also if it is retired.
    pub fn item(&self, id: ItemId) -> Option<&Item> {
        self.0.get(&id)
    }

    /// Returns the chosen items that count, in the order in which they were added.
    pub fn chosen(&self, choice: &BTreeSet<ItemId>) -> Vec<&Item> {
        self.items().filter(|item| choice.contains(&item.id)).collect()
    }

    /// Returns the points of an answer that is worth `most`: the sum of the chosen items and the free points, at least 0 and at
    /// most `most`. A retired item counts nothing.
    pub fn points(&self, choice: &BTreeSet<ItemId>, free: Delta, most: Points) -> Points {
        let items: Delta = self.chosen(choice).into_iter().map(|item| item.points).sum();
        items.plus(free).within(most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::marking::test_rows;
    use crate::store::ItemVersion;

    fn version(item: i64, version: i64, hundredths: i64, is_retired: bool) -> SavedItem {
        let text = format!("item {item}").into();
        let content = ItemVersion { text, points: Delta::from_hundredths(hundredths), is_retired };
        test_rows::item(item, version, content)
    }

    fn rubric(versions: &[SavedItem]) -> Rubric {
        let mut rubric = Rubric::default();
        for version in versions {
            rubric.add(version);
        }
        rubric
    }

    fn choice(items: &[i64]) -> BTreeSet<ItemId> {
        items.iter().map(|item| ItemId::from_number(*item)).collect()
    }

    #[test]
    fn points_are_those_of_the_rubric_as_it_is_now() {
        let mut versions = vec![version(1, 1, 200, false), version(2, 2, 150, false)];
        let most = Points::from_hundredths(400);
        let points = |versions: &[SavedItem], items: &[i64], free: i64| {
            let free = Delta::from_hundredths(free);
            rubric(versions).points(&choice(items), free, most).to_string()
        };
        for (items, free, expected) in [
            (&[][..], 0, "0.00"),
            (&[1], 0, "2.00"),
            (&[1, 2], 0, "3.50"),
            (&[1, 2], 25, "3.75"),
            (&[1, 2], 100, "4.00"),
            (&[2], -200, "0.00"),
            (&[7], 50, "0.50"),
        ] {
            assert_eq!(points(&versions, items, free), expected, "{items:?} {free}");
        }
        versions.push(version(1, 3, -50, false));
        assert_eq!(points(&versions, &[1, 2], 0), "1.00");
        versions.push(version(2, 4, 150, true));
        assert_eq!(points(&versions, &[1, 2], 100), "0.50");
        let rubric = rubric(&versions);
        assert_eq!(rubric.retired().map(|item| item.id.number()).collect::<Vec<_>>(), [2]);
        assert_eq!(rubric.items().map(|item| item.id.number()).collect::<Vec<_>>(), [1]);
        assert!(rubric.item(ItemId::from_number(2)).unwrap().is_retired);
    }

    proptest! {
        #[test]
        fn points_are_within_the_worth_of_the_answer(
            items in prop::collection::vec((-2000_i64..2000, any::<bool>()), 0..9),
            chosen in prop::collection::btree_set(1_i64..10, 0..9),
            free in -3000_i64..3000,
            most in 0_u32..2000,
        ) {
            let versions: Vec<SavedItem> = (1..)
                .zip(&items)
                .map(|(at, (points, is_retired))| version(at, at, *points, *is_retired))
                .collect();
            let chosen: BTreeSet<ItemId> = chosen.into_iter().map(ItemId::from_number).collect();
            let most = Points::from_hundredths(most);
            let rubric = rubric(&versions);
            let points = rubric.points(&chosen, Delta::from_hundredths(free), most);
            prop_assert!(points <= most);
            let sum: i64 = versions
                .iter()
                .filter(|it| chosen.contains(&it.item) && !it.content.is_retired)
                .map(|it| it.content.points.hundredths())
                .sum();
            let expected = (sum + free).clamp(0, i64::from(most.hundredths()));
            prop_assert_eq!(i64::from(points.hundredths()), expected);
        }
    }
}
