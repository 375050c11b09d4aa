//! The list minimisers, one file each. All are faithful to their papers under the papers' names;
//! our own carry names of their own.

pub mod active_coarsen;
pub mod cdd;
pub mod ddmin;
pub mod dfs;
#[cfg(test)]
mod golden;
pub mod one_by_one;
pub mod opdd;
pub mod probdd;
pub mod splitting;
pub mod wddmin;
pub mod wprobdd;

pub use active_coarsen::ActiveCoarsen;
pub use cdd::Cdd;
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Order, Split};
pub use dfs::Dfs;
pub use one_by_one::OneByOne;
pub use opdd::Opdd;
pub use probdd::{ProbDd, TieOrder};
pub use splitting::Splitting;
pub use wddmin::{SplitTie, Wddmin};
pub use wprobdd::WProbDd;
