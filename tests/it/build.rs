//! A submission becomes programs, or a fault that names the student's mistake and no path of ours.

mod salvage;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use softmark::build::{
    BuildError, BuildFault, BuildFaultKind, Built, Bundle, Pack, ProgramSpec, Source,
};
use softmark_sandbox::{Access, ExitReason, Job, Level, Limits};

use crate::support::grade::copy;
use crate::support::pack::{HOME, cache, files, pack, program, tools, tools_at};

fn one_file(text: &str) -> Source {
    Source::from([("lib.rs".to_owned(), text.as_bytes().to_vec())])
}

fn stub() -> ProgramSpec {
    program("stub", "fn main() { println!(\"{}\", submission::answer()); }", &[])
}

fn compile_in(
    scratch: &Path,
    source: &Source,
    programs: &[ProgramSpec],
) -> Result<Built, BuildFault> {
    pack().compile(source, programs, scratch).unwrap().into_result()
}

fn fault(text: &str) -> BuildFault {
    let scratch = tempfile::tempdir().unwrap();
    let fault = compile_in(scratch.path(), &one_file(text), &[stub()]).unwrap_err();
    for ours in [HOME, scratch.path().to_str().unwrap(), "/home/", "/root/", ".cargo", ".rustup"] {
        assert!(!fault.message.contains(ours), "{ours} in:\n{}", fault.message);
    }
    fault
}

/// Starts a program and waits for its end.
fn run(program: &Path) -> (ExitReason, String) {
    run_with(program, Vec::new())
}

fn run_with(program: &Path, args: Vec<OsString>) -> (ExitReason, String) {
    let job = Job {
        program: program.to_owned(),
        args,
        env: BTreeMap::new(),
        dir: program.parent().unwrap().to_owned(),
        limits: Limits { wall: Duration::from_mins(1), ..Limits::generous() },
        access: Access::ComputeOnly,
    };
    let finished = tools().sandbox.run(&job).unwrap();
    (finished.exit, String::from_utf8(finished.log).unwrap())
}

#[test]
fn a_second_grader_runs_no_cargo() {
    let first = pack();
    let mut told = Vec::new();
    let mut progress = |stage| told.push(stage);
    let second = Pack::prepare(&tools(), Path::new(HOME), &cache(), &mut progress).unwrap();
    assert_eq!(told, []);
    assert_eq!(first.key(), second.key());
    assert!(second.compiler().starts_with("rustc "));
}

#[test]
fn a_copy_of_the_course_in_another_folder_uses_the_same_libraries() {
    let first = pack();
    let dir = tempfile::tempdir().unwrap();
    for folder in [".cargo", "assignments", "crates", "labs", "solutions"] {
        copy(&Path::new(HOME).join(folder), &dir.path().join(folder));
    }
    for file in ["Cargo.lock", "Cargo.toml"] {
        fs::copy(Path::new(HOME).join(file), dir.path().join(file)).unwrap();
    }
    let build = &mut |stage| panic!("{stage:?}");
    let second = Pack::prepare(&tools(), dir.path(), &cache(), build).unwrap();
    assert_eq!(first.key(), second.key());
    // The compiler names a place in the kit, and not where the kit was when it was compiled.
    let scratch = tempfile::tempdir().unwrap();
    let source = one_file(
        "pub fn answer() -> softmark_kit::nn::Linear { softmark_kit::nn::Linear { a: 1 } }\n",
    );
    let fault =
        second.compile(&source, &[stub()], scratch.path()).unwrap().into_result().unwrap_err();
    let message = fault.message.to_multiline();
    assert!(
        !message.contains(HOME) && !message.contains(dir.path().to_str().unwrap()),
        "{message}"
    );
}

#[test]
fn a_submission_becomes_a_program() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "pub fn answer() -> String {\n    \
        format!(\"{:?}\", candle_core::Shape::from((2, 3)))\n}\n";
    let built = compile_in(scratch.path(), &one_file(text), &[stub()]).unwrap();
    let (ending, output) = run(&built.programs["stub"]);
    assert_eq!(ending, ExitReason::Exited(0), "{output}");
    assert_eq!(output, "[2, 3]\n");
}

/// Programs that print the answer of a submission, once and twice.
fn once_and_twice() -> [ProgramSpec; 2] {
    let main = |prints: &str| {
        format!(
            "fn main() -> std::process::ExitCode {{ {prints} std::process::ExitCode::SUCCESS }}"
        )
    };
    let print = "println!(\"{}\", submission::answer());";
    [program("once", &main(print), &[]), program("twice", &main(&print.repeat(2)), &[])]
}

