//! Functions over a shape or over dimensions of a tensor.

use candle_core::shape::{Dim, Dims, ShapeWithOneHole};
use candle_core::{D, Shape, Tensor};

use crate::instances;

/// Makes instances for one to four dimensions, and for shapes whose number of dimensions is not known.
pub(crate) fn make() {
    of_dimension::<usize>();
    of_dimension::<D>();
    of_dimensions::<(usize, usize)>();
    of_dimensions::<(D, D)>();
    of_dimensions::<Vec<usize>>();
    of_shape::<usize>();
    of_shape::<(usize, usize)>();
    of_shape::<(usize, usize, usize)>();
    of_shape::<(usize, usize, usize, usize)>();
    of_shape::<Shape>();
    of_shape::<&Shape>();
    of_shape::<&[usize]>();
    of_shape::<Vec<usize>>();
    instances!(
        Tensor::permute::<(usize, usize, usize)> as fn(_, _) -> _,
        Tensor::permute::<(usize, usize, usize, usize)> as fn(_, _) -> _,
        Tensor::permute::<[usize; 3]> as fn(_, _) -> _,
        Tensor::permute::<[usize; 4]> as fn(_, _) -> _,
        Tensor::reshape::<((), usize)> as fn(_, _) -> _,
        Tensor::reshape::<(usize, ())> as fn(_, _) -> _,
        Tensor::reshape::<((), usize, usize)> as fn(_, _) -> _,
        Tensor::reshape::<(usize, (), usize)> as fn(_, _) -> _,
        Tensor::reshape::<(usize, usize, ())> as fn(_, _) -> _,
    );
}

fn of_dimension<I: Dim>() {
    of_dimensions::<I>();
    instances!(
        Tensor::argmax::<I> as fn(_, _) -> _,
        Tensor::argmax_keepdim::<I> as fn(_, _) -> _,
        Tensor::cat::<&Tensor, I> as fn(_, _) -> _,
        Tensor::cat::<Tensor, I> as fn(_, _) -> _,
        Tensor::chunk::<I> as fn(_, _, _) -> _,
        Tensor::cumsum::<I> as fn(_, _) -> _,
        Tensor::dim::<I> as fn(_, _) -> _,
        Tensor::flatten::<I, I> as fn(_, _, _) -> _,
        Tensor::flatten_from::<I> as fn(_, _) -> _,
        Tensor::flatten_to::<I> as fn(_, _) -> _,
        Tensor::gather::<I> as fn(_, _, _) -> _,
        Tensor::get_on_dim::<I> as fn(_, _, _) -> _,
        Tensor::index_add::<I> as fn(_, _, _, _) -> _,
        Tensor::index_select::<I> as fn(_, _, _) -> _,
        Tensor::max::<I> as fn(_, _) -> _,
        Tensor::max_keepdim::<I> as fn(_, _) -> _,
        Tensor::min::<I> as fn(_, _) -> _,
        Tensor::min_keepdim::<I> as fn(_, _) -> _,
        Tensor::narrow::<I> as fn(_, _, _, _) -> _,
        Tensor::pad_with_zeros::<I> as fn(_, _, _, _) -> _,
        Tensor::scatter_add::<I> as fn(_, _, _, _) -> _,
        Tensor::squeeze::<I> as fn(_, _) -> _,
        Tensor::stack::<&Tensor, I> as fn(_, _) -> _,
        Tensor::stack::<Tensor, I> as fn(_, _) -> _,
        Tensor::transpose::<I, I> as fn(_, _, _) -> _,
        Tensor::unsqueeze::<I> as fn(_, _) -> _,
        Tensor::var::<I> as fn(_, _) -> _,
        Tensor::var_keepdim::<I> as fn(_, _) -> _,
    );
}

fn of_dimensions<I: Dims>() {
    instances!(
        Tensor::log_sum_exp::<I> as fn(_, _) -> _,
        Tensor::mean::<I> as fn(_, _) -> _,
        Tensor::mean_keepdim::<I> as fn(_, _) -> _,
        Tensor::sum::<I> as fn(_, _) -> _,
        Tensor::sum_keepdim::<I> as fn(_, _) -> _,
    );
}

fn of_shape<S: Into<Shape> + ShapeWithOneHole>() {
    instances!(
        Tensor::broadcast_as::<S> as fn(_, _) -> _,
        Tensor::broadcast_left::<S> as fn(_, _) -> _,
        Tensor::expand::<S> as fn(_, _) -> _,
        Tensor::from_slice::<S, f32> as fn(_, _, _) -> _,
        Tensor::from_slice::<S, u32> as fn(_, _, _) -> _,
        Tensor::from_vec::<S, f32> as fn(_, _, _) -> _,
        Tensor::from_vec::<S, f64> as fn(_, _, _) -> _,
        Tensor::from_vec::<S, u32> as fn(_, _, _) -> _,
        Tensor::from_vec::<S, u8> as fn(_, _, _) -> _,
        Tensor::full::<f32, S> as fn(_, _, _) -> _,
        Tensor::full::<f64, S> as fn(_, _, _) -> _,
        Tensor::full::<u32, S> as fn(_, _, _) -> _,
        Tensor::full::<u8, S> as fn(_, _, _) -> _,
        Tensor::ones::<S> as fn(_, _, _) -> _,
        Tensor::repeat::<S> as fn(_, _) -> _,
        Tensor::reshape::<S> as fn(_, _) -> _,
        Tensor::zeros::<S> as fn(_, _, _) -> _,
    );
}
