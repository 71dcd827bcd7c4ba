//! Reading parameters by name.

use candle_core::Shape;
use candle_nn::VarBuilder;

use crate::instances;

/// Makes instances for the shapes that parameters of layers have.
pub(crate) fn make() {
    of_shape::<usize>();
    of_shape::<(usize, usize)>();
    of_shape::<(usize, usize, usize)>();
    of_shape::<Shape>();
    of_shape::<&Shape>();
    instances!(
        VarBuilder::pp::<&str> as fn(_, _) -> _,
        VarBuilder::pp::<String> as fn(_, _) -> _,
        VarBuilder::pp::<&String> as fn(_, _) -> _,
        VarBuilder::pp::<usize> as fn(_, _) -> _,
    );
}

fn of_shape<S: Into<Shape>>() {
    instances!(
        VarBuilder::get::<S> as fn(_, _, _) -> _,
        VarBuilder::get_with_hints::<S> as fn(_, _, _, _) -> _,
    );
}
