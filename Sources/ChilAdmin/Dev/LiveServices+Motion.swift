import ChilDevIssuer
import ChilDevMotion
import ChilHTTP
import ChilLoop

extension LiveServices {
    func serveMotion(_ draft: MotionDraft) async throws(AdminFault) {
        let loop = try loop()
        let simulator = MotionSimulator(field: draft.field, quirk: draft.quirk)
        let server: HTTPLoop
        do {
            let addresses = try await NameResolver.addresses(of: draft.listen.host, port: draft.listen.port)
            guard let address = addresses.first else { throw Self.notServing(draft.listen, "no such host") }
            guard LoopbackHost.contains(address) || draft.isInContainer else {
                throw AdminFault(
                    .usage,
                    "\(draft.listen.text) is not this machine alone: a simulator is nobody else's business",
                    remedy:
                        "Listen on 127.0.0.1 or [::1]; in a container that only containers reach, add --in-container."
                )
            }
            server = HTTPLoop(try Listener(on: address), ServerLimits(), LoopBalance(), on: loop) { loop in
                MotionSimulatorHandler(simulator, on: loop)
            }
        } catch {
            throw error as? AdminFault ?? Self.notServing(draft.listen, "\(error)")
        }
        let signals = StopSignals { server.requestStop() }
        talk("Simulating a motion service at http://\(draft.listen.text)/motion/.\n")
        do {
            try await server.run()
        } catch {
            throw Self.notServing(draft.listen, "\(error)")
        }
        withExtendedLifetime(signals) {}
    }

    static func notServing(_ listen: HostPort, _ reason: String) -> AdminFault {
        AdminFault(.failed, "cannot serve on \(listen.text): \(reason)", remedy: "Choose another --listen HOST:PORT.")
    }
}
