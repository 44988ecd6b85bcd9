/// Why a command did not do its job: the exit status, what happened, and what to do about it.
///
/// Texts may quote names from the database or the command line; the console cleans them when it writes.
struct AdminFault: Error, Equatable, CustomStringConvertible {
    let status: ExitCode
    let message: String
    /// What the operator does next, as a sentence.
    let remedy: String

    init(_ status: ExitCode, _ message: String, remedy: String) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    var description: String { "\(message)\n\(remedy)" }
}

extension AdminFault {
    static func noSuchTenant(_ slug: String) -> Self {
        Self(.notFound, "no tenant '\(slug)'", remedy: "`chiladmin tenant list` shows the tenants.")
    }

    static func noSuchClient(_ clientID: String, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no client id '\(clientID)'",
            remedy: "`chiladmin client list \(tenant)` shows its client ids."
        )
    }

    static func noSuchScanner(_ name: String, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no scanner '\(name)'",
            remedy: "`chiladmin scanner list \(tenant)` shows its scanners."
        )
    }

    static func noSuchPrinter(_ name: String, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no printer '\(name)'",
            remedy: "`chiladmin printer list \(tenant)` shows its printers."
        )
    }

    static func missingSetting(_ name: String, because reason: String) -> Self {
        Self(.configuration, "\(name) is not set", remedy: reason)
    }
}
