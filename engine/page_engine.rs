//! The engine for pages (`parlour export`), compressed, if `PARLOUR_PAGE` named its file when the program was built (`build.rs`). Like the
//! commit, it is compiled into the programs, not into the library, and the Python module includes this file, too.

/// The compressed engine; `None` if the program was built without it.
#[cfg(has_page_engine)]
pub(crate) const PAGE_ENGINE: Option<&[u8]> = Some(include_bytes!(env!("PARLOUR_PAGE_ENGINE")));

/// The compressed engine; `None` if the program was built without it.
#[cfg(not(has_page_engine))]
pub(crate) const PAGE_ENGINE: Option<&[u8]> = None;
