//! The `--memory` argument: memory limit for games played concurrently.

use super::output::Failure;
use crate::session::MAX_MEMORY;
use crate::system;
use clap::Args;

/// Memory in bytes that is assumed if the system does not report its size.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Memory that the games of a command may take together.
#[derive(Args, Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    /// Memory that all games together may take, such as `2GB`. A single game may take 256 MB, so this limits how many are played
    /// at the same time; results do not change [default: half of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
}

impl Memory {
    /// Returns the number of concurrent games that fit into the memory limit; at least one.
    pub(super) fn games(self) -> usize {
        let bytes = self.memory.unwrap_or_else(|| system::memory().unwrap_or(DEFAULT_MEMORY) / 2);
        usize::try_from(bytes / MAX_MEMORY as u64).unwrap_or(usize::MAX).max(1)
    }

    /// Limits the global thread pool to the number of games that fit into memory. Must be called once, before anything is played.
    pub(super) fn limit_threads(self) -> Result<(), Failure> {
        let threads = processors().min(self.games());
        let built = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(system::STACK).build_global();
        built.map_err(|error| Failure::Usage(format!("no threads can be started: {error}"), None))
    }

    /// Returns the number of concurrent games: as many as requested or as there are processors, limited by memory.
    pub(super) fn jobs(self, asked: Option<u16>) -> usize {
        asked.map_or_else(processors, usize::from).min(self.games())
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Parses a memory size with a unit, such as `2GB`, into bytes. Fails if it is too small for a single game.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match text[digits.len()..].trim().to_ascii_uppercase().as_str() {
        "MB" | "M" | "MIB" => 20,
        "GB" | "G" | "GIB" => 30,
        _ => return Err("write a size such as `512MB` or `2GB`".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "write a size such as `512MB` or `2GB`".to_owned())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(|| "this is more than any machine has".to_owned())?;
    if bytes < MAX_MEMORY as u64 {
        return Err(format!("one game may take {} MB: give at least that", MAX_MEMORY >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Memory, size};

    #[test]
    fn sizes_have_a_unit_and_a_minimum() {
        assert_eq!((size("512MB"), size(" 2 gb ")), (Ok(512 << 20), Ok(2 << 30)));
        assert!(size("12").is_err() && size("GB").is_err() && size("1MB").unwrap_err().contains("at least"));
        assert!(size("99999999999999999999GB").is_err() && size("99999999999GB").is_err());
    }

    #[test]
    fn memory_limits_the_number_of_concurrent_games() {
        let with = |memory: u64| Memory { memory: Some(memory) };
        assert_eq!((with(1 << 30).games(), with(256 << 20).games()), (4, 1));
        assert_eq!((with(512 << 20).jobs(Some(8)), with(1 << 34).jobs(Some(8))), (2, 8));
    }
}
