import ChilDatabase

/// One audience of a provider record, and what its codes need to be exchanged.
package struct ProviderClientRecord: Sendable, Equatable {
    package enum Use: String, Sendable, CaseIterable {
        /// An app's bundle id: codes are made on the device and exchanged without a redirect URI.
        case native
        /// A Services ID: codes come by `form_post` to the redirect URI.
        case web
    }

    package let id: String
    package let use: Use
    /// As registered with the provider. Only and always for `web`, as the next.
    package let redirectURI: String?
    /// Where the browser goes in the end, with a code for the app.
    package let returnURL: String?

    package init(native id: String) {
        self.id = id
        use = .native
        redirectURI = nil
        returnURL = nil
    }

    package init(web id: String, redirectURI: String, returnURL: String) {
        self.id = id
        use = .web
        self.redirectURI = redirectURI
        self.returnURL = returnURL
    }

    /// As `ProviderList` writes it: the four values, tabs between them. None of them can have a tab or a line's end.
    init(line: String) throws(DatabaseError) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let use = Use(rawValue: parts[1]) else { throw .unknownWord(line) }
        switch use {
        case .native: self.init(native: parts[0])
        case .web: self.init(web: parts[0], redirectURI: parts[2], returnURL: parts[3])
        }
    }
}
