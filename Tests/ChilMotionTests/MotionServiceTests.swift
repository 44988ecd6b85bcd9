import ChilDevMotion
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilMediaTestSupport
import ChilMotion
import ChilTestSupport
import Testing

/// The client against a service that speaks the exact contract, and misbehaves on command.
@Suite struct MotionServiceTests {
    private static let picture = PNGMaker(width: 30, height: 20) { x, y in [x * 8, y * 12, 30] }.file()

    private static func with<Value: Sendable>(
        field: MotionForm.Field = .motionType,
        _ body: @Sendable (MotionSimulatorServer, EventLoop) async throws -> Value
    ) async throws -> Value {
        let server = try MotionSimulatorServer(MotionSimulator(field: field))
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            server.stop()
        }
        return try await withTaskExecutorPreference(thread.loop) { try await body(server, thread.loop) }
    }

    private static func service(
        _ server: MotionSimulatorServer,
        field: MotionForm.Field = .motionType,
        patience: Duration = .seconds(20),
        allowing exception: Bool = true,
        _ loop: EventLoop
    ) -> MotionService {
        MotionService(
            at: MotionService.address(of: server.origin)!,
            allowing: exception ? AddressGuard.Exception(server.authority) : nil,
            field: field,
            patience: patience.patient,
            on: loop
        )
    }

    private static func fault(
        _ service: MotionService,
        _ motion: MotionType = .dance
    ) async -> MotionFault? {
        do throws(MotionFault) {
            _ = try await service.gif(of: picture, .png, motion)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: MotionForm.Field.allCases)
    func aDrawingMoves(_ field: MotionForm.Field) async throws {
        try await Self.with(field: field) { server, loop in
            for motion in MotionType.allCases {
                let made = try await Self.service(server, field: field, loop).gif(of: Self.picture, .png, motion)
                #expect(made.bytes == MovingPicture(png: Self.picture)?.gif(motion))
                #expect(made.facts.width == 30 && made.facts.height == 20)
            }
            #expect(server.simulator.calls.map(\.motion) == MotionType.allCases.map(\.rawValue))
            #expect(server.simulator.calls.allSatisfy { $0.picture == Self.picture })
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let quirk: MotionQuirk
        let code: MotionFault.Code
        let says: String
        var testDescription: String { quirk.rawValue }

        init(_ quirk: MotionQuirk, _ code: MotionFault.Code, _ says: String) {
            (self.quirk, self.code, self.says) = (quirk, code, says)
        }
    }

    static let rows = [
        Row(.drop, .backendUnavailable, "answer cut off: "),
        Row(.half, .backendUnavailable, "answer cut off: "),
        Row(.cut, .backendUnavailable, "before its trailer"),
        Row(.still, .backendUnavailable, "one frame"),
        Row(.gigantic, .backendUnavailable, "more than 20971520 bytes"),
        Row(.garbage, .backendUnavailable, "no GIF with status 200"),
        Row(.html, .backendUnavailable, "no GIF with status 200"),
        Row(.redirect, .backendUnavailable, "redirects (307)"),
        Row(.gifNotFound, .noCharacter, "did not say why"),
        Row(.field, .backendUnavailable, "--form-field"),
        Row(.noHumanoid, .noCharacter, "no humanoid"),
        Row(.noSkeleton, .noCharacter, "no skeleton"),
        Row(.twoSkeletons, .ambiguousCharacter, "more than one skeleton"),
        Row(.noContour, .noCharacter, "no outline"),
        Row(.channels, .unsupportedImage, "cannot read"),
        Row(.torchserve, .backendUnavailable, "torchserve"),
        Row(.internalError, .backendUnavailable, "answered 500"),
        Row(.busy, .backendUnavailable, "answered 503"),
    ]

    @Test(arguments: rows)
    func aFailureHasItsType(_ row: Row) async throws {
        try await Self.with { server, loop in
            server.simulator.misbehave(row.quirk)
            let fault = await Self.fault(Self.service(server, loop))
            #expect(fault?.code == row.code, "\(fault.map { "\($0)" } ?? "a GIF")")
            #expect(fault?.detail.contains(row.says) == true, "\(fault.map { "\($0)" } ?? "")")
            // Once is once: nobody asked again, and the next is served.
            #expect(server.simulator.calls.count == 1)
            #expect(await Self.fault(Self.service(server, loop)) == nil)
        }
    }

    @Test func everyQuirkHasARow() {
        #expect(Set(Self.rows.map(\.quirk)).union([.slow]) == Set(MotionQuirk.allCases))
    }

    @Test func whoIsSlowIsLeft() async throws {
        try await Self.with { server, loop in
            server.simulator.misbehave(.slow)
            let fault = await Self.fault(Self.service(server, patience: .milliseconds(300), loop))
            #expect(fault == MotionFault(.timeout, "no whole answer in time"))
        }
    }

    @Test func nobodyIsReachedWhomNobodyAllowed() async throws {
        try await Self.with { server, loop in
            let fault = await Self.fault(Self.service(server, allowing: false, loop))
            #expect(fault?.code == .backendUnavailable && fault?.detail.contains("not https") == true)
            #expect(server.simulator.calls.isEmpty)
        }
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        let loop = thread.loop
        try await withTaskExecutorPreference(loop) {
            let closed = try Listener(on: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0))
            let authority = "127.0.0.1:\(closed.address.port)"
            closed.close()
            let service = MotionService(
                at: try #require(MotionService.address(of: "http://\(authority)")),
                allowing: AddressGuard.Exception(authority),
                on: loop
            )
            #expect(await Self.fault(service)?.detail.contains("no connection: ") == true)
        }
    }

    @Test func answersInReverseReachWhoAsked() async throws {
        try await Self.with { server, loop in
            server.simulator.answerInReverse(3)
            let pictures = (1...3).map { n in PNGMaker(width: 10 * n, height: 8) { x, y in [x, y, n] }.file() }
            let service = server.origin, authority = server.authority
            let made = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                for (number, picture) in pictures.enumerated() {
                    group.addTask(executorPreference: loop) {
                        let one = MotionService(
                            at: MotionService.address(of: service)!,
                            allowing: AddressGuard.Exception(authority),
                            on: loop
                        )
                        return (number, try await one.gif(of: picture, .png, .hello).bytes)
                    }
                }
                return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
            }
            for (number, picture) in pictures.enumerated() {
                #expect(made[number] == MovingPicture(png: picture)?.gif(.hello))
            }
        }
    }

    @Test(arguments: [
        ("http://motion:8000", "http://motion:8000/motion/"), ("http://motion:8000/", "http://motion:8000/motion/"),
        ("https://a.example/ai/", "https://a.example/ai/motion/"),
        ("https://a.example/motion", "https://a.example/motion/"),
        ("https://a.example/motion/", "https://a.example/motion/"), ("ftp://a.example", nil),
        ("https://a.example/?q=1", nil),
        ("https://u:p@a.example", nil), ("", nil),
    ])
    func theAddressEndsWithASlash(_ base: String, _ address: String?) {
        #expect(MotionService.address(of: base)?.description == address)
    }

    @Test(arguments: [
        ("dance", MotionType.dance), ("DANCE", .dance), ("Zombie", .zombie), ("moonwalk", nil), ("", nil),
        ("ｄance", nil),
    ])
    func motionsAreKnownInAnyCase(_ word: String, _ motion: MotionType?) {
        #expect(MotionType(word: word) == motion)
    }
}
