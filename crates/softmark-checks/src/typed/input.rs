//! Typed questions, and how they become cases.

use std::fmt::Debug;

use crate::case::Case;
use crate::signature::Signature;
use crate::typed::{Scalar, Tensor};

/// A typed question to a component: its sizes, parameters and inputs. [`typed_input!`](crate::typed_input) implements it.
pub trait Typed: Clone + Debug + Sized {
    /// Id of the component, such as `rms-norm`.
    const PART: &'static str;

    /// The same question with numbers of another type.
    type Of<S: Scalar>;

    /// Returns the names of sizes, inputs and outputs.
    fn signature() -> &'static Signature;

    /// Returns the question as a case.
    fn to_case(&self, label: String) -> Case;

    /// Returns the question that a case asks.
    fn from_case(case: &Case) -> Self;

    /// Returns the question with each tensor replaced by what `lift` makes of it.
    fn lift<S: Scalar>(&self, lift: &mut dyn FnMut(&str, &Tensor) -> Tensor<S>) -> Self::Of<S>;
}

/// Declares the type of a component's questions: a struct with a field for each size, parameter and input, by which
/// they are called on the wire as well. A parameter may have another name there.
///
/// ```
/// use softmark_checks::typed::{Tensor, Typed};
///
/// softmark_checks::typed_input! {
///     /// A scaled sum.
///     pub struct Scaled for "scaled" {
///         sizes { width }
///         parameters { scale = "scale.weight" }
///         inputs { x }
///         outputs { "output" }
///     }
/// }
///
/// let one = |name: &str| Tensor::from_fn(&[name.len()], |_| 1.0);
/// let question = Scaled { width: 1, scale: one("s"), x: one("x") };
/// let case = question.to_case("width=1".to_owned());
/// assert_eq!(case.get_parameter("scale.weight").values(), [1.0]);
/// assert_eq!(Scaled::from_case(&case).width, 1);
/// ```
#[macro_export]
macro_rules! typed_input {
    (
        $(#[$meta:meta])*
        pub struct $name:ident for $part:literal {
            sizes { $($size:ident),* $(,)? }
            parameters { $($parameter:ident = $called:literal),* $(,)? }
            inputs { $($input:ident),* $(,)? }
            outputs { $($output:literal),* $(,)? }
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "the fields are what the trait's documentation describes")]
        pub struct $name<S = f64> {
            $(pub $size: usize,)*
            $(pub $parameter: $crate::typed::Tensor<S>,)*
            $(pub $input: $crate::typed::Tensor<S>,)*
        }

        impl $crate::typed::Typed for $name {
            const PART: &'static str = $part;

            type Of<S: $crate::typed::Scalar> = $name<S>;

            fn signature() -> &'static $crate::Signature {
                static SIGNATURE: $crate::Signature = $crate::Signature::new(
                    $part,
                    &[&[$(stringify!($size)),*]],
                    &[$(stringify!($input)),*],
                    &[$($output),*],
                );
                &SIGNATURE
            }

            fn to_case(&self, label: String) -> $crate::Case {
                $crate::Case::new(Self::signature(), label)
                    $(.size(stringify!($size), self.$size))*
                    $(.parameter($called, self.$parameter.to_array()))*
                    $(.input(stringify!($input), self.$input.to_array()))*
            }

            fn from_case(case: &$crate::Case) -> Self {
                Self {
                    $($size: case.get_size(stringify!($size)),)*
                    $($parameter: $crate::typed::Tensor::from(&case.get_parameter($called)),)*
                    $($input: $crate::typed::Tensor::from(&case.get(stringify!($input))),)*
                }
            }

            fn lift<S: $crate::typed::Scalar>(
                &self,
                lift: &mut dyn FnMut(&str, &$crate::typed::Tensor) -> $crate::typed::Tensor<S>,
            ) -> $name<S> {
                $name {
                    $($size: self.$size,)*
                    $($parameter: lift($called, &self.$parameter),)*
                    $($input: lift(stringify!($input), &self.$input),)*
                }
            }
        }
    };
}
