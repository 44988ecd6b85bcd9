package import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
package import ChilStore

extension S3Client: ImageObjects {
    /// An object of more is sent in parts of so many (S3 wants 5 MiB at least, of all but the last).
    package static let partBytes = 8 << 20
    /// Bytes that are digested before others have their turn on the loop.
    private static let digestBytesAtOnce = 1 << 20

    /// Of a URL that clients are sent on to.
    package static let addressSeconds = 60

    package func address(of object: ImageObjectID, in tenant: TenantID, mediaType: String) -> String? {
        guard place.delivery == .redirect else { return nil }
        let path = path(of: object, tenant)
        let query = signature.presigned(
            path: path,
            host: place.origin.authority,
            query: [("response-cache-control", "private, max-age=3600"), ("response-content-type", mediaType)],
            seconds: Self.addressSeconds,
            at: loop.wallClock
        )
        return "\(place.origin.description.dropLast())\(path)?\(query)"
    }

    package func put(
        _ bytes: [UInt8],
        as object: ImageObjectID,
        of tenant: TenantID,
        hash: [UInt8],
        mediaType: String
    ) async throws(ImageObjectFault) {
        let path = path(of: object, tenant)
        guard bytes.count > Self.partBytes else {
            _ = try await send(
                Asked(
                    method: .put,
                    path: path,
                    fields: [("Content-Type", mediaType)],
                    body: bytes,
                    payload: Hex.text(of: hash)
                )
            )
            return
        }
        let upload = try await beginUpload(path, mediaType)
        do throws(ImageObjectFault) {
            var tags: [String] = []
            for start in stride(from: 0, to: bytes.count, by: Self.partBytes) {
                let part = Array(bytes[start..<min(start + Self.partBytes, bytes.count)])
                tags.append(try await put(part, number: tags.count + 1, of: upload, path))
            }
            try await complete(upload, path, tags, byteCount: bytes.count)
        } catch {
            // What stays is removed with the object.
            try? await abort(upload, path)
            throw error
        }
    }

    package func bytes(_ range: Range<Int>, of object: ImageObjectID, in tenant: TenantID)
        async throws(ImageObjectFault) -> [UInt8]
    {
        var asked = Asked(
            method: .get,
            path: path(of: object, tenant),
            fields: [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        )
        asked.answerBytesMax = max(asked.answerBytesMax, range.count)
        return try await send(asked) { response in
            // 200: the range is all there is, or the store knows no ranges and it is not what was asked for.
            (response.statusCode == 206 || range.lowerBound == 0) && response.body.count == range.count
        }.body
    }

    package func remove(_ object: ImageObjectID, of tenant: TenantID) async throws(ImageObjectFault) {
        let path = path(of: object, tenant)
        do throws(ImageObjectFault) {
            _ = try await send(Asked(method: .delete, path: path))
        } catch {
            guard error.code == .missing else { throw error }
        }
        for upload in try await unfinishedUploads(of: Self.key(of: object, tenant)) { try await abort(upload, path) }
    }

    // MARK: Parts

    private func beginUpload(_ path: String, _ mediaType: String) async throws(ImageObjectFault) -> String {
        let asked = Asked(method: .post, path: path, query: [("uploads", "")], fields: [("Content-Type", mediaType)])
        let answer = try await send(asked) { S3XML.texts(of: "UploadId", in: $0.body).count == 1 }
        return S3XML.texts(of: "UploadId", in: answer.body)[0]
    }

    /// The part's tag.
    private func put(_ part: [UInt8], number: Int, of upload: String, _ path: String) async throws(ImageObjectFault)
        -> String
    {
        let asked = Asked(
            method: .put,
            path: path,
            query: [("partNumber", "\(number)"), ("uploadId", upload)],
            body: part,
            payload: await Self.digest(of: part)
        )
        let answer = try await send(asked) { $0.head.field("etag") != nil }
        return answer.head.field("etag").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Also of an upload that was completed before, by a request whose answer was lost.
    private func complete(_ upload: String, _ path: String, _ tags: [String], byteCount: Int)
        async throws(ImageObjectFault)
    {
        let parts = tags.enumerated().map {
            "<Part><PartNumber>\($0 + 1)</PartNumber><ETag>\(Self.escaped($1))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        let asked = Asked(
            method: .post,
            path: path,
            query: [("uploadId", upload)],
            fields: [("Content-Type", "application/xml")],
            body: body,
            payload: SHA256.digest(of: body).hex
        )
        do throws(ImageObjectFault) {
            // An error may come after 200 ("CompleteMultipartUpload", Amazon S3 API Reference).
            _ = try await send(asked) { !S3XML.texts(of: "ETag", in: $0.body).isEmpty }
        } catch {
            guard error.code == .missing else { throw error }
            let head = try await send(Asked(method: .head, path: path))
            guard head.head.field(.contentLength).flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) == byteCount
            else { throw ImageObjectFault(.away, "\(place.origin): an upload in parts was lost") }
        }
    }

    private func abort(_ upload: String, _ path: String) async throws(ImageObjectFault) {
        do throws(ImageObjectFault) {
            _ = try await send(Asked(method: .delete, path: path, query: [("uploadId", upload)]))
        } catch {
            guard error.code == .missing else { throw error }
        }
    }

    /// None where the store does not tell: then its own rule for unfinished uploads clears them away.
    private func unfinishedUploads(of key: String) async throws(ImageObjectFault) -> [String] {
        let asked = Asked(method: .get, path: "/\(place.bucket)", query: [("prefix", key), ("uploads", "")])
        let answer: ClientResponse
        do throws(ImageObjectFault) {
            answer = try await send(asked)
        } catch {
            guard error.code != .away else { throw error }
            return []
        }
        // Keys that begin with this one are listed too.
        return S3XML.texts(of: "Upload", in: answer.body).filter {
            S3XML.texts(of: "Key", in: $0.utf8) == [key]
        }.flatMap { S3XML.texts(of: "UploadId", in: $0.utf8) }
    }

    private static func digest(of bytes: [UInt8]) async -> String {
        var digest = SHA256()
        for start in stride(from: 0, to: bytes.count, by: digestBytesAtOnce) {
            bytes.withUnsafeBytes {
                digest.update(UnsafeRawBufferPointer(rebasing: $0[start..<min(start + digestBytesAtOnce, bytes.count)]))
            }
            await Task.yield()
        }
        return digest.finish().hex
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
