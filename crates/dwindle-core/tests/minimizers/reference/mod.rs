//! The algorithms as their papers print them: blocking, on plain lists, without a thought for
//! speed. What a machine asks is compared with what these ask.

mod active_coarsen;
mod cdd;
mod ddmin;
mod dfs;
mod fixed;
mod list;
mod one_by_one;
mod opdd;
mod probdd;
mod splitting;
mod wddmin;
mod wprobdd;

pub(crate) use active_coarsen::check_samples;
pub(crate) use cdd::{cdd, cdd_sizes};
pub(crate) use ddmin::ddmin;
pub(crate) use dfs::dfs;
pub(crate) use list::Test;
pub(crate) use one_by_one::one_by_one;
pub(crate) use opdd::opdd;
pub(crate) use probdd::{check_selections, probdd};
pub(crate) use splitting::splitting;
pub(crate) use wddmin::wddmin;
pub(crate) use wprobdd::wprobdd;
