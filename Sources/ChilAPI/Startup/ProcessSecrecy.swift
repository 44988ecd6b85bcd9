import CLinux
import Glibc

/// Keeps the process's memory, which has the keys of all tenants, from other processes of its user and out of core files.
enum ProcessSecrecy {
    /// prctl(2), PR_SET_DUMPABLE: no core, wherever cores are sent, and only root may look into /proc/PID/mem or trace it.
    /// The limit besides is for who looks at it (`RLIMIT_CORE`, getrlimit(2)).
    static func begin() {
        chil_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
