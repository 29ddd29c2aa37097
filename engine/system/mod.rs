//! What the engine has on Unix alone, and what stands for it elsewhere: groups of programs, so that what a program that plays has started
//! ends with it, and files that nobody else may read.

use cap_std::fs::OpenOptions;
use std::fs::DirBuilder;
#[cfg(feature = "web")]
use std::fs::Metadata;
use std::process::Command;

/// Lets a program begin a group of its own: Ctrl-C reaches the engine alone, which then ends the program.
#[cfg(unix)]
pub(crate) fn apart(program: &mut Command) {
    std::os::unix::process::CommandExt::process_group(program, 0);
}

/// Ends a program and what it has started.
#[cfg(unix)]
pub(crate) fn end_group(number: u32) {
    if let Some(group) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) {
        // There may be nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Where there are no groups, a program shares its signals with the engine, which has started it.
#[cfg(not(unix))]
pub(crate) fn apart(_program: &mut Command) {}

/// Where there are no groups, the program itself is ended by its own handle.
#[cfg(not(unix))]
pub(crate) fn end_group(_number: u32) {}

/// Bytes of memory that the machine has, or that the process's group of processes may take where that is less; `None` where the
/// system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)?;
    let of_group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let of_group = of_group.and_then(|text| text.trim().parse::<u64>().ok());
    Some(of_group.map_or(all, |most| most.min(all)))
}

/// Elsewhere nothing that is used here says it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory() -> Option<u64> {
    None
}

/// Lets nobody else on the machine read a file that is made so.
#[cfg(unix)]
pub(crate) fn private(options: &mut OpenOptions) {
    cap_std::fs::OpenOptionsExt::mode(options, 0o600);
}

/// What the owner and the mode of a file allow.
#[cfg(feature = "web")]
pub(crate) struct Access {
    /// Whether the file belongs to the user that runs the program.
    pub(crate) is_own: bool,
    /// Whether other users can read it.
    pub(crate) others_read: bool,
    /// Whether other users can write it.
    pub(crate) others_write: bool,
}

/// Returns what the owner and the mode of a file allow.
#[cfg(all(unix, feature = "web"))]
pub(crate) fn access(found: &Metadata) -> Access {
    use std::os::unix::fs::MetadataExt;
    Access {
        is_own: found.uid() == rustix::process::geteuid().as_raw(),
        others_read: found.mode() & 0o044 != 0,
        others_write: found.mode() & 0o022 != 0,
    }
}

/// Elsewhere the folder of a file says who can use it.
#[cfg(all(not(unix), feature = "web"))]
pub(crate) fn access(_found: &Metadata) -> Access {
    Access { is_own: true, others_read: false, others_write: false }
}

/// Elsewhere who may read a file goes by its folder.
#[cfg(not(unix))]
pub(crate) fn private(_options: &mut OpenOptions) {}

/// Makes folders that nobody else on the machine may enter.
#[cfg(unix)]
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Elsewhere who may enter a folder goes by the folder that it lies in.
#[cfg(not(unix))]
pub(crate) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}
