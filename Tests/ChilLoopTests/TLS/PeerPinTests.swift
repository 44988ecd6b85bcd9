import ChilCore
import ChilCrypto
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

@Suite("Pinned peers")
struct PeerPinTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let key = [UInt8](repeating: 1, count: 32)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var objection: TLSFault.Code? = .unknownIssuer
        /// Seconds from now to the certificate's end.
        var end: Int64 = 1_000
        /// Of the pin, and seconds from now to its making.
        var pin: (key: UInt8, at: Int64)?
        let verdict: PeerPin.Verdict

        init(
            _ name: String,
            _ verdict: PeerPin.Verdict,
            objection: TLSFault.Code? = .unknownIssuer,
            end: Int64 = 1_000,
            pin: (key: UInt8, at: Int64)? = nil
        ) {
            (testDescription, self.verdict, self.objection) = (name, verdict, objection)
            (self.end, self.pin) = (end, pin)
        }
    }

    static let rows = [
        Row("an authority's word", .trusted, objection: nil),
        Row("an authority's word for another key", .trusted, objection: nil, pin: (2, -50)),
        Row("met for the first time", .unknown),
        Row("met for the first time, for another name", .unknown, objection: .wrongName),
        Row("met for the first time, past its time", .expired, end: -1),
        Row("ends just now", .expired, end: 0),
        Row("met before", .trusted, pin: (1, -50)),
        Row("another", .changed, pin: (2, -50)),
        Row("another, past its time", .changed, end: -10, pin: (2, -50)),
        Row("met before, past its time since", .expired, end: -10, pin: (1, -50)),
        Row("trusted when it was past its time", .trusted, end: -50, pin: (1, -10)),
        Row("trusted past its time, but another", .changed, end: -50, pin: (2, -10)),
    ]

    @Test(arguments: rows) func verdict(_ row: Row) {
        let certificate = PeerCertificate(
            keyDigest: Self.key,
            notBefore: Self.now - .seconds(100_000),
            notAfter: Self.now + .seconds(row.end),
            objection: row.objection
        )
        let pin = row.pin.map {
            PeerPin(keyDigest: [UInt8](repeating: $0.key, count: 32), at: Self.now + .seconds($0.at))
        }
        #expect(PeerPin.verdict(on: certificate, pinned: pin, at: Self.now) == row.verdict)
    }

    @Test func keysAreReadAsTheyAreWritten() {
        let text = PeerPin.text(of: Self.key)
        #expect(text == "sha256:" + String(repeating: "01", count: 32))
        #expect(PeerPin.keyDigest(in: text) == Self.key && PeerPin.keyDigest(in: text.uppercased()) == nil)
        for bad in [
            "", "sha256:", "01", text + "0", String(text.dropLast()), "sha256:" + String(repeating: "0g", count: 32),
        ] {
            #expect(PeerPin.keyDigest(in: bad) == nil, "\(bad)")
        }
    }

    /// What the handshake shows is what openssl(1) says of the certificate, whoever made it.
    @Test(arguments: [
        (TestCertificates.Name.good, false), (.selfSigned, false), (.expired, true), (.notYetValid, false),
    ])
    func theKeyIsThatOfTheCertificate(_ name: TestCertificates.Name, isExpired: Bool) async throws {
        let server = try OpenSSLServer(name)
        let context = try TLSClientContext(callerJudges: true)
        let shown = try await withLoop { loop, _ in
            let patience = Duration.seconds(3).patient
            let socket = try await ByteStream.connect(to: server.address, within: patience, on: loop)
            let stream = try await TLSStream.connect(over: socket, context, host: "other.test", within: patience)
            defer { stream.close() }
            return stream.peerCertificate
        }
        let certificate = try #require(shown)
        let path = try TestCertificates.shared().certificate(name)
        let script = "openssl x509 -in '\(path)' -pubkey -noout | openssl pkey -pubin -outform DER | sha256sum"
        #expect(try Self.said(script).hasPrefix(PeerPin.text(of: certificate.keyDigest).dropFirst(7)))
        #expect(certificate.objection != nil)
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        #expect((certificate.notAfter <= now) == isExpired)
        #expect(PeerPin.verdict(on: certificate, pinned: nil, at: now) == (isExpired ? .expired : .unknown))
        let pin = PeerPin(keyDigest: certificate.keyDigest, at: now)
        #expect(PeerPin.verdict(on: certificate, pinned: pin, at: now) == .trusted)
    }

    private static func said(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
