//! Reads and writes component rows in spreadsheets: CSV files, and the sheets of `.xlsx` and `.ods` workbooks.

mod cell;
mod columns;
mod csv_reader;
mod grid;
#[cfg(feature = "workbooks")]
mod ods_size;
mod rows;
#[cfg(feature = "system")]
mod sheet_writer;
mod workbook;

pub(in crate::loader) use csv_reader::parse_csv;
pub(in crate::loader) use rows::{Target, target};
pub(in crate::loader) use workbook::{cells_of_sheet, sheets};

pub(in crate::loader) use columns::sheets as written;

pub use columns::{CellContent, WrittenSheet};
#[cfg(feature = "system")]
pub use sheet_writer::{ods, xlsx};
