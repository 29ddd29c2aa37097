//! Features that only Unix has, with replacements for other systems: process groups, which make all processes of an agent program end with
//! it, and files that other users cannot read. Also starts all threads, because their stack must be large enough for rules and faces.

#[cfg(feature = "system")]
use cap_std::fs::OpenOptions;
#[cfg(feature = "system")]
use std::fs::DirBuilder;
#[cfg(feature = "web")]
use std::fs::Metadata;
#[cfg(feature = "web")]
use std::path::PathBuf;
use std::process::Command;
use std::thread::Builder;

/// Stack size of every thread in bytes. Rules and faces are parsed, checked and run recursively. On a default stack (2 MB, and 1 MB for
/// the main thread on Windows), a long chain within the limits of the language would abort the process and all of its games. Memory is
/// only used for the part of a stack that has been reached.
pub(crate) const STACK: usize = 64 << 20;

/// Returns a builder for a thread with a large stack.
pub(crate) fn thread(name: impl Into<String>) -> Builder {
    Builder::new().name(name.into()).stack_size(STACK)
}

/// Runs a function on a thread with a large stack and returns its result. Panics of the function continue in the caller.
///
/// # Errors
/// Returns the operating system's reason if the thread cannot be started.
#[cfg(feature = "system")]
pub(crate) fn with_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = thread("parlour").spawn_scoped(scope, run)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Starts a program in its own process group. Ctrl-C then reaches only the engine, which ends the program itself.
#[cfg(all(unix, feature = "system"))]
pub(crate) fn start_own_group(program: &mut Command) {
    std::os::unix::process::CommandExt::process_group(program, 0);
}

/// Kills a process group.
#[cfg(all(unix, feature = "system"))]
pub(crate) fn end_group(number: u32) {
    if let Some(group) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) {
        // The group may have ended already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Does nothing on systems without process groups: the program gets the same signals as the engine.
#[cfg(not(all(unix, feature = "system")))]
pub(crate) fn start_own_group(_program: &mut Command) {}

/// Does nothing on systems without process groups: the caller ends the program by its handle.
#[cfg(not(all(unix, feature = "system")))]
pub(crate) fn end_group(_number: u32) {}

/// Returns the memory of the machine in bytes, or the limit in `/sys/fs/cgroup/memory.max` if that is lower, as in a container. Returns
/// `None` if the system does not report its memory.
#[cfg(target_os = "linux")]
pub(crate) fn memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)?;
    let group_limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group_limit = group_limit.and_then(|text| text.trim().parse::<u64>().ok());
    Some(group_limit.map_or(all, |most| most.min(all)))
}

/// Returns `None`, because the memory is only known on Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory() -> Option<u64> {
    None
}

/// Returns the folder for state that the program keeps for the user. Returns `None` if the environment does not name the user's folders.
#[cfg(feature = "web")]
pub(crate) fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let all = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))
    };
    all.map(|all| all.join("parlour"))
}

/// Makes new files inaccessible to other users.
#[cfg(all(unix, feature = "system"))]
pub(crate) fn make_private(options: &mut OpenOptions) {
    cap_std::fs::OpenOptionsExt::mode(options, 0o600);
}

/// Owner and access rights of a file.
#[cfg(feature = "web")]
pub(crate) struct Access {
    /// Whether the file belongs to the user of this process.
    pub(crate) is_own: bool,
    /// Whether other users can read the file.
    pub(crate) others_read: bool,
    /// Whether other users can write the file.
    pub(crate) others_write: bool,
}

/// Returns the owner and access rights of a file.
#[cfg(all(unix, feature = "web"))]
pub(crate) fn access(found: &Metadata) -> Access {
    use std::os::unix::fs::MetadataExt;
    Access {
        is_own: found.uid() == rustix::process::geteuid().as_raw(),
        others_read: found.mode() & 0o044 != 0,
        others_write: found.mode() & 0o022 != 0,
    }
}

/// Reports every file as accessible to the user alone, because access rights on other systems depend on the folder.
#[cfg(all(not(unix), feature = "web"))]
pub(crate) fn access(_found: &Metadata) -> Access {
    Access { is_own: true, others_read: false, others_write: false }
}

/// Does nothing, because access rights on other systems depend on the folder.
#[cfg(all(not(unix), feature = "system"))]
pub(crate) fn make_private(_options: &mut OpenOptions) {}

/// Returns a builder for folders that other users cannot enter.
#[cfg(all(unix, feature = "system"))]
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Returns a plain builder, because access rights on other systems depend on the parent folder.
#[cfg(all(not(unix), feature = "system"))]
pub(crate) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}
