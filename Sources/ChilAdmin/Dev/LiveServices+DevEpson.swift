import ChilDevEpson
import ChilDevIssuer
import ChilHTTP
import ChilLoop

extension LiveServices: EpsonSimulatorServices {
    func serveEpson(_ draft: EpsonSimulatorDraft) async throws(AdminFault) {
        var settings = EpsonSimulatorSettings()
        settings.uploadOrigin = "http://\(draft.uploadListen.text)"
        settings.pace = .seconds(draft.paceSeconds)
        let simulator = EpsonSimulator(settings)
        if let sheets = draft.sheets { simulator.setSheets(Int(clamping: sheets)) }
        let servers = [
            try await epsonServer(draft.listen, simulator), try await epsonServer(draft.uploadListen, simulator),
        ]
        let signals = StopSignals { for server in servers { server.requestStop() } }
        talk("Simulating Epson Connect at http://\(draft.listen.text), uploads at \(settings.uploadOrigin).\n")
        talk(
            "Client \(settings.clientID), secret \(settings.clientSecret), API key \(settings.apiKey), "
                + "printer \(settings.address).\n"
        )
        async let uploads: Void = servers[1].run()
        do {
            try await servers[0].run()
            try await uploads
        } catch {
            throw Self.notServing(draft.listen, "\(error)")
        }
        withExtendedLifetime(signals) {}
    }

    private func epsonServer(_ listen: HostPort, _ simulator: EpsonSimulator) async throws(AdminFault) -> HTTPLoop {
        let loop = try loop()
        do {
            let addresses = try await NameResolver.addresses(of: listen.host, port: listen.port)
            guard let address = addresses.first else { throw Self.notServing(listen, "no such host") }
            guard LoopbackHost.contains(address) else {
                throw AdminFault(
                    .usage,
                    "\(listen.text) is not this machine alone: a simulator is nobody else's business",
                    remedy: "Listen on 127.0.0.1 or [::1]."
                )
            }
            return HTTPLoop(try Listener(on: address), ServerLimits(), LoopBalance(), on: loop) { loop in
                EpsonSimulatorHandler(simulator, on: loop)
            }
        } catch {
            throw error as? AdminFault ?? Self.notServing(listen, "\(error)")
        }
    }
}
