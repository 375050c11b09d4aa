//! The list minimisers, one file each. All are faithful to their papers under the papers' names;
//! our own carry names of their own.

mod active_coarsen;
mod cdd;
mod ddmin;
mod dfs;
mod opdd;
mod probdd;
mod splitting;
mod wddmin;
mod wprobdd;

pub use active_coarsen::ActiveCoarsen;
pub use cdd::Cdd;
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Split};
pub use dfs::Dfs;
pub use opdd::Opdd;
pub use probdd::{ProbDd, TieOrder};
pub use splitting::{Direction, Splitting, SplittingOptions};
pub use wddmin::{SplitTie, Wddmin};
pub use wprobdd::WProbDd;
