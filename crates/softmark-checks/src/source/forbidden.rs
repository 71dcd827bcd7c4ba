//! Library items that an assignment forbids, because they are what it asks to build.

use std::collections::BTreeSet;

use crate::source::resolve::{Meaning, Resolver};
use crate::source::scope::{Crate, Occurrence};
use crate::source::token::{Token, tokens};
use crate::source::{Files, Refusal, walk};

/// Libraries that a submission may use.
pub const LIBRARIES: [&str; 3] = ["candle_core", "candle_nn", "softmark_kit"];

/// True if `path` may name a library item: `candle_nn::ops::sdpa`.
pub fn is_library_path(path: &str) -> bool {
    let segments: Vec<&str> = path.split("::").collect();
    segments.len() > 1
        && segments.first().is_some_and(|first| LIBRARIES.contains(first))
        && segments.iter().all(|segment| {
            let mut bytes = segment.bytes();
            bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

/// Returns every place in the files of a submission that uses one of the library items in `forbidden`, in
/// the order of the files. `provided` lists the files that are not the student's.
///
/// `forbidden` holds paths such as `softmark_kit::nn::pooling::masked_mean`, and has to name each path
/// by which an item can be reached; what lies below a path is forbidden with it. Names of the student's
/// own, fields, methods and local variables may be the same.
pub fn ready_made(files: &Files, provided: &[&str], forbidden: &[String]) -> Vec<Refusal> {
    let forbidden: Vec<Vec<&str>> =
        forbidden.iter().map(|path| path.split("::").collect()).collect();
    let names: BTreeSet<&str> = forbidden.iter().filter_map(|path| path.last().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let texts: Vec<(&str, Vec<Token<'_>>)> = files
        .iter()
        .filter_map(|(name, bytes)| Some((name.as_str(), tokens(std::str::from_utf8(bytes).ok()?))))
        .collect();
    let is_used = |token: &Token<'_>| token.name().is_some_and(|name| names.contains(&name));
    if !texts.iter().any(|(_, tokens)| tokens.iter().any(is_used)) {
        return Vec::new();
    }
    let mut krate = Crate::new();
    // All modules before any is read, so that a file is never a second declaration.
    let modules: Vec<usize> = texts.iter().map(|(file, _)| krate.module_of_file(file)).collect();
    for ((file, tokens), module) in texts.iter().zip(modules) {
        walk::read(&mut krate, (file, module), tokens, &names);
    }
    let own = krate.occurrences.iter().filter(|it| !provided.contains(&it.file.as_str()));
    let mut resolver = Resolver::new(&krate, &LIBRARIES);
    let mut found: Vec<Refusal> = own
        .filter_map(|it| {
            let why = why_refused(&mut resolver, it, &forbidden)?;
            Some(Refusal::new(&it.file, it.line, &why))
        })
        .collect();
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found.dedup();
    found
}

/// True if a name of a library with this path may be the item of the same name.
fn may_be(item: &[&str], path: &[String], by_glob: bool) -> bool {
    let same_crate = item.first().is_some_and(|first| path.first().is_some_and(|p| p == first));
    let begins = item.len() <= path.len() && item.iter().zip(path).all(|(a, b)| a == b);
    begins || (same_crate && !by_glob)
}

/// Returns the reason for refusing an occurrence, or `None` if it is allowed.
fn why_refused(
    resolver: &mut Resolver<'_>,
    occurrence: &Occurrence,
    forbidden: &[Vec<&str>],
) -> Option<String> {
    let name = occurrence.path.segments.last()?;
    let same_name = |path: &&Vec<&str>| path.last() == Some(&name.as_str());
    let meanings = resolver.meanings(occurrence);
    let item = meanings.iter().find_map(|meaning| {
        let Meaning::Library { path, by_glob } = meaning else { return None };
        forbidden.iter().filter(same_name).find(|item| may_be(item, path, *by_glob))
    });
    let is_unknown = meanings.contains(&Meaning::Unknown);
    if let Some(item) = item.filter(|_| !is_unknown) {
        let item = item.join("::");
        let is_library = meanings.iter().all(|it| matches!(it, Meaning::Library { .. }));
        return Some(if is_library {
            format!(
                "`{name}` may not be used here: it is `{item}`, which does what this assignment asks you \
                 to build. Build it from simpler operations."
            )
        } else {
            format!(
                "`{name}` may not be used here: a `use …::*` brings in `{item}` under this name too, which \
                 does what this assignment asks you to build. If you mean an item of your own, rename it, \
                 or import what you need of that module by name."
            )
        });
    }
    if !is_unknown {
        return None;
    }
    let item = forbidden.iter().find(same_name)?.join("::");
    Some(format!(
        "`{name}` may not be used here: it may be `{item}`, which does what this assignment asks you to \
         build, and a macro or an attribute hides which it is. If it is a name of your own, choose \
         another one."
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIB: &str = "pub mod pooling; pub mod attention;";
    const FORBIDDEN: [&str; 5] = [
        "softmark_kit::nn::pooling::masked_mean",
        "softmark_kit::nn::composed",
        "softmark_kit::schedule::Schedule",
        "candle_nn::ops::sdpa",
        "softmark_kit::prelude::Ready",
    ];

    fn refusals(pooling: &str, attention: &str) -> Vec<String> {
        let files = [("lib.rs", LIB), ("pooling.rs", pooling), ("attention.rs", attention)];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let found = ready_made(&files.into(), &["lib.rs"], &FORBIDDEN.map(str::to_owned));
        found.into_iter().map(|it| it.message).collect()
    }

    #[test]
    fn names_file_line_and_item() {
        let found =
            refusals("use softmark_kit::nn::pooling::*;\n\nfn f() { masked_mean(x, m) }", "");
        assert_eq!(
            found,
            ["src/pooling.rs:3: `masked_mean` may not be used here: it is \
             `softmark_kit::nn::pooling::masked_mean`, which does what this assignment asks you to \
             build. Build it from simpler operations."]
        );
    }

    #[test]
    fn finds_a_forbidden_item_by_any_path() {
        for text in [
            "use softmark_kit::nn::pooling::masked_mean as mean;",
            "use softmark_kit::nn::{pooling::{self, masked_mean}};",
            "use softmark_kit::{nn::{pooling::{masked_mean as m, masked_max}}, prelude::*};",
            "pub use ::softmark_kit::nn::pooling::masked_mean;",
            "fn f() { let f = softmark_kit::nn::pooling::r#masked_mean; }",
            "fn f() { candle_nn::ops:: /* here */ sdpa(&q, &k, &v) }",
            "fn f() { ::candle_nn::ops::sdpa(&q) }",
            "use softmark_kit as k; fn f() { k::nn::pooling::masked_mean(x) }",
            "use softmark_kit::{self as k}; fn f() { k::nn::pooling::masked_mean(x) }",
            "use softmark_kit::nn::pooling as p; use p::masked_mean;",
            "use softmark_kit::nn::pooling as p; use self::p as q; fn f() { q::masked_mean(x) }",
            "extern crate softmark_kit as kit; fn f() { kit::nn::pooling::masked_mean(x) }",
            "extern crate candle_nn as c; use c::ops::*; fn f() { sdpa(x) }",
            "use softmark_kit::*; fn f() { nn::pooling::masked_mean(x) }",
            "use softmark_kit::nn::*; use pooling::*; fn f() { masked_mean(x) }",
            "use softmark_kit::nn::pooling::*; fn f() -> R { return masked_mean(x) }",
            "fn f() { use softmark_kit::nn::pooling::*; masked_mean(x) } fn masked_mean() {}",
            "fn f() { { use softmark_kit::nn::pooling::*; g(|| { masked_mean(x) }) } } fn masked_mean() {}",
            "mod a { pub use softmark_kit::nn::pooling::*; } use a::masked_mean;",
            "mod a { pub use softmark_kit::nn::pooling::*; } use self::a::*; fn f() { masked_mean(x) }",
            "mod a { pub mod b { pub use softmark_kit::nn::*; } } fn f() { a::b::pooling::masked_mean(x) }",
            "mod a { fn f() { super::p::masked_mean(x) } } use softmark_kit::nn::pooling as p;",
            "fn f() { crate::attention::masked_mean(x) }",
            "use crate::attention::*; fn f() { masked_mean(x) }",
            "use super::attention as a; fn f() { a::masked_mean(x) }",
            "mod softmark_kit { pub use ::softmark_kit::*; } fn f() { softmark_kit::nn::pooling::masked_mean() }",
            "fn f() { vec![softmark_kit::nn::pooling::masked_mean(x)] }",
            "use softmark_kit::nn::pooling::*; fn f() { let a = [0; 2]; let b = 0..masked_mean(x); }",
            // Modules and types, and what lies below them.
            "use softmark_kit::nn::composed::*;",
            "use softmark_kit::nn::*; fn f() { composed::attention(x) }",
            "use softmark_kit::nn; fn f() { nn::composed::attention(x) }",
            "use softmark_kit::schedule::{Decay, Schedule as S};",
            "use softmark_kit::schedule; fn f(s: schedule::Schedule) {}",
            "use softmark_kit::schedule::*; fn f() { <Schedule as Clone>::clone(x); Schedule::linear(1) }",
            "use softmark_kit::prelude::*; fn f() { Ready::new() }",
            "use softmark_kit::prelude::*; fn f() { let x: Vec<Ready> = Ready { a }; }",
            "use softmark_kit::{nn as kit_nn}; fn f() { kit_nn::pooling::masked_mean::<u8>(x) }",
            "fn mas\u{212a}ed() {} use candle_nn::ops::sdpa;",
            "#!/usr/bin/env x /*\nuse candle_nn::ops::sdpa; // */",
            // A path that begins with `::`, behind an arrow, a comparison, generics or a keyword.
            "fn f() { match () { () => ::candle_nn::ops::sdpa(x) } }",
            "fn f() { 0 > ::candle_nn::ops::sdpa(x) }",
            "fn f() -> ::softmark_kit::schedule::Schedule { todo!() }",
            "impl<T> ::softmark_kit::schedule::Schedule {}",
            "struct S(pub ::softmark_kit::schedule::Schedule);",
            "type S = *const ::softmark_kit::schedule::Schedule;",
            // A module that is called as a keyword is.
            "mod r#return { pub use candle_nn::ops::*; } fn f() { r#return::sdpa(x) }",
        ] {
            let attention = "pub use softmark_kit::nn::pooling::*;";
            assert!(!refusals(text, attention).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_name_of_ones_own_hides_nothing_that_it_does_not_replace() {
        let glob = "use softmark_kit::nn::pooling::*; fn f() { masked_mean(x) }";
        for own in [
            // Not there when the grader compiles.
            "#[cfg(test)] fn masked_mean() {}",
            "#[cfg(any())] fn masked_mean() {}",
            "#[cfg_attr(all(), cfg(any()))] fn masked_mean() {}",
            "#[test] fn masked_mean() {}",
            "#[inline] #[cfg(any())] pub(crate) fn masked_mean() {}",
            "#[cfg(any())] use crate::attention::masked_mean;",
            // Elsewhere, or no function.
            "mod a { pub fn masked_mean() {} }",
            "struct masked_mean {}",
            "mod masked_mean {}",
            "struct S; impl S { fn masked_mean() {} }",
            "trait T { fn masked_mean(); }",
            "fn g() { fn masked_mean() {} }",
            "fn g<const masked_mean: usize>() {}",
            "#[rustfmt::skip(; fn masked_mean)] fn g() {}",
            "macro_rules! m { () => { fn masked_mean() {} } }",
            "macro_rules! m { ($($t:tt)*) => {} } m! { fn masked_mean() {} }",
            "const S: &str = \"; fn masked_mean() {}\";",
            "enum E { A } use E::*;",
            // Removed from within, or by an attribute that holds braces.
            "fn masked_mean() { #![cfg(any())] }",
            "fn masked_mean() -> [u8; { 1 }] { #![allow(x)] #![cfg(any())] [1] }",
            "#[cfg(any())] #[rustfmt::skip {}] fn masked_mean() {}",
            "#[cfg(any())] #[rustfmt::skip { ; }] pub(crate) fn masked_mean() {}",
            "#[cfg(any())] pub(in crate::pooling) unsafe extern \"C\" fn masked_mean() {}",
            "#[cfg(any())] extern crate std as masked_mean;",
            // A parameter of generics.
            "fn g<#[allow(unused)] const masked_mean: usize>() {}",
            // Imports of the other namespace, and of what is private there.
            "use std::mem as masked_mean;",
            "use std::vec::Vec as masked_mean;",
            "use candle_core::Tensor as masked_mean;",
            "use crate as masked_mean;",
            "use crate::{self as masked_mean};",
            "enum E { masked_mean {} } use E::masked_mean;",
            "mod q { fn masked_mean() {} pub struct masked_mean {} } use q::masked_mean;",
            "mod q { pub use candle_core::*; pub struct masked_mean {} } use q::masked_mean;",
        ] {
            let text = format!("{own}\n{glob}");
            assert!(!refusals(&text, "pub fn masked_mean() {}").is_empty(), "{own}");
        }
    }

    #[test]
    fn a_function_of_an_impl_hides_nothing_inside_of_it() {
        for head in [
            "impl S<{ 1 }>",
            "impl<const N: usize> T<{ N }> for S<{ N }> where [(); { N }]: Sized,",
            "impl T for [u8; { 1 }]",
            "impl T<{ struct X; impl X { fn g() {} } 1 }, A = Vec<Vec<u8>>> for S",
            "impl T for Box<dyn Fn() -> Vec<u8>>",
            "trait T<const N: usize = { 1 }>",
            "trait T where Self: Fn<{ 1 }>",
            "impl m! { } where S<{ 1 }>:",
            "unsafe impl<T: Fn() -> u8> X<{ 2 }, T> for S",
        ] {
            let text = format!(
                "use softmark_kit::nn::pooling::*;\n\
                 {head} {{ fn masked_mean() {{}} fn go() {{ masked_mean(x, m) }} }}"
            );
            assert!(!refusals(&text, "").is_empty(), "{text}");
        }
    }

    /// A type of one's own that may not be there.
    #[test]
    fn a_type_that_may_be_removed_hides_nothing() {
        let glob = "use softmark_kit::schedule::*; fn f(s: Schedule) {}";
        for own in [
            "trait Schedule { #![cfg(any())] }",
            "trait Schedule<const N: usize = { 1 }>: A<{ 1 }> { #![cfg(any())] }",
            "#[cfg(any())] #[rustfmt::skip {}] struct Schedule;",
            "struct S; impl S<{ 1 }> { type Schedule = u8; }",
            "mod q { struct Schedule {} pub fn Schedule() {} } use q::Schedule;",
        ] {
            assert!(!refusals(&format!("{own}\n{glob}"), "").is_empty(), "{own}");
        }
        let modules = "use softmark_kit::nn::*; fn f() { pooling::masked_mean(x) }";
        for own in [
            "mod q { mod pooling { pub fn masked_mean() {} } pub fn pooling() {} } use q::pooling;",
            "mod pooling { #![cfg(any())] pub fn masked_mean() {} }",
            "#[cfg(any())] mod pooling;",
        ] {
            assert!(!refusals(&format!("{own}\n{modules}"), "").is_empty(), "{own}");
        }
        // A file that removes itself.
        let attention = "#![cfg(any())] pub fn masked_mean() {}";
        let text = "use crate::*; use softmark_kit::nn::*; fn f() { attention::masked_mean(x) }";
        assert!(!refusals(text, attention).is_empty());
    }

    #[test]
    fn what_macros_hide_is_refused() {
        for text in [
            "macro_rules! m { ($f:ident) => { softmark_kit::nn::pooling::$f(x) } } m!(masked_mean);",
            "macro_rules! m { () => { masked_mean } }",
            "macro_rules! m { ($($t:tt)*) => { $($t)* } } m! { use candle_nn::ops::*; } fn f() { sdpa(x) }",
            "macro_rules! m { ($p:path) => { $p } } fn f() { m!(candle_nn::ops::sdpa)(x) }",
            "macro_rules! vec { ($f:ident) => { candle_nn::ops::$f(x) } } fn f() { vec![sdpa] }",
            "mod a { pub use candle_nn::ops::*; } macro_rules! m { ($m:ident) => { $m::sdpa(x) } } m!(a);",
            "#[cfg(all())] mod a { pub use candle_nn::ops::*; } fn f() { a::sdpa(x) }",
        ] {
            assert!(!refusals(text, "").is_empty(), "{text}");
        }
    }

    #[test]
    fn names_of_ones_own_are_accepted() {
        for text in [
            "fn masked_mean(x: u8) {} fn f() { masked_mean(1); self::masked_mean(1) }",
            "use softmark_kit::prelude::*; use softmark_kit::nn::*; fn masked_mean() {} fn f() { masked_mean() }",
            "use softmark_kit::nn::pooling::*; fn masked_mean() {} fn f() { masked_mean() }",
            "use softmark_kit::prelude::*; fn f() { let masked_mean = x.sum(1)?; masked_mean / count }",
            "use softmark_kit::prelude::*; fn f(sdpa: &Tensor) { g(sdpa) } struct S { sdpa: Tensor }",
            "impl S { fn sdpa(&self) { self.sdpa.sum(); Self::sdpa(self); S::sdpa(self); x.sdpa() } } struct S { sdpa: u8 }",
            "struct S { sdpa: u8 } fn f() { let S { sdpa } = s; S { sdpa: sdpa } }",
            "mod tests { use super::*; fn t() { masked_mean(1); assert_eq!(masked_mean(2), 3); } } fn masked_mean() {}",
            "#[cfg(test)] mod tests { use super::*; #[test] fn t() { masked_mean(1) } } fn masked_mean() {}",
            "mod composed { pub fn f() {} } fn g() { composed::f(); self::composed::f() }",
            "mod composed { pub fn f() {} } use composed::f; use self::composed as c;",
            "use crate::attention::sdpa; fn f() { sdpa(1); crate::attention::sdpa(2) }",
            "use softmark_kit::nn::pooling::*; fn a() { fn masked_mean() {} masked_mean(1) }",
            "use super::attention::{self, sdpa as own}; fn f() { own(1); attention::sdpa(2) }",
            "use crate::attention; fn f() { attention::sdpa(2) }",
            "enum Schedule { A } use Schedule::*; fn f(s: Schedule) { Schedule::A }",
            "#[derive(Debug)] pub struct Schedule { a: u8 } impl Schedule { fn linear() -> Self { Schedule { a: 1 } } }",
            "#[inline] #[must_use] pub(crate) const fn sdpa() {} static X: F = sdpa;",
            "#[allow(dead_code, reason = \"a\")] fn sdpa() {} fn f() { format!(\"{}\", sdpa()) }",
            "fn f() { fn sdpa() {} sdpa() }",
            "fn f<T: Pool>(x: T) { T::sdpa(x); <T as Pool>::sdpa(x); Vec::<T>::sdpa(x) }",
            "impl Trait for [u8; 3] { fn sdpa() {} } fn sdpa() {} fn f() -> impl Fn() { sdpa }",
            "use softmark_kit::nn::pooling::*; mod a; fn masked_mean() {} mod tests { use super::*; fn t() { masked_mean(1) } }",
            "use softmark_kit::prelude::*; use crate::attention::sdpa; fn f() { sdpa(1) }",
            "use candle_nn::ops::*; #[inline] pub(crate) fn sdpa() {} pub(crate) fn f() { sdpa(1) }",
            "use candle_nn::ops::*; impl S<{ 1 }> { fn g() {} } fn sdpa() {} fn f() { sdpa(1) }",
            "use candle_nn::ops::*; impl S { fn g(&self) { fn sdpa() {} sdpa() } }",
            "use candle_nn::ops::*; #[rustfmt::skip] const A: u8 = 1; fn sdpa() {} fn f() { sdpa(1) }",
            "use candle_nn::ops::*; thread_local! { static A: u8 = 1; } fn sdpa() {} fn f() { sdpa(1) }",
            "use candle_nn::ops::*; fn sdpa() -> Vec<[u8; { 1 }]> { #![allow(unused)] f() } fn f() { sdpa() }",
            "use candle_nn::ops::*; extern \"C\" fn sdpa() {} fn f() { if a > b::sdpa(x) { sdpa(1) } } mod b { pub fn sdpa() {} }",
            // Only looks like one.
            "// masked_mean is what we build, and sdpa what we do not call",
            "/// `masked_mean`\n/* sdpa */ fn f() {}",
            "const X: &str = \"masked_mean\"; const Y: &[u8] = br#\"sdpa\"#;",
            "fn my_masked_mean() {} fn f() { let masked_means = 1; let mask = masked + mean; }",
            "fn f() { 's'; b's'; 'sdpa: loop {} }",
            "",
        ] {
            assert_eq!(refusals(text, "pub fn sdpa(x: u8) {}"), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let nested = |n: usize| format!("use {}a{};", "{".repeat(n), "}".repeat(n));
        let text = format!("{} fn f() {{ sdpa(x) }}", nested(10_000));
        assert!(!refusals(&text, "").is_empty());
        for text in [
            "use a as b; use b as a; use a::sdpa;",
            "mod a { pub use super::b::*; } mod b { pub use super::a::*; } use a::sdpa;",
            "mod a { pub use super::b::sdpa; } mod b { pub use super::a::sdpa; } use a::sdpa;",
        ] {
            // Does not compile; all that counts is that it comes to an end.
            refusals(text, "");
        }
        // As large as a file may be; none of them takes long.
        for part in [
            "a!(sdpa);",
            "use sdpa::",
            "#[a] fn sdpa",
            "{",
            "use std::env as e;",
            "sdpa ",
            "impl S<{",
            "fn f<{ fn sdpa() {} ",
            "#[",
            "fn f() { #![a]",
        ] {
            refusals(&part.repeat((1 << 18) / part.len()), "use candle_nn::ops::*;");
        }
        let glob = |i: usize| format!("mod m{i} {{ pub use super::*; }} use m{i}::*;");
        let globs: Vec<String> = (0..40).map(glob).collect();
        refusals(&format!("{} fn f() {{ sdpa(x) }}", globs.concat()), "");
    }

    #[test]
    fn provided_files_may_use_anything() {
        let files = [("lib.rs", "use candle_nn::ops::sdpa;"), ("a.rs", "fn f() {}")];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        assert_eq!(ready_made(&files.into(), &["lib.rs"], &["candle_nn::ops::sdpa".into()]), []);
    }

    #[test]
    fn only_paths_into_libraries_can_be_forbidden() {
        for path in ["candle_nn::ops::sdpa", "softmark_kit::nn::composed", "candle_core::_x1"] {
            assert!(is_library_path(path), "{path}");
        }
        for path in
            ["sdpa", "nn::ops", "candle_nn", "candle_nn::", "candle_nn::a-b", "std::env", ""]
        {
            assert!(!is_library_path(path), "{path}");
        }
    }

    proptest! {
        #[test]
        fn reads_any_text(text in "\\PC*") {
            refusals(&text, "");
        }

        /// Any order of declarations, imports and braces is read to its end.
        #[test]
        fn reads_any_tokens(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "use", "self", "super", "crate", "::", "*", "{", "}", "(", ")", ";", ",", "as",
                    "mod", "fn", "sdpa", "a", "candle_nn", "ops", "impl", "#", "[", "]", "!", "$",
                ]),
                0..60,
            )
        ) {
            refusals(&words.join(" "), "pub use candle_nn::ops::*;");
        }
    }
}