#[test]
fn a_bundle_is_each_program_of_each_of_its_submissions() {
    let scratch = tempfile::tempdir().unwrap();
    // The same names in both.
    let text =
        |n: u32| one_file(&format!("static N: u32 = {n};\npub fn answer() -> u32 {{\n    N\n}}\n"));
    let sources = [text(1), text(2)];
    let sources: Vec<&Source> = sources.iter().collect();
    let bundle = pack().bundle(&sources, &once_and_twice(), scratch.path()).unwrap();
    let Bundle::Linked { program } = bundle else { panic!("{bundle:?}") };
    for (member, name, printed) in
        [(0, "once", "1\n"), (0, "twice", "1\n1\n"), (1, "once", "2\n"), (1, "twice", "2\n2\n")]
    {
        let entry = Bundle::entry(member, name).into();
        assert_eq!(run_with(&program, vec![entry]), (ExitReason::Exited(0), printed.to_owned()));
    }
    let (ending, _) = run_with(&program, vec!["member_2_once".into()]);
    assert_eq!(ending, ExitReason::Exited(64), "there is no third one");
}

#[test]
fn a_bundle_says_which_submission_does_not_compile() {
    let scratch = tempfile::tempdir().unwrap();
    let sources = ["pub fn answer() -> u32 { 1 }", "pub fn answer() -> u32 { true }"].map(one_file);
    let sources: Vec<&Source> = sources.iter().collect();
    let bundle = pack().bundle(&sources, &once_and_twice(), scratch.path()).unwrap();
    let Bundle::Faulty { member, fault } = bundle else { panic!("{bundle:?}") };
    assert_eq!((member, fault.kind), (1, BuildFaultKind::Compile));
    assert!(fault.message.contains("mismatched types"), "{}", fault.message);
}

#[test]
fn the_solution_links_with_the_worker_within_the_budget() {
    let own = "fn main() -> std::process::ExitCode {\n    \
        softmark_worker::serve(attention_spec::adapter::components::<submission::Submission>)\n}\n";
    let with_reference = "fn main() -> std::process::ExitCode {\n    \
        softmark_worker::serve(attention_spec::adapter::multi_head_with::<\n        \
        submission::Submission,\n        \
        attention_solution::attention::ScaledDotProduct,\n    >)\n}\n";
    let programs = [
        program("own", own, &["softmark_worker", "attention_spec"]),
        program(
            "with_reference",
            with_reference,
            &["softmark_worker", "attention_spec", "attention_solution"],
        ),
    ];
    let scratch = tempfile::tempdir().unwrap();
    let built = compile_in(scratch.path(), &files("solutions/attention"), &programs).unwrap();
    for step in &built.steps {
        println!("{:15} {:?}", step.name, step.usage);
    }
    println!("{:15} {:?}", "all", built.usage);
    // The budget is less than half of that; a busy machine's caches make it more.
    assert!(built.usage.cpu < Duration::from_secs(3), "{:?}", built.usage);
    // Nobody is at the other end of its channel.
    let (ending, output) = run(&built.programs["own"]);
    assert!(matches!(ending, ExitReason::Exited(_)), "{ending:?} {output}");
}

#[test]
fn the_skeleton_compiles() {
    let scratch = tempfile::tempdir().unwrap();
    let main = program("stub", "use submission as _;\nfn main() {}\n", &[]);
    compile_in(scratch.path(), &files("assignments/attention"), &[main]).unwrap();
}

#[test]
fn a_students_code_cannot_name_what_is_the_graders() {
    let own = [
        "attention_solution",
        "attention_spec",
        "encoder_solution",
        "encoder_spec",
        "softmark_common",
        "softmark_worker",
        "softmark_wire",
    ];
    for name in own.into_iter().chain(["rand", "libc", "submission"]) {
        let fault = fault(&format!("extern crate {name};\npub fn answer() -> u8 {{ 1 }}\n"));
        assert_eq!((fault.kind, fault.errors), (BuildFaultKind::Compile, 1), "{}", fault.message);
        assert!(fault.message.contains("src/lib.rs:1:1"), "{}", fault.message);
    }
}

#[test]
fn unsafe_code_is_refused_and_cannot_be_allowed() {
    let body = "pub fn answer() -> u8 { unsafe { std::mem::zeroed() } }\n";
    for allowed in ["", "#![allow(unsafe_code)]\n", "#![allow(warnings)]\n"] {
        let fault = fault(&format!("{allowed}{body}"));
        assert!(fault.message.contains("unsafe"), "{}", fault.message);
    }
    let hidden = "#[unsafe(no_mangle)]\npub fn write() {}\npub fn answer() -> u8 { 1 }\n";
    assert!(fault(hidden).message.contains("no_mangle"));
}

