//! Locations of panics, in a form that is the same on every machine.

use std::path::{Component, Path};

/// Returns `file:line` for a record: relative paths are unchanged, absolute ones begin at the
/// folder of the crate.
pub(crate) fn tidy(place: &str) -> String {
    let path = Path::new(place);
    if path.is_relative() {
        return place.to_owned();
    }
    let parts: Vec<&str> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    // `…/candle-core-0.11.1/src/tensor.rs:7`, `/rustc/<hash>/library/core/src/panicking.rs:7`.
    let src = parts.iter().rposition(|part| *part == "src");
    let first = src.unwrap_or_else(|| parts.len().saturating_sub(1)).saturating_sub(1);
    parts.get(first..).unwrap_or_default().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_on_every_machine() {
        for (place, tidied) in [
            ("src/attention.rs:7", "src/attention.rs:7"),
            ("deps/candle-core-0.11.1/src/tensor.rs:7", "deps/candle-core-0.11.1/src/tensor.rs:7"),
            (
                "/a/b/registry/src/x/candle-core-0.11.1/src/tensor.rs:7",
                "candle-core-0.11.1/src/tensor.rs:7",
            ),
            ("/rustc/0123abcd/library/core/src/slice/mod.rs:7", "core/src/slice/mod.rs:7"),
            ("/tmp/xyz/main.rs:7", "xyz/main.rs:7"),
            ("/main.rs:7", "main.rs:7"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(tidy(place), tidied);
        }
    }
}
