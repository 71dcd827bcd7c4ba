//! Writes all messages that a student could get into one document, for the authors of the messages.
//!
//! The same message about other numbers is shown once, with the fixtures that get it.

use std::collections::BTreeMap;
use std::io;

use crate::audit::matrix::Audit;
use crate::audit::message::{Message, MessageStatus};
use crate::audit::samples;
use crate::report::text::count;
use crate::suite::Catalog;

/// Writes the messages as Markdown: check by check, each with the fixtures that get it and the mistakes
/// that are named beside it.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(audit: &Audit, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let id = &audit.assignment;
    let seeds = count(audit.seeds.len(), "seed", "seeds");
    writeln!(out, "# Messages of {id}\n")?;
    writeln!(out, "{}, {seeds}.", count(audit.messages.len(), "message", "messages"))?;
    let of_bands = catalog.find(id).map(samples::of_bands).unwrap_or_default();
    let mut tasks: Vec<&str> = of_bands.iter().map(|message| message.check.as_str()).collect();
    tasks.dedup();
    for check in audit.checks.iter().map(String::as_str).chain(tasks) {
        let all = audit.messages.iter().chain(&of_bands);
        let of_check = all.filter(|message| message.check == check);
        let mut alike: BTreeMap<(MessageStatus, String), Vec<&Message>> = BTreeMap::new();
        for message in of_check {
            alike.entry((message.status, message.pattern())).or_default().push(message);
        }
        if alike.is_empty() {
            continue;
        }
        writeln!(out, "\n## {check}")?;
        for ((status, _), messages) in alike {
            let Some(first) = messages.first() else { continue };
            writeln!(out, "\n- **{}**: {}", status.as_str(), first.text.replace('\n', "\n  "))?;
            if !first.case.is_empty() {
                writeln!(out, "  - case: `{}`", first.case.replace('\n', " ⏎ "))?;
            }
            writeln!(out, "  - {}", who(&messages).join(", "))?;
        }
    }
    Ok(())
}

/// The fixtures, each once, with the mistake that is named.
fn who(messages: &[&Message]) -> Vec<String> {
    let mut fixtures: Vec<String> = Vec::new();
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for message in messages {
        let mistake = named.entry(&message.fixture).or_default();
        *mistake = mistake.or(message.mistake.as_deref());
    }
    for message in messages {
        let Some(mistake) = named.remove(message.fixture.as_str()) else { continue };
        fixtures.push(match mistake {
            Some(mistake) if mistake == message.fixture => format!("{mistake} (named)"),
            Some(mistake) => format!("{} (named {mistake})", message.fixture),
            None => message.fixture.clone(),
        });
    }
    fixtures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::BUILT_IN;

    #[test]
    fn messages_of_bands_are_told_level_by_level() {
        for suite in BUILT_IN.suites() {
            let messages = samples::of_bands(suite);
            for level in suite.trainings.iter().flat_map(|training| training.levels) {
                let told = messages.iter().any(|message| message.text.contains(level.1));
                assert!(told, "{}: {}", suite.id, level.1);
            }
        }
    }
}
