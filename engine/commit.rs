//! The commit that a program is built from. It is compiled into the programs, not into the library, so that a new commit does not recompile
//! the library. The Python module includes this file, too.

/// Returns the abbreviated commit: the value of `PARLOUR_COMMIT` at build time if it was set, otherwise the checked-out commit.
pub(crate) fn commit() -> Option<&'static str> {
    option_env!("PARLOUR_COMMIT").filter(|given| !given.is_empty()).or_else(checked_out_commit)
}

/// Returns the last commit of the log that Git keeps in the checkout. `build.rs` finds the log.
#[cfg(has_commit_log)]
fn checked_out_commit() -> Option<&'static str> {
    // Only these bytes become part of the program. The log contains names and addresses.
    static LAST: [u8; LENGTH] = last_commit(include_bytes!(env!("PARLOUR_COMMIT_LOG")));
    std::str::from_utf8(&LAST).ok().filter(|commit| commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns the commit that `build.rs` got from Git; `None` outside of a checkout.
#[cfg(not(has_commit_log))]
fn checked_out_commit() -> Option<&'static str> {
    option_env!("PARLOUR_CHECKED_OUT")
}

/// Number of digits of an abbreviated commit.
#[cfg(has_commit_log)]
const LENGTH: usize = 12;

/// Returns the first digits of the second word in the last line, which is the commit that was checked out last. Returns zero bytes if there
/// is no such word.
#[cfg(has_commit_log)]
const fn last_commit(log: &[u8]) -> [u8; LENGTH] {
    let mut at = log.len().saturating_sub(1);
    while at > 0 && log[at - 1] != b'\n' {
        at -= 1;
    }
    while at < log.len() && log[at] != b' ' {
        at += 1;
    }
    let mut commit = [0; LENGTH];
    let mut digit = 0;
    while digit < LENGTH && at + 1 + digit < log.len() {
        commit[digit] = log[at + 1 + digit];
        digit += 1;
    }
    commit
}
