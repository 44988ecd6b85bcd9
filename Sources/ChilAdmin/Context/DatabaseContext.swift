import ChilDatabase

/// A database by the name that an operator gave it, and how careful one is there.
struct DatabaseContext: Equatable, Sendable {
    let name: ContextName
    /// A libpq address: a URL, `service=NAME`, or `host=… dbname=…`. Never with a password.
    let database: String
    var isReadOnly = false
    var colour = TerminalColour.none
    var keyFile: String?
    var publicURL: String?

    /// One line for standard error, before something is changed there.
    func banner(_ style: Style) -> String {
        let how = isReadOnly ? ", read-only" : ""
        return style.painted("context \(name.text)", colour) + "\(how)\n"
    }

    /// nil: it may be kept.
    static func complaint(about database: String) -> String? {
        let address = DatabaseAddress(database)
        if let fault = address.fault { return "the address \(fault)" }
        return address.hasPassword ? "there is a password in the address" : nil
    }
}
