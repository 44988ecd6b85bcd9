import ChilStore

/// Which provider record of a tenant is meant, where it has several.
struct ProviderChoice: Equatable, Sendable {
    let issuer: WebAddress?
    let clientID: ClientID?

    static let issuerFlag = CommandGuide.Flag.flag(
        "--for-issuer",
        "URL",
        "the record that accepts this iss, where the tenant has several"
    )

    /// The one record that fits.
    func pick(_ providers: [ProviderRecord], of slug: String) throws(AdminFault) -> ProviderRecord {
        guard !providers.isEmpty else {
            throw AdminFault(
                .notFound,
                "tenant '\(slug)' has no provider record",
                remedy: "`chiladmin client add \(slug) --client-id ID` makes one."
            )
        }
        var fitting = providers
        if let clientID {
            fitting = fitting.filter { $0.clientIDs.contains(clientID.text) }
            if fitting.isEmpty { throw .noSuchClient(clientID.text, tenant: slug) }
        }
        if let issuer {
            fitting = fitting.filter { $0.issuers.contains(issuer.text) }
            if fitting.isEmpty {
                throw AdminFault(
                    .notFound,
                    "no such record of tenant '\(slug)' accepts '\(issuer.text)'",
                    remedy: "`chiladmin client list \(slug)` shows their issuers."
                )
            }
        }
        guard fitting.count == 1, let picked = fitting.first else {
            throw AdminFault(
                .dataRefused,
                "tenant '\(slug)' has \(fitting.count) records that fit",
                remedy: "Name one by --for-issuer: `chiladmin client list \(slug)` shows their issuers."
            )
        }
        return picked
    }
}

/// What `client set` changes; `nil` and empty: as before.
struct ProviderChange: Sendable {
    /// The team's key at the provider.
    struct Credentials: Equatable, Sendable {
        /// `nil`: the team of before.
        let teamID: ProviderWord?
        let keyID: ProviderWord
        let keyFile: String
        /// Else it is asked for.
        var isFileGiven = true
    }

    enum ClientUse: Equatable, Sendable {
        case native
        case web(redirectURI: WebAddress, returnURL: ReturnAddress)
    }

    let choice: ProviderChoice
    var settings = ProviderSet.Changes()
    /// Those among the settings that are plain `http://`: for development records only.
    var unencrypted: [String] = []
    var credentials: Credentials?
    /// Of the choice's client id.
    var use: ClientUse?

    var isEmpty: Bool { settings == ProviderSet.Changes() && credentials == nil && use == nil }
}