/// Nothing of this is in the text that is scanned: what the compiler says that it read tells.
#[test]
fn what_a_macro_reads_is_refused() {
    let call = "macro_rules! call { ($name:ident, $of:literal) => { $name!($of) } }\n\
        pub fn answer() -> u8 { 1 }\n";
    let asks = "use std::env as e;\npub const X: &str = call!(e, \"LD_LIBRARY_PATH\");\n";
    let message = "the code reads `LD_LIBRARY_PATH` from the environment";
    for more in ["", "pub fn wrong() -> u8 { \"\" }\n", "compile_error!(call!(e, \"PATH\"));\n"] {
        let fault = fault(&format!("{call}{asks}{more}"));
        assert_eq!(fault.kind, BuildFaultKind::Forbidden, "{}", fault.message);
        assert!(fault.message.as_raw().starts_with(message), "{}", fault.message);
    }
    // A file that every compiler can read; it is no code, and its text is not quoted.
    let file = "../toolchain/rustlib/components";
    for reads in [
        format!("pub fn x() {{ call!(include, \"{file}\") }}"),
        format!(
            "macro_rules! load {{ ($a:ident $p:literal $($t:tt)*) => {{ #[$a = $p] $($t)* }} }}\n\
             macro_rules! word {{ ($m:ident) => {{ load!(path \"{file}\" $m x;); }} }}\nword!(r#mod);"
        ),
    ] {
        let fault = fault(&format!("{call}{reads}\n"));
        assert!(!fault.message.contains("rust-std"), "{}", fault.message);
        assert!(!fault.message.contains("x86_64"), "{}", fault.message);
    }
}

#[test]
fn nothing_is_compiled_where_a_compiler_could_read_everything() {
    let strict = tools_at(Level::Strict);
    let pack = Pack::prepare(&strict, Path::new(HOME), &cache(), &mut |_| ()).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let source = one_file("pub fn answer() -> u8 { 1 }\n");
    let error = pack.compile(&source, &[stub()], scratch.path()).unwrap_err();
    assert!(matches!(error, BuildError::NeedsIsolation), "{error}");
    let none = Source::new();
    let error = pack.compile_or_replace(&source, &none, &[stub()], scratch.path()).unwrap_err();
    assert!(matches!(error, BuildError::NeedsIsolation), "{error}");
}

/// Returns the size of the library of a submission that calls functions of tensors for a shape.
fn library_with(shape: &str) -> u64 {
    let text = format!(
        "use softmark_kit as _;\n\
         use candle_core::{{DType, Device, Result, Tensor}};\n\
         pub fn answer() -> u8 {{ tensors().map_or(0, |it| it.rank() as u8) }}\n\
         fn tensors() -> Result<Tensor> {{\n\
             let zeros = Tensor::zeros({shape}, DType::F32, &Device::Cpu)?;\n\
             let ones = Tensor::ones({shape}, DType::F32, &Device::Cpu)?.reshape({shape})?;\n\
             let full = Tensor::full(2f32, {shape}, &Device::Cpu)?.broadcast_as({shape})?;\n\
             (zeros + ones)? + full\n\
         }}\n"
    );
    let scratch = tempfile::tempdir().unwrap();
    compile_in(scratch.path(), &one_file(&text), &[stub()]).unwrap();
    fs::metadata(scratch.path().join("library/libsubmission.rlib")).unwrap().len()
}

#[test]
fn functions_of_candle_are_linked_and_not_compiled_again() {
    let linked = library_with("(1, 2, 3)");
    // Nobody has tensors with six dimensions, so nobody has made instances for them.
    let compiled = library_with("(1, 2, 3, 1, 1, 1)");
    assert!(linked * 2 < compiled, "{linked} and {compiled} bytes");
}

#[test]
fn a_warning_does_not_fail_a_build() {
    let text = "use std::fmt;\nfn unused() { let x = 3; }\n#[deprecated] fn old() {}\n\
        pub fn answer() -> u8 { old(); 1 }\n";
    let scratch = tempfile::tempdir().unwrap();
    compile_in(scratch.path(), &one_file(text), &[stub()]).unwrap();
}

#[test]
fn an_error_is_shown_as_the_compiler_words_it() {
    let fault = fault("pub fn answer() -> u8 {\n    \"seven\"\n}\n");
    assert_eq!(fault.kind, BuildFaultKind::Compile);
    assert_eq!(fault.errors, 1);
    assert_eq!(
        fault.message,
        "error[E0308]: mismatched types\n --> src/lib.rs:2:5\n  |\n\
         1 | pub fn answer() -> u8 {\n  |                    -- expected `u8` because of return type\n\
         2 |     \"seven\"\n  |     ^^^^^^^ expected `u8`, found `&str`"
    );
}

