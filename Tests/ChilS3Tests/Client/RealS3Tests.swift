import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilStore
import ChilTestSupport
import Testing

@testable import ChilS3

/// Against a real S3 server, which checks every signature by Amazon's own code.
@Suite(.enabled(if: S3Server.isThere, "no S3 server: scripts/test brings one (moto, from PyPI)"))
struct RealS3Tests {
    private func place(_ server: S3Server, bucket: String = S3Server.bucket, secret: String? = nil) -> S3Place {
        S3Place(
            origin: HTTPURL(server.url)!,
            bucket: bucket,
            region: "us-east-1",
            credentials: S3Credentials(id: server.accessKey, secret: Array((secret ?? server.secret).utf8))
        )
    }

    /// Written, read by ranges, written again, removed: of one byte, of what goes at once at most, in parts.
    @Test(arguments: [1, 300_000, S3Client.partBytes, S3Client.partBytes + 1, 20 << 20])
    func anObjectIsWhatWasWritten(_ count: Int) async throws {
        let server = try S3Server()
        defer { server.stop() }
        let place = place(server)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
        let result = try await S3ClientTests.ask(place, patience: .seconds(60)) {
            client async throws(ImageObjectFault) -> [Bool] in
            let (tenant, object) = (S3ClientTests.tenant, S3ClientTests.object)
            let hash = SHA256.digest(of: bytes).bytes
            try await client.check()
            for _ in 0..<2 { try await client.put(bytes, as: object, of: tenant, hash: hash, mediaType: "image/png") }
            var isRight: [Bool] = []
            for range in [0..<count, 0..<1, count / 2..<count, count - 1..<count] {
                isRight.append(try await client.bytes(range, of: object, in: tenant) == Array(bytes[range]))
            }
            // Another tenant's object of that number is another object.
            let foreign = TenantID(rawValue: 8)
            isRight.append(await Self.isMissing(client, object, of: foreign))
            for _ in 0..<2 { try await client.remove(object, of: tenant) }
            isRight.append(await Self.isMissing(client, object, of: tenant))
            return isRight
        }
        #expect(try result.get() == Array(repeating: true, count: 6))
    }

    private static func isMissing(_ client: S3Client, _ object: ImageObjectID, of tenant: TenantID) async -> Bool {
        do throws(ImageObjectFault) {
            _ = try await client.bytes(0..<1, of: object, in: tenant)
            return false
        } catch {
            return error.code == .missing
        }
    }

    @Test func wrongKeysAndBucketsAreRefused() async throws {
        let server = try S3Server()
        defer { server.stop() }
        for place in [place(server, secret: "wrong"), place(server, bucket: "nobodys")] {
            let result = try await S3ClientTests.ask(place) { client async throws(ImageObjectFault) in
                try await client.check()
            }
            guard case .failure(let fault) = result else { throw S3Unexpected() }
            #expect(fault.code == .refused, "\(fault)")
        }
    }

    /// What a crash left of an upload in parts goes with its object.
    @Test func unfinishedUploadsGo() async throws {
        let server = try S3Server()
        defer { server.stop() }
        let result = try await S3ClientTests.ask(place(server)) { client async throws(ImageObjectFault) -> [Int] in
            let path = client.path(of: S3ClientTests.object, S3ClientTests.tenant)
            func uploads() async throws(ImageObjectFault) -> Int {
                let asked = S3Client.Asked(method: .get, path: "/\(S3Server.bucket)", query: [("uploads", "")])
                return S3XML.texts(of: "UploadId", in: try await client.send(asked).body).count
            }
            _ = try await client.send(S3Client.Asked(method: .post, path: path, query: [("uploads", "")]))
            let before = try await uploads()
            try await client.remove(S3ClientTests.object, of: S3ClientTests.tenant)
            return [before, try await uploads()]
        }
        #expect(try result.get() == [1, 0])
    }
}
