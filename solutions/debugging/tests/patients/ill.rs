//! Each patient as the assignment has it.

#[path = "../../../../assignments/debugging/examples/patients/p01.rs"]
pub(crate) mod p01;

#[path = "../../../../assignments/debugging/examples/patients/p02.rs"]
pub(crate) mod p02;

#[path = "../../../../assignments/debugging/examples/patients/p03.rs"]
pub(crate) mod p03;

#[path = "../../../../assignments/debugging/examples/patients/p04.rs"]
pub(crate) mod p04;

#[path = "../../../../assignments/debugging/examples/patients/p05.rs"]
pub(crate) mod p05;

#[path = "../../../../assignments/debugging/examples/patients/p06.rs"]
pub(crate) mod p06;

#[path = "../../../../assignments/debugging/examples/patients/p07.rs"]
pub(crate) mod p07;

#[path = "../../../../assignments/debugging/examples/patients/p08.rs"]
pub(crate) mod p08;

#[path = "../../../../assignments/debugging/examples/patients/p09.rs"]
pub(crate) mod p09;

#[path = "../../../../assignments/debugging/examples/patients/p10.rs"]
pub(crate) mod p10;

#[path = "../../../../assignments/debugging/examples/patients/p11.rs"]
pub(crate) mod p11;
