//! The system calls that a program may make.
//!
//! Two policies. A worker is told what it may do: compute, keep memory and threads, use the
//! descriptors that it has. A compiler has to start the linker and open files, so it is told what it
//! may not: what reaches other processes, the network, the kernel's rarer corners, or the attributes
//! of files. Landlock and name spaces keep it from the files themselves. A list of what is refused
//! can have holes (such as the x32 numbers, where a kernel has them), which is one reason why no
//! code of a student's ever runs under it: it is compiled there, and that is all.

use std::collections::BTreeMap;
use std::io;

use libc::{c_int, c_long};
use nix::unistd::getpid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// A call, and the arguments with which it is meant; with any where there are none.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Flags of `clone` that make another process, or a name space: all but those that every thread is
/// made with.
const NAME_SPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Flags with which `clone` makes a thread of the same process.
const THREAD: u64 = (libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND) as u64;

/// What a program that only computes needs.
const COMPUTING: &[c_long] = &[
    // What it has open.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_recvfrom,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_ppoll,
    libc::SYS_dup,
    libc::SYS_dup3,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_membarrier,
    // Threads.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    // Signals to itself; see `rules_of_a_worker` for `tgkill`, which sends one alone.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Clocks.
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    // What it is.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getrusage,
    libc::SYS_getcpu,
    libc::SYS_uname,
    libc::SYS_getrandom,
    // To begin and to end. A worker refuses itself `execveat` before any of the student's code runs
    // (`softmark_worker::seal`): its own start needs it, and no filter sees which path is meant.
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The same, as older machines call it.
#[cfg(target_arch = "x86_64")]
const COMPUTING_TOO: &[c_long] =
    &[libc::SYS_poll, libc::SYS_dup2, libc::SYS_arch_prctl, libc::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const COMPUTING_TOO: &[c_long] = &[];

/// What no compiler and no linker needs.
const HOSTILE: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_kcmp,
    libc::SYS_setpriority,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // The network, and what outlives a process.
    libc::SYS_socket,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_memfd_create,
    // Name spaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_fanotify_init,
    // What files are, which Landlock does not guard.
    libc::SYS_truncate,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_mknodat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    // The kernel's rarer corners.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
    libc::SYS_vhangup,
];

/// The same, as older machines call it.
#[cfg(target_arch = "x86_64")]
const HOSTILE_TOO: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_mknod,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_modify_ldt,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const HOSTILE_TOO: &[c_long] = &[];

/// From the kernel's `fcntl.h`.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;

/// `SIGABRT`.
const ABORT: u64 = 6;

/// `SECCOMP_SET_MODE_FILTER`, from the kernel's `seccomp.h`.
const SET_FILTER: u64 = 1;

/// What is refused is refused with this, as if the user were not allowed to.
const REFUSED: SeccompAction = SeccompAction::Errno(libc::EPERM as u32);

/// Lets this process compute, and nothing else.
///
/// # Errors
///
/// When the kernel takes no filter.
pub(crate) fn only_computing() -> io::Result<()> {
    without_clone3()?;
    install(rules_of_a_worker()?, REFUSED, SeccompAction::Allow)
}

/// Lets this process do what a compiler does.
///
/// # Errors
///
/// When the kernel takes no filter.
pub(crate) fn only_compiling() -> io::Result<()> {
    without_clone3()?;
    install(rules_against_a_compiler()?, SeccompAction::Allow, REFUSED)
}

/// Says that there is no `clone3`: its flags lie in memory, where no filter sees them. The C library
/// then makes threads and processes by `clone`.
fn without_clone3() -> io::Result<()> {
    let rules = Rules::from([(number(libc::SYS_clone3), Vec::new())]);
    install(rules, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))
}

