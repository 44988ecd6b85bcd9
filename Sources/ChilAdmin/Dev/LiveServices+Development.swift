import ChilDevIssuer
import ChilHTTP
import ChilLoop

extension LiveServices: DevelopmentServices {
    func serveIssuer(_ draft: IssuerDraft) async throws(AdminFault) {
        let keys = try DevelopmentKeys(folder: draft.keysFolder)
        let issuer = DevelopmentIssuer(IssuerSettings(issuer: draft.issuerText), keys: keys.makers)
        let server = try await issuerServer(draft, issuer)
        let signals = StopSignals { server.requestStop() }
        talk("Serving http://\(draft.listen.text)\(IssuerHandler.keyPaths[0]) for the issuer \(draft.issuerText).\n")
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
            return HTTPLoop(try Listener(on: address), ServerLimits(), LoopBalance(), on: loop) { loop in
                IssuerHandler(issuer, on: loop)
            }
        } catch {
            throw error as? AdminFault ?? Self.notServing(draft, "\(error)")
        }
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
