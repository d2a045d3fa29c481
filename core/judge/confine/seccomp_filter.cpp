// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/seccomp_filter.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <utility>

// A list of what is refused rather than of what is allowed: a GPU runtime and a compiler use a wide and changing set of
// calls, and the namespaces (or Landlock) already decide about files and the network. What is refused here is what
// reaches round those: other processes, new namespaces, and the parts of the kernel that ordinary computing never needs
// and exploits are made of.
namespace gks {
namespace {

constexpr std::array refusedCalls = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "kcmp",
    // leaving the process group, which is what gets killed
    "setsid", "setpgid",
    // mounts and namespaces
    "mount", "umount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    "pivot_root", "chroot", "unshare", "setns", "name_to_handle_at", "open_by_handle_at",
    // kernel surface
    "bpf", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "perf_event_open", "keyctl",
    "add_key", "request_key", "fanotify_init", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "sethostname",
    "setdomainname", "iopl", "ioperm", "modify_ldt", "vhangup", "clock_settime", "settimeofday", "stime", "adjtimex",
    "clock_adjtime", "lookup_dcookie", "nfsservctl", "uselib", "_sysctl",
    // memory that outlives the process and no limit counts
    "shmget", "shmat", "semget", "msgget", "mq_open"};

// The network, in whatever form; see also addRules.
constexpr std::array networkCalls = {"socketpair", "connect", "accept", "accept4", "socketcall"};

constexpr std::array namespaceFlags = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,   CLONE_NEWUSER,
                                       CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP};

class Filter {
public:
    Filter() : m_context(seccomp_init(SCMP_ACT_ALLOW)), m_error(m_context != nullptr ? 0 : -ENOMEM) {}
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;
    ~Filter() { seccomp_release(m_context); }

    // A call that this architecture does not have, or that libseccomp is too old to know, needs no rule.
    template<class... Conditions>
    void refuse(const char* call, int errorNumber, Conditions... conditions) {
        const int number = seccomp_syscall_resolve_name(call);
        if (m_error == 0 && number >= 0) {
            m_error = seccomp_rule_add(m_context, SCMP_ACT_ERRNO(static_cast<unsigned>(errorNumber)), number,
                                       sizeof...(conditions), conditions...);
        }
    }
    int error() const { return m_error; }
    scmp_filter_ctx context() const { return m_context; }

private:
    scmp_filter_ctx m_context;
    int m_error;
};

scmp_arg_cmp differs(unsigned argument, scmp_datum_t value) {
    return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp masked(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

// SIGKILL at a program behind the wall has to come from outside of it: then an evaluation is tried again and the kernel
// is not charged. So a kernel must have no way to end itself like that. A status of 128 + SIGKILL is what bubblewrap
// says of a program that was killed; whoever asks for it goes on, and the C library then ends it by SIGSEGV.
void refuseKillingItself(Filter& filter, const SeccompRules& rules) {
    for (const auto& [call, argument] :
         {std::pair("kill", 1U), std::pair("tkill", 1U), std::pair("rt_sigqueueinfo", 1U), std::pair("tgkill", 2U),
          std::pair("rt_tgsigqueueinfo", 2U)}) {
        filter.refuse(call, EPERM, masked(argument, 0xffffffffU, SIGKILL));
    }
    filter.refuse("fcntl", EPERM, masked(1, 0xffffffffU, F_SETSIG), masked(2, 0xffffffffU, SIGKILL));
    // Strict mode ends the process at its next call, a hard limit of processor time when it is reached.
    filter.refuse("prctl", EPERM, masked(0, 0xffffffffU, PR_SET_SECCOMP), masked(1, 0xffffffffU, SECCOMP_MODE_STRICT));
    filter.refuse("seccomp", EPERM, masked(0, 0xffffffffU, SECCOMP_SET_MODE_STRICT));
    filter.refuse("setrlimit", EPERM, masked(0, 0xffffffffU, RLIMIT_CPU));
    filter.refuse("prlimit64", EPERM, masked(1, 0xffffffffU, RLIMIT_CPU), differs(2, 0));
    if (rules.mayStartProcesses) {
        return; // a compiler runs nothing of the kernel, and says by this status that a process of its own was killed
    }
    if (!rules.mayListenLocally) {            // a GPU's driver may need it; there the scan of symbols has to do
        filter.refuse("timer_create", EPERM); // its signal lies in memory, where a filter cannot look
    }
    for (const char* call : {"exit", "exit_group"}) {
        filter.refuse(call, EPERM, masked(0, 0xffU, 128 + SIGKILL));
    }
}

void refuseNetwork(Filter& filter, const SeccompRules& rules) {
    for (const char* call : networkCalls) {
        filter.refuse(call, EPERM);
    }
    if (rules.mayListenLocally) {
        filter.refuse("socket", EPERM, differs(0, AF_UNIX));
        return;
    }
    for (const char* call : {"socket", "bind", "listen"}) {
        filter.refuse(call, EPERM);
    }
}

void addRules(Filter& filter, const SeccompRules& rules) {
    for (const char* call : refusedCalls) {
        filter.refuse(call, EPERM);
    }
    if (rules.mayTalkInside) {
        filter.refuse("socket", EPERM, masked(0, 0xffffffffU, AF_NETLINK));
    } else {
        refuseNetwork(filter, rules);
    }
    // The flags of clone3 lie in memory, where a filter cannot look; glibc falls back to clone.
    filter.refuse("clone3", ENOSYS);
    if (rules.mayStartProcesses) {
        for (const int flag : namespaceFlags) {
            filter.refuse("clone", EPERM, masked(0, static_cast<scmp_datum_t>(flag), static_cast<scmp_datum_t>(flag)));
        }
    } else {
        filter.refuse("clone", EPERM, masked(0, CLONE_THREAD, 0));
        filter.refuse("fork", EPERM);
        filter.refuse("vfork", EPERM);
    }
    // The launcher and bubblewrap are in the process group as well.
    filter.refuse("kill", EPERM, masked(0, 0xffffffffU, 0));
    refuseKillingItself(filter, rules);
    // Only the low 32 bits reach the ioctl, so only they are compared.
    filter.refuse("ioctl", EPERM, masked(1, 0xffffffffU, TIOCSTI)); // pushes keys into the terminal
    filter.refuse("ioctl", EPERM, masked(1, 0xffffffffU, 0x541c));  // TIOCLINUX, likewise
    if (rules.confinedPid == 0) {
        return;
    }
    const auto self = static_cast<scmp_datum_t>(rules.confinedPid);
    filter.refuse("tkill", EPERM);
    filter.refuse("rt_sigqueueinfo", EPERM, differs(0, self));
    filter.refuse("prlimit64", EPERM, differs(0, 0));
    if (rules.mayStartProcesses) {
        filter.refuse("kill",
                      EPERM); // a compiler's children abort through tgkill, whose target differs for each of them
    } else {
        filter.refuse("kill", EPERM, differs(0, self));
        filter.refuse("tgkill", EPERM, differs(0, self));
        filter.refuse("rt_tgsigqueueinfo", EPERM, differs(0, self));
    }
}

} // namespace

int writeSeccompFilter(const SeccompRules& rules, int descriptor) {
    Filter filter;
    addRules(filter, rules);
    return filter.error() != 0 ? filter.error() : seccomp_export_bpf(filter.context(), descriptor);
}

int loadSeccompFilter(const SeccompRules& rules) {
    Filter filter;
    addRules(filter, rules);
    return filter.error() != 0 ? filter.error() : seccomp_load(filter.context());
}

} // namespace gks