fn rules_of_a_worker() -> io::Result<Rules> {
    let mut rules: Rules =
        COMPUTING.iter().chain(COMPUTING_TOO).map(|call| (number(*call), Vec::new())).collect();
    let mut allow = |call: c_long, conditions: Vec<Vec<SeccompCondition>>| -> io::Result<()> {
        rules.insert(number(call), conditions.into_iter().map(rule).collect::<io::Result<_>>()?);
        Ok(())
    };
    // The other filter has the last word on it.
    allow(libc::SYS_clone3, Vec::new())?;
    allow(libc::SYS_clone, vec![vec![bits(0, THREAD | NAME_SPACES, THREAD)?]])?;
    // Without an address it goes to whom the channel leads to.
    allow(libc::SYS_sendto, vec![vec![pointer(4, SeccompCmpOp::Eq)?]])?;
    // To abort. With any other signal it could end itself as if somebody else had ended it, and so it
    // could with a lower limit of processor time: limits may be read.
    allow(libc::SYS_tgkill, vec![vec![is(0, own_pid())?, is(2, ABORT)?]])?;
    allow(libc::SYS_prlimit64, vec![vec![is(0, 0)?, pointer(2, SeccompCmpOp::Eq)?]])?;
    // To add a filter: the worker's own, which refuses both from then on.
    allow(libc::SYS_seccomp, vec![vec![is(0, SET_FILTER)?]])?;
    let commands = [libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL];
    let commands = commands.map(|command| Ok(vec![is(1, u64::from(command.unsigned_abs()))?]));
    allow(libc::SYS_fcntl, commands.into_iter().collect::<io::Result<_>>()?)?;
    // Whether it is a terminal.
    allow(libc::SYS_ioctl, vec![vec![is(1, libc::TCGETS)?], vec![is(1, libc::TIOCGWINSZ)?]])?;
    // The last one is set already; who adds a filter sets it once more.
    let names = [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS];
    let names = names.map(|name| Ok(vec![is(0, u64::from(name.unsigned_abs()))?]));
    allow(libc::SYS_prctl, names.into_iter().collect::<io::Result<_>>()?)?;
    Ok(rules)
}

fn rules_against_a_compiler() -> io::Result<Rules> {
    let mut rules: Rules =
        HOSTILE.iter().chain(HOSTILE_TOO).map(|call| (number(*call), Vec::new())).collect();
    let mut refuse = |call: c_long, conditions: Vec<Vec<SeccompCondition>>| -> io::Result<()> {
        rules.insert(number(call), conditions.into_iter().map(rule).collect::<io::Result<_>>()?);
        Ok(())
    };
    let spaces = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| NAME_SPACES & bit != 0);
    refuse(
        libc::SYS_clone,
        spaces.map(|bit| Ok(vec![bits(0, bit, bit)?])).collect::<io::Result<_>>()?,
    )?;
    refuse(libc::SYS_tgkill, vec![vec![is_not(0, own_pid())?]])?;
    refuse(libc::SYS_prlimit64, vec![vec![is_not(0, 0)?]])?;
    // Signals to others by way of a descriptor; characters put into a terminal.
    let commands = [libc::F_SETOWN, F_SETSIG, F_SETOWN_EX];
    let commands = commands.map(|command| Ok(vec![is(1, u64::from(command.unsigned_abs()))?]));
    refuse(libc::SYS_fcntl, commands.into_iter().collect::<io::Result<_>>()?)?;
    refuse(libc::SYS_ioctl, vec![vec![is(1, libc::TIOCSTI)?], vec![is(1, libc::TIOCLINUX)?]])?;
    // The times of a file that has a name.
    refuse(libc::SYS_utimensat, vec![vec![pointer(1, SeccompCmpOp::Ne)?]])?;
    Ok(rules)
}

/// `c_long` has another size on other machines.
#[allow(clippy::useless_conversion, clippy::allow_attributes, reason = "it is one here")]
fn number(call: c_long) -> i64 {
    i64::from(call)
}

/// The filter is for the program that this process becomes: under the same number.
fn own_pid() -> u64 {
    u64::from(getpid().as_raw().unsigned_abs())
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

/// The lower half of an argument, which is all that the kernel looks at where it takes an `int`.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    let length = SeccompCmpArgLen::Dword;
    SeccompCondition::new(argument, length, operator, value).map_err(io::Error::other)
}

/// How an argument compares to no address at all.
fn pointer(argument: u8, operator: SeccompCmpOp) -> io::Result<SeccompCondition> {
    let length = SeccompCmpArgLen::Qword;
    SeccompCondition::new(argument, length, operator, 0).map_err(io::Error::other)
}

fn is(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Ne, value)
}

/// Whether the argument's bits in `mask` are `value`.
fn bits(argument: u8, mask: u64, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(mask), value)
}

/// Adds a filter to this thread's; of several filters' answers the strictest counts.
fn install(rules: Rules, otherwise: SeccompAction, matched: SeccompAction) -> io::Result<()> {
    let machine = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter =
        SeccompFilter::new(rules, otherwise, matched, machine).map_err(io::Error::other)?;
    let program = BpfProgram::try_from(filter).map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}
