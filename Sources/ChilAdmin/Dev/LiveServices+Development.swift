import ChilAuth
import ChilDevIssuer
import ChilHTTP
import ChilLoop

extension LiveServices: DevelopmentServices {
    func serveIssuer(_ draft: IssuerDraft) async throws(AdminFault) {
        let keys = try DevelopmentKeys(folder: draft.keysFolder)
        let issuer = DevelopmentIssuer(try Self.settings(draft), keys: keys.makers)
        let server = try await issuerServer(draft, issuer)
        let signals = StopSignals { server.requestStop() }
        talk("Serving http://\(draft.listen.text)\(IssuerHandler.keyPaths[0]) for the issuer \(draft.issuerText).\n")
        talk(
            "Client secrets: --team \(DevelopmentTeam.teamID) --key-id \(DevelopmentTeam.keyID) --p8-file "
                + "\(draft.keysFolder)/\(DevelopmentTeam.fileName)\n"
        )
        do {
            try await server.run()
        } catch {
            throw Self.notServing(draft, "\(error)")
        }
        withExtendedLifetime(signals) {}
    }

    private func issuerServer(
        _ draft: IssuerDraft,
        _ issuer: DevelopmentIssuer
    ) async throws(AdminFault) -> HTTPLoop {
        let loop = try loop()
        do {
            let addresses = try await NameResolver.addresses(of: draft.listen.host, port: draft.listen.port)
            guard let address = addresses.first else { throw Self.notServing(draft, "no such host") }
            guard LoopbackHost.contains(address) || draft.isInContainer else { throw Self.reachableByOthers(draft) }
            return HTTPLoop(try Listener(on: address), ServerLimits(), LoopBalance(), on: loop) { loop in
                IssuerHandler(issuer, on: loop)
            }
        } catch {
            throw error as? AdminFault ?? Self.notServing(draft, "\(error)")
        }
    }

    private static func settings(_ draft: IssuerDraft) throws(AdminFault) -> IssuerSettings {
        var settings = IssuerSettings(issuer: draft.issuerText)
        settings.otherIssuer = draft.otherIssuer?.text
        settings.algorithm = draft.algorithm == .es256 ? .es256 : .rs256
        settings.clients = draft.redirects
        settings.teams = [try DevelopmentTeam.team(in: draft.keysFolder)]
        for key in draft.teamKeys { settings.teams.append(try DevelopmentTeam.team(key)) }
        settings.quirks = draft.quirks
        settings.rotation = draft.rotation.map { .seconds($0.count) }
        settings.isOnNetwork = draft.isInContainer
        return settings
    }

    private static func reachableByOthers(_ draft: IssuerDraft) -> AdminFault {
        AdminFault(
            .usage,
            "\(draft.listen.text) is not this machine alone: whoever reaches it could sign in as anybody",
            remedy: "Listen on 127.0.0.1 or [::1]; in a container that only containers reach, add --in-container."
        )
    }

    private static func notServing(_ draft: IssuerDraft, _ reason: String) -> AdminFault {
        AdminFault(
            .failed,
            "cannot serve on \(draft.listen.text): \(reason)",
            remedy: "Choose another --listen HOST:PORT."
        )
    }

    func tokenSigner(keys folder: String, algorithm: TokenAlgorithm) throws(AdminFault) -> any TokenSigner {
        try DevelopmentKeys.maker(algorithm, in: folder)
    }

    func makeFile(at path: String) throws(AdminFault) -> any LineFile {
        try StandardFile(path: path)
    }
}
