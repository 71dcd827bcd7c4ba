//! Functions over the type of the elements, comparisons, and operators.

use std::ops::{Add, Div, Mul, Sub};

use candle_core::{Device, Tensor, WithDType};

use crate::instances;

/// Makes instances of functions that take a tensor or a number.
macro_rules! compared {
    ($($other:ty),*) => {
        $( instances!(
            Tensor::clamp::<$other, $other> as fn(_, _, _) -> _,
            Tensor::eq::<$other> as fn(_, _) -> _,
            Tensor::ge::<$other> as fn(_, _) -> _,
            Tensor::gt::<$other> as fn(_, _) -> _,
            Tensor::le::<$other> as fn(_, _) -> _,
            Tensor::lt::<$other> as fn(_, _) -> _,
            Tensor::maximum::<$other> as fn(_, _) -> _,
            Tensor::minimum::<$other> as fn(_, _) -> _,
            Tensor::ne::<$other> as fn(_, _) -> _,
        ); )*
    };
}

/// Makes instances of arithmetic with a tensor, or with what one was computed as.
macro_rules! arithmetic {
    ($left:ty: $($right:ty),*) => {
        $( instances!(
            <$left as Add<$right>>::add as fn(_, _) -> _,
            <$left as Div<$right>>::div as fn(_, _) -> _,
            <$left as Mul<$right>>::mul as fn(_, _) -> _,
            <$left as Sub<$right>>::sub as fn(_, _) -> _,
        ); )*
    };
}

/// Makes instances for the types of elements that texts and their classes have.
pub(crate) fn make() {
    of_elements::<f32>();
    of_elements::<f64>();
    of_elements::<i64>();
    of_elements::<u32>();
    of_elements::<u8>();
    compared!(f32, f64, u32, u8, &Tensor);
    of_operators();
}

fn of_elements<T: WithDType>() {
    instances!(
        Tensor::arange::<T> as fn(_, _, _) -> _,
        Tensor::new::<&[T]> as fn(_, &Device) -> _,
        Tensor::new::<T> as fn(_, &Device) -> _,
        Tensor::new::<Vec<T>> as fn(_, &Device) -> _,
        Tensor::new::<Vec<Vec<T>>> as fn(_, &Device) -> _,
        Tensor::to_scalar::<T> as fn(_) -> _,
        Tensor::to_vec0::<T> as fn(_) -> _,
        Tensor::to_vec1::<T> as fn(_) -> _,
        Tensor::to_vec2::<T> as fn(_) -> _,
        Tensor::to_vec3::<T> as fn(_) -> _,
    );
}

fn of_operators() {
    type Computed = candle_core::Result<Tensor>;
    arithmetic!(Tensor: Tensor, &Tensor, f64, Computed);
    arithmetic!(&Tensor: Tensor, &Tensor, f64, Computed);
}
