internal import Glibc

/// The kernel refused something that a loop needs.
package struct LoopError: Error, CustomStringConvertible {
    /// The system call, as in its man page.
    package let call: String
    /// errno(3).
    package let code: Int32
    /// What to do about it.
    package let remedy: String

    static func system(_ call: String, _ code: Int32) -> Self {
        let remedy =
            switch code {
            case EADDRINUSE: "another program listens there: stop it or choose another port"
            case EADDRNOTAVAIL: "this machine has no such address: listen on one that it has"
            case EACCES, EPERM: "choose a port over 1023, or give the program the right to bind it"
            case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
            default: "see errno(3)"
            }
        return Self(call: call, code: code, remedy: remedy)
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code))); \(remedy)"
    }
}
