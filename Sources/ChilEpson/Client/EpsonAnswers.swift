package import ChilHTTP
package import ChilPrint

/// What Epson Connect says of a printer.
package struct EpsonDevice: Hashable, Sendable {
    package let model: String?
    package let serial: String?
    /// Whether the printer is at the service now: it is switched on and has a network.
    package let isConnected: Bool
}

/// A job that is made: nothing is printed yet.
package struct EpsonJob: Sendable {
    package let id: RemoteJobID
    /// Where its page is uploaded.
    package let upload: HTTPURL
}

/// What Epson Connect says of a job.
package struct EpsonJobReport: Hashable, Sendable {
    package let status: String
    /// Of generation 1.
    package let reason: String?
    package let name: String?
    /// 0 unless it is completed.
    package let totalPages: Int64?
}

/// Where a printer can send what it scans.
package struct EpsonDestination: Hashable, Sendable {
    package let id: String
    package let alias: String
    package let destination: String
}
