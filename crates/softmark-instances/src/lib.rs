//! Instances of candle's generic functions for the types that students' code uses.
//!
//! Most of candle's functions are generic: `Tensor::reshape` over the shape, `Tensor::sum` over the dimension. The compiler
//! makes an instance of a generic function in the crate that calls it, unless a crate below it has that instance and shares
//! it. For a submission of 300 lines it made 900 instances, which took 0.33 of 0.42 s of processor time.
//! With this crate below it there are 140 functions left to compile, which are its own.
//!
//! - rustc shares instances of crates that are compiled with `opt-level` 0, 1, `s` or `z`, and uses shared ones in
//!   crates that are compiled so. Submissions are compiled with 0, this crate with 1: what candle computes element by
//!   element is then also faster in a submission.
//! - An instance that is missing here is compiled in the submission, as all would be without this crate; nothing else
//!   depends on which are here. A test compares what is compiled with and without them.

mod collections;
mod shapes;
mod tensors;
mod variables;

/// Makes instances. It does nothing else, and need not be called.
pub fn make() {
    collections::make();
    shapes::make();
    tensors::make();
    variables::make();
}

/// Makes instances of functions, which are given as pointers: the compiler must compile what something points to.
macro_rules! instances {
    ($($function:expr),* $(,)?) => {
        $( std::hint::black_box($function); )*
    };
}
pub(crate) use instances;
