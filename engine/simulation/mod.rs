//! Many games.
