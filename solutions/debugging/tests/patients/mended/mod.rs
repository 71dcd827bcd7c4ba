//! Each patient with its one line mended.

pub(crate) mod p01;
pub(crate) mod p02;
pub(crate) mod p03;
pub(crate) mod p04;
pub(crate) mod p05;
pub(crate) mod p06;
pub(crate) mod p07;
pub(crate) mod p08;
pub(crate) mod p09;
pub(crate) mod p10;
pub(crate) mod p11;