#[test]
fn an_error_about_a_library_names_no_path_of_this_machine() {
    let fault = fault(
        "pub fn answer() -> u8 {\n    let _ = candle_core::Tensor::zeros(1, 2);\n    \
         let _ = softmark_kit::compare::first_difference();\n    \
         let _: Vec<u8> = Vec::with_capacity();\n    1\n}\n",
    );
    assert!(fault.message.contains("deps/candle-core-0.11.1/src/"), "{}", fault.message);
    println!("{}", fault.message.to_multiline());
}

#[test]
fn the_same_errors_read_the_same_every_time() {
    let lines: Vec<String> =
        (0..40).map(|i| format!("pub fn f{i}() -> u8 {{ missing{i} }}")).collect();
    let text = lines.join("\n");
    let first = fault(&text);
    assert_eq!(first.errors, 40);
    assert!(first.message.as_raw().ends_with("(10 of 40 errors are shown)"), "{}", first.message);
    assert_eq!(fault(&text).message, first.message);
}

#[test]
fn errors_that_show_late_are_the_students_fault() {
    let text = "pub fn answer() -> u8 { 1 }\n\
        pub const BAD: () = panic!(\"at compile time\");\n";
    assert!(fault(text).message.contains("at compile time"));
    // Found only when a program uses it.
    let late = "struct S<const N: usize>;\n\
        impl<const N: usize> S<N> { const C: u8 = [1, 2][N]; }\n\
        #[inline]\npub fn answer() -> u8 { S::<7>::C }\n";
    assert_eq!(fault(late).kind, BuildFaultKind::Compile);
}

#[test]
fn a_compiler_without_end_is_ended() {
    let bomb = "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)* x) } }\n\
        #[recursion_limit = \"1000000\"]\nmod a {}\nm!(x);\npub fn answer() -> u8 { 1 }\n";
    let fault = fault(&format!("#![recursion_limit = \"1000000\"]\n{bomb}"));
    assert_eq!(fault.kind, BuildFaultKind::OutOfMemory, "{fault:?}");
}

#[test]
fn a_program_text_that_does_not_compile_is_the_graders_fault() {
    let scratch = tempfile::tempdir().unwrap();
    let source = one_file("pub fn answer() -> u8 { 1 }\n");
    let broken = program("broken", "fn main() { submission::nothing() }\n", &[]);
    let error = pack().compile(&source, &[broken], scratch.path()).unwrap_err();
    assert!(matches!(error, BuildError::Program { .. }), "{error}");
    let unknown = program("unknown", "fn main() {}\n", &["no_such_library"]);
    let scratch = tempfile::tempdir().unwrap();
    let error = pack().compile(&source, &[unknown], scratch.path()).unwrap_err();
    assert!(matches!(error, BuildError::Library { .. }), "{error}");
}

#[test]
fn running_out_of_memory_looks_the_same_every_time() {
    let bodies = [
        (
            "let mut all = Vec::new(); loop { all.push(vec![1_u8; 1 << 20]); }",
            ExitReason::OutOfMemory,
        ),
        ("let mut all = Vec::new(); loop { all.push(1_u64); }", ExitReason::OutOfMemory),
        // Nothing of it is ever there: all that is known is that it aborted.
        ("let all = vec![1_u8; 1 << 40]; return all.len() as u8;", ExitReason::Signaled(6)),
        (
            // As in a worker, which answers on a thread of its own.
            "fn deep(n: u64) -> u64 { 1 + deep(n + 1) } \
             return std::thread::spawn(|| deep(1)).join().unwrap() as u8;",
            ExitReason::Signaled(6),
        ),
    ];
    for (body, expected) in bodies {
        let text = format!("#[allow(unreachable_code)]\npub fn answer() -> u8 {{ {body} }}\n");
        let scratch = tempfile::tempdir().unwrap();
        let built = compile_in(scratch.path(), &one_file(&text), &[stub()]).unwrap();
        for _ in 0..3 {
            let job = Job {
                program: built.programs["stub"].clone(),
                args: Vec::new(),
                env: BTreeMap::new(),
                dir: scratch.path().to_owned(),
                limits: Limits { memory_mebibytes: 512, ..Limits::generous() },
                access: Access::ComputeOnly,
            };
            let finished = tools().sandbox.run(&job).unwrap();
            assert_eq!(finished.exit, expected, "{body}: {:?}", finished.usage);
        }
    }
}
