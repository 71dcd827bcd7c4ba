//! Names of feedback pages, as learning platforms take them back.
//!
//! | platform | how it finds the student of an uploaded file | name of the page |
//! |---|---|---|
//! | Canvas | by the first two parts between `_` that are numbers: the user's, and that of a file which was handed in; a last part that begins with `link` is ignored | `okaforamara_70311_5550123_feedback.html` |
//! | Moodle | by the second part between `_`, the participant's number; the third and fourth name the plugin of the submission | `Amara Okafor_1234567_assignsubmission_file_feedback.html` |
//! | Gradescope | takes no files back | `submission_123456.html` |
//! | none | – | `amara.html` |

use std::collections::BTreeSet;

use crate::intake::Platform;
use crate::model::Record;

/// Most bytes of a name without its ending, which file systems and platforms take.
const MAX_BYTES: usize = 160;

const ENDING: &str = ".html";

/// Name of a page, and the platform that takes it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageName {
    /// Name of the file, which is a name on every file system.
    pub file: String,
    /// Platform of the download that the submission was in; `None` if its name is of no platform.
    pub platform: Option<Platform>,
}

/// Returns a name for the page of each record, in their order. No two names differ in capitals alone.
pub fn page_names(records: &[&Record]) -> Vec<PageName> {
    let mut taken = BTreeSet::new();
    records.iter().map(|record| page_name(record, &mut taken)).collect()
}

fn page_name(record: &Record, taken: &mut BTreeSet<String>) -> PageName {
    let entry = record.entry.to_string();
    let platform = Platform::of_entry(&entry);
    let stem = match platform {
        Some(Platform::Canvas) => canvas(&entry),
        Some(Platform::Moodle) => moodle(&entry),
        Some(Platform::Gradescope) => entry,
        None => record.submission.to_string(),
    };
    let stem = safe_name(&stem);
    let numbered = (2_u64..).map(|number| format!("{stem}-{number}"));
    let mut stems = std::iter::once(stem.clone()).chain(numbered);
    let free = stems.find(|stem| taken.insert(stem.to_lowercase())).unwrap_or_default();
    PageName { file: free + ENDING, platform }
}

/// Returns a name in which Canvas finds the user and the file: everything up to the second number.
fn canvas(entry: &str) -> String {
    let mut numbers = 0;
    let mut parts = Vec::new();
    for part in entry.split('_') {
        parts.push(part);
        numbers += usize::from(part.chars().all(|c| c.is_ascii_digit()) && !part.is_empty());
        if numbers == 2 {
            break;
        }
    }
    format!("{}_feedback", parts.join("_"))
}

/// Returns a name in which Moodle finds the participant: no `_` but those that part the name, the number and the plugin.
fn moodle(entry: &str) -> String {
    let participant = entry.split("_assignsubmission_").next().unwrap_or_default();
    let (name, number) = participant.rsplit_once('_').unwrap_or_default();
    format!("{}_{number}_assignsubmission_file_feedback", name.replace('_', " "))
}

/// Returns a name that file systems take: other characters than letters, digits and a few signs become `-`, and the
/// beginning hides no file. It is at most 160 bytes long.
pub fn safe_name(stem: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " _-.,'()+@".contains(c);
    let plain: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let cut = plain.get(..plain.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    let trimmed = cut.trim_start_matches(['.', '-', '~', ' ']).trim_end_matches(['.', ' ']);
    if trimmed.is_empty() { "submission".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_as_platforms_take_them_back() {
        for (entry, name) in [
            ("okaforamara_70311_5550199_hw1-2", "okaforamara_70311_5550199_feedback"),
            ("tranbao_LATE_70312_5550124_my work", "tranbao_LATE_70312_5550124_feedback"),
            ("rossi_70313_5550125_9_link_layer", "rossi_70313_5550125_feedback"),
        ] {
            assert_eq!(canvas(entry), name);
        }
        for (entry, name) in [
            (
                "Zoë van Dam_1234567_assignsubmission_file_",
                "Zoë van Dam_1234567_assignsubmission_file_feedback",
            ),
            (
                "Amara_Okafor_1234568_assignsubmission_onlinetext_x_1_y",
                "Amara Okafor_1234568_assignsubmission_file_feedback",
            ),
        ] {
            assert_eq!(moodle(entry), name);
        }
    }

    proptest! {
        #[test]
        fn any_name_is_the_name_of_a_file(stem in any::<String>()) {
            let safe = safe_name(&stem);
            prop_assert!(!safe.is_empty() && safe.len() <= MAX_BYTES);
            prop_assert!(!safe.starts_with('.') && !safe.contains(['/', '\\', ':', '\0', '<', '"']), "{}", safe);
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(safe + ENDING), "").unwrap();
        }
    }
}
