import ChilCrypto
import ChilLoop
import ChilTestSupport
import Glibc
import Testing

/// Who is believed and who isn't, against `openssl s_server`.
@Suite struct TLSHandshakeTests {
    enum Expected: Equatable, Sendable {
        case accepted(String)
        case refused(TLSFault.Code)
    }

    /// A server, and what a client that asks it for these hosts makes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var certificate = TestCertificates.Name.good
        var options: [String] = []
        var trustsAuthority = true
        var hosts = ["idp.test"]
        let expected: Expected
    }

    static let rows = [
        Row(
            testDescription: "good",
            hosts: ["idp.test", "IDP.Test", "idp.test.", "a.wild.test", "127.0.0.1"],
            expected: .accepted("TLSv1.3")
        ),
        Row(testDescription: "TLS 1.2 only", options: ["-tls1_2"], expected: .accepted("TLSv1.2")),
        Row(testDescription: "ALPN agreed", options: ["-alpn", "h2,http/1.1"], expected: .accepted("TLSv1.3")),

        Row(
            testDescription:
                "other names: unrelated, below, above, a wildcard's parent, two labels for it, a partial one",
            hosts: ["evil.test", "sub.idp.test", "test", "wild.test", "a.b.wild.test", "xa.part.test"],
            expected: .refused(.wrongName)
        ),
        Row(testDescription: "other addresses", hosts: ["127.0.0.2", "::1"], expected: .refused(.wrongName)),
        Row(testDescription: "a name in the subject only", certificate: .subjectOnly, expected: .refused(.wrongName)),
        Row(testDescription: "expired", certificate: .expired, expected: .refused(.expired)),
        Row(testDescription: "not yet valid", certificate: .notYetValid, expected: .refused(.notYetValid)),
        Row(testDescription: "self-signed", certificate: .selfSigned, expected: .refused(.unknownIssuer)),
        Row(testDescription: "unknown authority", trustsAuthority: false, expected: .refused(.unknownIssuer)),
        Row(testDescription: "a client's certificate", certificate: .forClients, expected: .refused(.badCertificate)),
        Row(
            testDescription: "RSA of 1,024 bits",
            certificate: .weakKey,
            options: ["-cipher", "DEFAULT@SECLEVEL=0"],
            expected: .refused(.badCertificate)
        ),
        Row(
            testDescription: "TLS 1.1 only",
            options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
            expected: .refused(.oldVersion)
        ),
        Row(
            testDescription: "no cipher in common",
            options: ["-tls1_2", "-cipher", "AES128-SHA"],
            expected: .refused(.refusedByPeer)
        ),
    ]

    @Test(arguments: rows) func verdict(_ row: Row) async throws {
        let server = try OpenSSLServer(row.certificate, "-rev", row.options)
        let authority = try TestCertificates.shared().authority
        let context = try TLSClientContext(extraAuthorities: row.trustsAuthority ? authority : nil)
        try await withLoop { loop, _ in
            for host in row.hosts {
                let socket = try await ByteStream.connect(
                    to: server.address,
                    within: Duration.seconds(3).patient,
                    on: loop
                )
                let seen = try await Self.ask(over: socket, context, host)
                #expect(seen == row.expected, "\(host)")
                #expect(socket.isClosed)
            }
        }
    }

    private static func ask(
        over socket: ByteStream,
        _ context: TLSClientContext,
        _ host: String
    ) async throws(TLSStreamError) -> Expected {
        do throws(TLSStreamError) {
            let stream = try await TLSStream.connect(
                over: socket,
                context,
                host: host,
                within: Duration.seconds(3).patient
            )
            defer { stream.close() }
            let line = await stream.exchangeLine("abc", until: socket.loop.deadline(in: .seconds(3)))
            #expect(line == "cba\n", "\(host)")
            return .accepted(stream.protocolVersion)
        } catch {
            guard case .tls(let fault) = error else { throw error }
            #expect(fault.description.hasSuffix(fault.remedy))
            return .refused(fault.code)
        }
    }

    /// What the peer does once it has taken the connection.
    enum Peer: CaseIterable, Sendable {
        case silent, leaves, speaksHTTP, speaksNonsense

        func act(on descriptor: Int32) {
            let text =
                switch self {
                case .silent, .leaves: ""
                case .speaksHTTP: "HTTP/1.1 400 Bad Request\r\n\r\n"
                case .speaksNonsense: "\u{16}\u{3}\u{3}\u{0}\u{4}zzzz"
                }
            if !text.isEmpty { send(descriptor, text, text.utf8.count, 0) }
            if self == .leaves { shutdown(descriptor, Int32(SHUT_WR)) }
        }

        func isExpected(_ error: TLSStreamError) -> Bool {
            switch (self, error) {
            case (.silent, .timedOut), (.leaves, .closedByPeer): true
            case (.speaksHTTP, .tls(let fault)): fault.code == .notTLS
            case (.speaksNonsense, .tls(let fault)): fault.code == .protocolBroken
            default: false
            }
        }
    }

    @Test(arguments: Peer.allCases) func aPeerThatIsNoTLSServer(_ peer: Peer) async throws {
        let context = try TLSClientContext()
        try await withLoop { loop, _ in
            let (socket, descriptor) = try await StreamPair.tcp.make(on: loop)
            defer { close(descriptor) }
            peer.act(on: descriptor)
            let patience = peer == .silent ? Duration.milliseconds(60) : .seconds(3).patient
            let begin = loop.monotonicNow
            do throws(TLSStreamError) {
                _ = try await TLSStream.connect(over: socket, context, host: "idp.test", within: patience)
                Issue.record("connected to nobody")
            } catch {
                #expect(peer.isExpected(error), "\(error)")
            }
            #expect(socket.isClosed)
            #expect(loop.monotonicNow - begin < 2_500_000_000)
        }
    }
}
