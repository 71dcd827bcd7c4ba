//! Compiles a submission in which some files do not compile.
//!
//! An error in one file fails the whole crate. Such a file is therefore replaced by the skeleton's
//! version, as if the student had not begun it: the other files are still graded, and a file that
//! does not compile is worth as much as a skeleton.

use std::collections::BTreeMap;
use std::path::Path;

use softmark_checks::hand_in::not_text;
use softmark_untrusted::Untrusted;

use crate::build::ProgramSpec;
use crate::build::code::Source;
use crate::build::compile::{Built, folder};
use crate::build::error::BuildError;
use crate::build::fault::{BuildFault, BuildFaultKind, Compiled};
use crate::build::pack::Pack;
use crate::model::Usage;

/// Compiled submission, in which files may have been replaced.
#[derive(Debug, Clone)]
pub struct Salvaged {
    /// Programs; their usage covers all attempts.
    pub built: Built,
    /// Files that do not compile and were replaced by the skeleton's version; usually empty.
    pub broken: BTreeMap<String, Broken>,
}

/// Reason why a file was replaced by the skeleton's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// First error of the file and its location, in one line:
    /// `error[E0308]: mismatched types (src/a.rs:3:5)`.
    pub error: Untrusted,
}

impl Broken {
    /// Extracts the first error in `file` from the compiler's message, or else the first error.
    fn read(file: &str, message: &str) -> Self {
        let lines = || message.lines().zip(message.lines().skip(1).chain([""]));
        let place = |line: &str| line.trim_start().strip_prefix("--> ").map(str::to_owned);
        let own = format!("src/{file}:");
        let found = lines()
            .filter(|(line, _)| line.starts_with("error"))
            .find(|(_, next)| place(next).is_some_and(|place| place.starts_with(&own)));
        let error = match found.or_else(|| lines().next()) {
            None => String::new(),
            Some((line, next)) => match place(next) {
                Some(place) => format!("{line} ({place})"),
                None => line.to_owned(),
            },
        };
        Self { error: error.into() }
    }
}

/// True if the student changed this file of the skeleton, so that the skeleton's version can replace it.
fn is_begun(file: &str, current: &Source, skeleton: &Source) -> bool {
    skeleton.get(file).is_some_and(|text| current.get(file).is_some_and(|it| it != text))
}

/// True if no file of the skeleton was changed.
fn is_untouched(current: &Source, skeleton: &Source) -> bool {
    skeleton.iter().all(|(name, text)| current.get(name) == Some(text))
}

/// Most files of a submission that are replaced: more than an assignment has, and few enough that a
/// submission that fails slowly in every round does not delay a class. The limit counts rounds,
/// because a limit on measured time would decide differently from run to run.
const MAX_REPLACED: usize = 8;

impl Pack {
    /// Compiles a submission and links its programs. A file that does not compile is replaced by
    /// that of `skeleton`, if any other file of the student's is left.
    ///
    /// # Errors
    ///
    /// Fails like [`Pack::compile`].
    pub fn compile_or_replace(
        &self,
        source: &Source,
        skeleton: &Source,
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Compiled<Salvaged>, BuildError> {
        if let Some(fault) = self.refused(source)? {
            return Ok(Compiled::Faulty(fault));
        }
        let mut rounds =
            Rounds { pack: self, programs, scratch, number: 0, usage: Usage::default() };
        let (mut current, mut broken) = match without_what_is_no_text(source, skeleton) {
            Ok(replaced) => replaced,
            Err(fault) => return Ok(Compiled::Faulty(*fault)),
        };
        let first = match rounds.compile(&current)? {
            Compiled::Built(built) => return Ok(rounds.salvaged(built, broken)),
            Compiled::Faulty(fault) => fault,
        };
        let mut fault = first.clone();
        while let Some(file) = to_replace(&fault, &current, skeleton) {
            current.extend(skeleton.get(&file).map(|text| (file.clone(), text.clone())));
            let reason = Broken::read(&file, fault.message.as_raw());
            broken.insert(file, reason);
            if is_untouched(&current, skeleton) || broken.len() > MAX_REPLACED {
                break;
            }
            match rounds.compile(&current)? {
                Compiled::Built(built) => return Ok(rounds.salvaged(built, broken)),
                Compiled::Faulty(next) => fault = next,
            }
        }
        Ok(Compiled::Faulty(BuildFault { usage: rounds.usage, ..first }))
    }
}

/// Replaces files that are not UTF-8 text, which the compiler does not read, by those of the skeleton.
///
/// # Errors
///
/// Returns the fault if no other file of the student's is left.
fn without_what_is_no_text(
    source: &Source,
    skeleton: &Source,
) -> Result<(Source, BTreeMap<String, Broken>), Box<BuildFault>> {
    let (mut current, mut broken) = (source.clone(), BTreeMap::new());
    for (name, _) in source.iter().filter(|(_, text)| std::str::from_utf8(text).is_err()) {
        let error = format!("error: {}", not_text(&format!("src/{name}")));
        current.extend(skeleton.get(name).map(|text| (name.clone(), text.clone())));
        if is_untouched(&current, skeleton) || !skeleton.contains_key(name) {
            return Err(Box::new(BuildFault::new(BuildFaultKind::Compile, error)));
        }
        broken.insert(name.clone(), Broken { error: error.into() });
    }
    Ok((current, broken))
}

/// Attempts at compiling one submission.
struct Rounds<'a> {
    pack: &'a Pack,
    programs: &'a [ProgramSpec],
    scratch: &'a Path,
    number: usize,
    usage: Usage,
}

