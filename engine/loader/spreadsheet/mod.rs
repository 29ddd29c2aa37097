//! Rows of components in spreadsheets: CSV files, and the sheets of `.xlsx` and `.ods` files; read, and written.

mod cell;
mod columns;
mod comma;
mod grid;
#[cfg(feature = "workbooks")]
mod repeated;
mod rows;
mod workbook;
#[cfg(feature = "system")]
mod written;

pub(in crate::loader) use comma::comma_separated;
pub(in crate::loader) use rows::{Target, target};
pub(in crate::loader) use workbook::{cells_of_sheet, sheets};

pub(in crate::loader) use columns::sheets as written;

pub use columns::{Filled, WrittenSheet};
#[cfg(feature = "system")]
pub use written::{ods, xlsx};
