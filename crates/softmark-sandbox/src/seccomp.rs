//! Seccomp filters: which system calls a program may make.
//!
//! There are two policies. The filter of a worker is an allowlist: computing, managing memory and
//! threads, and using the descriptors that are open. A compiler starts the linker and opens files, so
//! its filter is a denylist: calls that reach other processes, the network or rarely used parts of the
//! kernel, or that change file attributes. Landlock and namespaces protect the files themselves. A
//! denylist may have holes (such as the x32 system call numbers, on kernels that have them), which is
//! one reason why student code is only compiled under it and never runs under it.

use std::collections::BTreeMap;
use std::io;

use libc::{c_int, c_long};
use nix::unistd::getpid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// System call number → conditions on its arguments, one of which must hold; none means any arguments.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Flags with which `clone` creates a namespace.
const NAMESPACE_FLAGS: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Flags with which `clone` creates a thread of the same process.
const THREAD_FLAGS: u64 = (libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND) as u64;

/// System calls that a worker may make with any arguments.
const WORKER_ALLOWED: &[c_long] = &[
    // Open descriptors.
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
    // Signals; `worker_rules` allows `tgkill` for `SIGABRT` only.
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
    // Identity and resource usage.
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
    // Start and end. The launcher needs `execveat` to start the worker, and a filter cannot check the
    // path. The worker denies it to itself before any student code runs (`softmark_worker::seal`).
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Legacy system calls that a worker may make; newer architectures do not have them.
#[cfg(target_arch = "x86_64")]
const WORKER_ALLOWED_LEGACY: &[c_long] =
    &[libc::SYS_poll, libc::SYS_dup2, libc::SYS_arch_prctl, libc::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const WORKER_ALLOWED_LEGACY: &[c_long] = &[];

/// System calls that no compiler and no linker needs.
const COMPILER_DENIED: &[c_long] = &[
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
    // The network, and objects that outlive a process.
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
    // Namespaces and mounts.
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
    // File attributes, which Landlock does not protect.
    libc::SYS_truncate,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_mknodat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    // Rarely used parts of the kernel.
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

/// Legacy system calls that no compiler needs; newer architectures do not have them.
#[cfg(target_arch = "x86_64")]
const COMPILER_DENIED_LEGACY: &[c_long] = &[
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
const COMPILER_DENIED_LEGACY: &[c_long] = &[];

/// Commands of `fcntl`, from the kernel's `fcntl.h`.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;

/// Requests of `ioctl`, from the kernel's `ioctls.h`; C libraries do not agree on their type.
const TCGETS: c_int = 0x5401;
const TIOCSTI: c_int = 0x5412;
const TIOCGWINSZ: c_int = 0x5413;
const TIOCLINUX: c_int = 0x541c;

const SIGABRT: u64 = 6;

/// Operation of `seccomp` that adds a filter, from the kernel's `seccomp.h`.
const SECCOMP_SET_MODE_FILTER: u64 = 1;

/// Denied calls fail with `EPERM`.
const DENY: SeccompAction = SeccompAction::Errno(libc::EPERM as u32);

/// Installs the filter of a worker, which may only compute.
///
/// # Errors
///
/// Fails if the kernel does not accept a filter.
pub(crate) fn install_worker_filter() -> io::Result<()> {
    hide_clone3()?;
    install(worker_rules()?, Verdicts { matched: SeccompAction::Allow, otherwise: DENY })
}

/// Installs the filter of a compiler.
///
/// # Errors
///
/// Fails if the kernel does not accept a filter.
pub(crate) fn install_compiler_filter() -> io::Result<()> {
    hide_clone3()?;
    install(compiler_rules()?, Verdicts { matched: DENY, otherwise: SeccompAction::Allow })
}

/// Makes `clone3` fail with `ENOSYS`, so that the C library falls back to `clone`: the flags of
/// `clone3` are in memory, which filters cannot read.
fn hide_clone3() -> io::Result<()> {
    let rules = Rules::from([(number(libc::SYS_clone3), Vec::new())]);
    let matched = SeccompAction::Errno(libc::ENOSYS as u32);
    install(rules, Verdicts { matched, otherwise: SeccompAction::Allow })
}

fn worker_rules() -> io::Result<Rules> {
    let mut rules = unconditional(&[WORKER_ALLOWED, WORKER_ALLOWED_LEGACY]);
    // The filter of `hide_clone3` applies to it.
    rules.insert(number(libc::SYS_clone3), Vec::new());
    let thread = bits_equal(0, THREAD_FLAGS | NAMESPACE_FLAGS, THREAD_FLAGS)?;
    add(&mut rules, libc::SYS_clone, vec![vec![thread]])?;
    // Without an address: to the other end of a connected socket.
    add(&mut rules, libc::SYS_sendto, vec![vec![is_null(4)?]])?;
    // For `abort`. With another signal, or with a lower limit of CPU time, a worker could pretend that
    // it was killed from outside. So limits may be read only.
    add(&mut rules, libc::SYS_tgkill, vec![vec![equals(0, own_pid())?, equals(2, SIGABRT)?]])?;
    add(&mut rules, libc::SYS_prlimit64, vec![vec![equals(0, 0)?, is_null(2)?]])?;
    // For the worker's own second filter, which denies this call and `execveat` from then on.
    add(&mut rules, libc::SYS_seccomp, vec![vec![equals(0, SECCOMP_SET_MODE_FILTER)?]])?;
    let commands = [libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL];
    add(&mut rules, libc::SYS_fcntl, any_of(1, &commands)?)?;
    // For `isatty`.
    add(&mut rules, libc::SYS_ioctl, any_of(1, &[TCGETS, TIOCGWINSZ])?)?;
    // `PR_SET_NO_NEW_PRIVS` is set already, and set once more when a filter is added.
    let options =
        [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS];
    add(&mut rules, libc::SYS_prctl, any_of(0, &options)?)?;
    Ok(rules)
}

fn compiler_rules() -> io::Result<Rules> {
    let mut rules = unconditional(&[COMPILER_DENIED, COMPILER_DENIED_LEGACY]);
    let mut namespaces = Vec::new();
    for flag in (0..u64::BITS).map(|bit| 1 << bit).filter(|flag| NAMESPACE_FLAGS & flag != 0) {
        namespaces.push(vec![bits_equal(0, flag, flag)?]);
    }
    add(&mut rules, libc::SYS_clone, namespaces)?;
    add(&mut rules, libc::SYS_tgkill, vec![vec![differs(0, own_pid())?]])?;
    add(&mut rules, libc::SYS_prlimit64, vec![vec![differs(0, 0)?]])?;
    // These send signals to other processes through a descriptor.
    let commands = [libc::F_SETOWN, F_SETSIG, F_SETOWN_EX];
    add(&mut rules, libc::SYS_fcntl, any_of(1, &commands)?)?;
    // These insert characters into a terminal's input.
    add(&mut rules, libc::SYS_ioctl, any_of(1, &[TIOCSTI, TIOCLINUX])?)?;
    // Times of a file given by its path.
    add(&mut rules, libc::SYS_utimensat, vec![vec![is_not_null(1)?]])?;
    Ok(rules)
}

/// Returns rules that match the given calls with any arguments.
fn unconditional(lists: &[&[c_long]]) -> Rules {
    lists.iter().copied().flatten().map(|call| (number(*call), Vec::new())).collect()
}

/// Adds a call that matches if all conditions of any one of the given lists hold.
fn add(rules: &mut Rules, call: c_long, lists: Vec<Vec<SeccompCondition>>) -> io::Result<()> {
    let lists = lists.into_iter().map(rule).collect::<io::Result<_>>()?;
    rules.insert(number(call), lists);
    Ok(())
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

/// Returns conditions that together match if the argument is one of `values`.
fn any_of(argument: u8, values: &[c_int]) -> io::Result<Vec<Vec<SeccompCondition>>> {
    values
        .iter()
        .map(|value| Ok(vec![equals(argument, u64::from(value.unsigned_abs()))?]))
        .collect()
}

/// Converts a system call number: `c_long` has another size on some architectures.
#[allow(clippy::useless_conversion, clippy::allow_attributes, reason = "it is one here")]
fn number(call: c_long) -> i64 {
    i64::from(call)
}

/// Returns the process id, which the program keeps, because this process becomes the program.
fn own_pid() -> u64 {
    u64::from(getpid().as_raw().unsigned_abs())
}

/// Compares the lower half of an argument: all that the kernel reads of an argument of type `int`.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    let length = SeccompCmpArgLen::Dword;
    SeccompCondition::new(argument, length, operator, value).map_err(io::Error::other)
}

fn equals(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Ne, value)
}

/// Matches if the bits of the argument in `mask` equal `value`.
fn bits_equal(argument: u8, mask: u64, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(mask), value)
}

/// Compares a whole argument, which is a pointer, with null.
fn compare_with_null(argument: u8, operator: SeccompCmpOp) -> io::Result<SeccompCondition> {
    let length = SeccompCmpArgLen::Qword;
    SeccompCondition::new(argument, length, operator, 0).map_err(io::Error::other)
}

fn is_null(argument: u8) -> io::Result<SeccompCondition> {
    compare_with_null(argument, SeccompCmpOp::Eq)
}

fn is_not_null(argument: u8) -> io::Result<SeccompCondition> {
    compare_with_null(argument, SeccompCmpOp::Ne)
}

/// Actions of a filter.
struct Verdicts {
    /// Action for calls that match a rule.
    matched: SeccompAction,
    /// Action for all other calls.
    otherwise: SeccompAction,
}

/// Adds a filter to those of this thread; the kernel applies the strictest result of all filters.
fn install(rules: Rules, verdicts: Verdicts) -> io::Result<()> {
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let Verdicts { matched, otherwise } = verdicts;
    let filter = SeccompFilter::new(rules, otherwise, matched, architecture);
    let program = BpfProgram::try_from(filter.map_err(io::Error::other)?);
    apply_filter(&program.map_err(io::Error::other)?).map_err(io::Error::other)
}