impl Rounds<'_> {
    fn compile(&mut self, source: &Source) -> Result<Compiled<Built>, BuildError> {
        let scratch = folder(self.scratch, &format!("round{}", self.number))?;
        let is_first = self.number == 0;
        self.number += 1;
        let compiled = self.pack.try_twice(source, self.programs, &scratch, is_first)?;
        let used = match &compiled {
            Compiled::Built(built) => built.usage,
            Compiled::Faulty(fault) => fault.usage,
        };
        self.usage.cpu += used.cpu;
        self.usage.wall += used.wall;
        self.usage.peak_bytes = self.usage.peak_bytes.max(used.peak_bytes);
        Ok(compiled)
    }

    fn salvaged(&self, built: Built, broken: BTreeMap<String, Broken>) -> Compiled<Salvaged> {
        Compiled::Built(Salvaged { built: Built { usage: self.usage, ..built }, broken })
    }
}

/// Chooses the file to replace after a failure: the first one with a syntax error, since other
/// errors may follow from it, or else the first one with any error. An error in a provided file
/// counts for the file whose module the source line names. Returns `None` if no file is to blame or
/// the file is already the skeleton's.
fn to_replace(fault: &BuildFault, current: &Source, skeleton: &Source) -> Option<String> {
    if fault.kind != BuildFaultKind::Compile {
        return None;
    }
    let replaceable = |name: &str| is_begun(name, current, skeleton);
    let (syntax, others): (Vec<_>, Vec<_>) = fault.places.iter().partition(|place| place.is_syntax);
    let places = || syntax.iter().chain(&others);
    let own = places().filter_map(|place| place.file.strip_prefix("src/"));
    if let Some(name) = own.into_iter().find(|name| replaceable(name)) {
        return Some(name.to_owned());
    }
    let modules = places().flat_map(|place| words(&place.text));
    let mut files = modules.map(|module| format!("{module}.rs"));
    files.find(|name| replaceable(name))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::fault::Location;

    fn source(files: &[(&str, &str)]) -> Source {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn replaced(places: &[(&str, &str, bool)], current: &[(&str, &str)]) -> Option<String> {
        let place = |(file, text, is_syntax): &(&str, &str, bool)| Location {
            file: (*file).to_owned(),
            text: (*text).to_owned(),
            is_syntax: *is_syntax,
        };
        let fault = BuildFault::new(BuildFaultKind::Compile, String::new());
        let fault = BuildFault { places: places.iter().map(place).collect(), ..fault };
        let skeleton = source(&[("a.rs", "todo"), ("b.rs", "todo"), ("deep/c.rs", "todo")]);
        to_replace(&fault, &source(current), &skeleton)
    }

    #[test]
    fn replaces_the_file_that_the_first_error_is_in() {
        let all = [("lib.rs", ""), ("a.rs", "x"), ("b.rs", "y"), ("deep/c.rs", "z")];
        let is = |places: &[(&str, &str, bool)]| replaced(places, &all);
        assert_eq!(is(&[("src/b.rs", "", false), ("src/a.rs", "", false)]).unwrap(), "b.rs");
        assert_eq!(is(&[("src/b.rs", "", false), ("src/a.rs", "", true)]).unwrap(), "a.rs");
        assert_eq!(is(&[("src/deep/c.rs", "", false)]).unwrap(), "deep/c.rs");
        // In a provided file, the source line names the module.
        assert_eq!(is(&[("src/lib.rs", "    type First = b::First;", false)]).unwrap(), "b.rs");
        assert_eq!(is(&[("src/lib.rs", "type A = c::A;", false)]), None);
        assert_eq!(is(&[]), None);
    }

    #[test]
    fn a_skeleton_is_not_replaced_again() {
        let places = [("src/a.rs", "", false), ("src/b.rs", "", false)];
        assert_eq!(replaced(&places, &[("a.rs", "todo"), ("b.rs", "y")]).unwrap(), "b.rs");
        assert_eq!(replaced(&places, &[("a.rs", "todo"), ("b.rs", "todo")]), None);
        assert_eq!(replaced(&places, &[("b.rs", "todo")]), None);
    }

    #[test]
    fn a_file_that_is_not_text_is_replaced_if_others_are_left() {
        let skeleton = source(&[("a.rs", "todo"), ("b.rs", "todo")]);
        let mut current = source(&[("a.rs", "x"), ("b.rs", "y")]);
        let replaced = |current: &Source| without_what_is_no_text(current, &skeleton);
        assert!(replaced(&current).unwrap().1.is_empty());
        current.insert("a.rs".to_owned(), b"// caf\xe9".to_vec());
        let (readable, broken) = replaced(&current).unwrap();
        assert_eq!(readable, source(&[("a.rs", "todo"), ("b.rs", "y")]));
        assert_eq!(broken["a.rs"].error, "error: `src/a.rs` is not UTF-8 text");
        current.insert("b.rs".to_owned(), b"todo".to_vec());
        let fault = replaced(&current).unwrap_err();
        assert_eq!(fault.message, "error: `src/a.rs` is not UTF-8 text");
    }

    #[test]
    fn says_the_first_error_of_a_file_in_one_line() {
        let say = |file: &str, message: &str| Broken::read(file, message).error;
        let two = "error: a\n --> src/a.rs:1:2\n  |\n\nerror[E1]: b\n  --> src/b.rs:3:4\n";
        assert_eq!(say("a.rs", two), "error: a (src/a.rs:1:2)");
        assert_eq!(say("b.rs", two), "error[E1]: b (src/b.rs:3:4)");
        assert_eq!(say("c.rs", two), "error: a (src/a.rs:1:2)");
        assert_eq!(say("a.rs", "error: a\n\nmore"), "error: a");
        assert_eq!(say("a.rs", ""), "");
    }
}
