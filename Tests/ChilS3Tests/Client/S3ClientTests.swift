import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilStore
import Testing

@testable import ChilS3

/// What the client makes of a store that misbehaves.
@Suite struct S3ClientTests {
    static let tenant = TenantID(rawValue: 7)
    static let object = ImageObjectID(rawValue: 8)
    static let path = "/pictures/images/7/8"

    /// What came of a call from a loop of its own.
    static func ask<Value: Sendable>(
        _ place: S3Place,
        patience: Duration = .seconds(10),
        _ call: @escaping @Sendable (S3Client) async throws(ImageObjectFault) -> Value
    ) async throws -> Result<Value, ImageObjectFault> {
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        return await LoopHome(thread.loop).run { loop in
            do throws(ImageObjectFault) {
                return .success(try await call(S3Client(place, on: loop, patience: patience)))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func put(_ client: S3Client, _ bytes: [UInt8]) async throws(ImageObjectFault) {
        let hash = SHA256.digest(of: bytes).bytes
        try await client.put(bytes, as: object, of: tenant, hash: hash, mediaType: "image/png")
    }

    private static func code(_ code: String) -> String { "<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>" }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let replies: [StandInStore.Reply]
        let fault: ImageObjectFault.Code?
        let requests: Int
        var says = ""
        var testDescription: String { name }
    }

    static let puts = [
        Row(name: "stored", replies: [.status(.ok)], fault: nil, requests: 1),
        Row(
            name: "busy twice",
            replies: [.status(.serviceUnavailable, code("SlowDown")), .status(.internalServerError), .status(.ok)],
            fault: nil,
            requests: 3
        ),
        Row(
            name: "broken",
            replies: [.status(.internalServerError, code("InternalError"))],
            fault: .away,
            requests: 3,
            says: "500 InternalError, after 3 tries"
        ),
        Row(name: "too many", replies: [.status(.tooManyRequests)], fault: .away, requests: 3),
        Row(
            name: "slow client",
            replies: [.status(.badRequest, code("RequestTimeout")), .status(.ok)],
            fault: nil,
            requests: 2
        ),
        Row(
            name: "a wrong key",
            replies: [.status(.forbidden, code("SignatureDoesNotMatch"))],
            fault: .refused,
            requests: 1,
            says: "the key of CHIL_S3_KEY_FILE may not use pictures"
        ),
        Row(
            name: "a wrong clock",
            replies: [.status(.forbidden, code("RequestTimeTooSkewed"))],
            fault: .refused,
            requests: 1,
            says: "set this machine's clock"
        ),
        Row(
            name: "no bucket",
            replies: [.status(.notFound, code("NoSuchBucket"))],
            fault: .refused,
            requests: 1,
            says: "there is no bucket pictures: make it"
        ),
        Row(
            name: "another region",
            replies: [.status(.movedPermanently, code("PermanentRedirect"))],
            fault: .refused,
            requests: 1,
            says: "set CHIL_S3_REGION"
        ),
        Row(
            name: "a wrong region",
            replies: [.status(.badRequest, code("AuthorizationHeaderMalformed"))],
            fault: .refused,
            requests: 1,
            says: "set CHIL_S3_REGION"
        ),
        Row(
            name: "no such thing",
            replies: [.status(.badRequest, "<html>")],
            fault: .refused,
            requests: 1,
            says: "400 without a code"
        ),
    ]

    @Test(arguments: puts)
    func writes(_ row: Row) async throws {
        let store = try StandInStore(row.replies)
        defer { store.stop() }
        let result = try await Self.ask(store.place) { client async throws(ImageObjectFault) in
            try await Self.put(client, [1, 2, 3])
        }
        let fault: ImageObjectFault? = if case .failure(let fault) = result { fault } else { nil }
        #expect(fault?.code == row.fault, "\(fault?.description ?? "stored")")
        #expect(fault?.detail.contains(row.says) ?? true, "\(fault?.detail ?? "")")
        #expect(store.came == Array(repeating: .init(line: "PUT \(Self.path)", byteCount: 3), count: row.requests))
    }

    static let gets = [
        Row(name: "there", replies: [.bytes], fault: nil, requests: 1),
        Row(name: "half, then whole", replies: [.half, .bytes], fault: nil, requests: 2),
        Row(name: "half for ever", replies: [.half], fault: .away, requests: 3),
        Row(name: "too short", replies: [.status(.partialContent, "ab"), .bytes], fault: nil, requests: 2),
        Row(
            name: "not the range",
            replies: [.status(.ok, "abcdefghij")],
            fault: .away,
            requests: 3,
            says: "the answer is not whole"
        ),
        Row(name: "gone", replies: [.status(.notFound, code("NoSuchKey"))], fault: .missing, requests: 1),
        Row(name: "not its", replies: [.status(.forbidden, code("AccessDenied"))], fault: .refused, requests: 1),
    ]

    @Test(arguments: gets)
    func reads(_ row: Row) async throws {
        let store = try StandInStore(row.replies)
        defer { store.stop() }
        let result = try await Self.ask(store.place) { client async throws(ImageObjectFault) in
            try await client.bytes(10..<20, of: Self.object, in: Self.tenant)
        }
        switch result {
        case .success(let bytes):
            #expect(row.fault == nil && bytes == StandInStore.pattern(10..<20))
        case .failure(let fault):
            #expect(fault.code == row.fault, "\(fault)")
            #expect(fault.detail.contains(row.says), "\(fault)")
        }
        #expect(store.lines == Array(repeating: "GET \(Self.path)", count: row.requests))
    }

    @Test func nobodyWaitsForEver() async throws {
        let store = try StandInStore([.silence])
        defer { store.stop() }
        let result = try await Self.ask(store.place, patience: .milliseconds(100)) {
            client async throws(ImageObjectFault) in
            try await Self.put(client, [1])
        }
        guard case .failure(let fault) = result else { throw S3Unexpected() }
        #expect(fault.code == .away)
        #expect(fault.detail.contains("no answer in time") && fault.detail.contains("after 3 tries"))
    }

    @Test func nobodyThereIsAway() async throws {
        let store = try StandInStore([.bytes])
        let place = store.place
        store.stop()
        let result = try await Self.ask(place) { client async throws(ImageObjectFault) in
            try await client.bytes(0..<1, of: Self.object, in: Self.tenant)
        }
        guard case .failure(let fault) = result else { throw S3Unexpected() }
        #expect(fault.code == .away)
    }

    /// A part is refused: the upload is taken back, and the refusal is what is said.
    @Test func whatIsNotWholeIsTakenBack() async throws {
        let begun = "<R><UploadId>u&amp;1</UploadId></R>"
        let store = try StandInStore([
            .status(.ok, begun), .status(.ok, etag: "\"a\""), .status(.forbidden, Self.code("AccessDenied")),
            .status(.noContent),
        ])
        defer { store.stop() }
        let result = try await Self.ask(store.place) { client async throws(ImageObjectFault) in
            try await Self.put(client, [UInt8](repeating: 7, count: S3Client.partBytes + 5))
        }
        guard case .failure(let fault) = result else { throw S3Unexpected() }
        #expect(fault.code == .refused)
        #expect(
            store.came == [
                .init(line: "POST \(Self.path)?uploads=", byteCount: 0),
                .init(line: "PUT \(Self.path)?partNumber=1&uploadId=u%261", byteCount: S3Client.partBytes),
                .init(line: "PUT \(Self.path)?partNumber=2&uploadId=u%261", byteCount: 5),
                .init(line: "DELETE \(Self.path)?uploadId=u%261", byteCount: 0),
            ]
        )
    }

    /// An error behind 200 is an error.
    @Test func anErrorMayComeAfterTwoHundred() async throws {
        let store = try StandInStore([
            .status(.ok, "<R><UploadId>u</UploadId></R>"), .status(.ok, etag: "\"a\""), .status(.ok, etag: "\"b\""),
            .status(.ok, Self.code("InternalError")), .status(.ok, "<R><ETag>\"c\"</ETag></R>"),
        ])
        defer { store.stop() }
        let result = try await Self.ask(store.place) { client async throws(ImageObjectFault) in
            try await Self.put(client, [UInt8](repeating: 7, count: S3Client.partBytes + 5))
        }
        guard case .success = result else { throw S3Unexpected() }
        #expect(store.lines.filter { $0 == "POST \(Self.path)?uploadId=u" }.count == 2)
    }

    /// Gone already is gone; parts of this object alone are taken back.
    @Test func removingIsComplete() async throws {
        let uploads = ["8", "80"].map { "<Upload><Key>images/7/\($0)</Key><UploadId>u\($0)</UploadId></Upload>" }
        let store = try StandInStore([
            .status(.notFound, Self.code("NoSuchKey")), .status(.ok, "<R>\(uploads.joined())</R>"), .status(.noContent),
        ])
        defer { store.stop() }
        let result = try await Self.ask(store.place) { client async throws(ImageObjectFault) in
            try await client.remove(Self.object, of: Self.tenant)
        }
        guard case .success = result else { throw S3Unexpected() }
        #expect(
            store.lines == [
                "DELETE \(Self.path)", "GET /pictures?prefix=images%2F7%2F8&uploads=",
                "DELETE \(Self.path)?uploadId=u8",
            ]
        )
    }
}

struct S3Unexpected: Error {}
