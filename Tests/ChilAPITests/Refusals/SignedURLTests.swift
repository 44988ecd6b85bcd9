import ChilAuth
import ChilCore
import ChilCrypto
import Foundation
import Testing

@testable import ChilAPI

extension RefusalTests {
    @Suite struct SignedURLs {
        private func drawing() throws -> (app: App, id: Int, image: [UInt8], url: URLComponents) {
            let app = try RefusalTests.app()
            let image = Picture.png()
            let answer = try app.service.send(app.upload(image))
            return (
                app, try answer.int("drawingId"), image, try #require(URLComponents(string: try answer.string("url")))
            )
        }

        /// A part of the query, changed.
        struct Change: Sendable, CustomTestStringConvertible {
            let name: String
            let testDescription: String
            let change: @Sendable (String) -> String

            static let all = [
                Change(name: "e", testDescription: "later") { "\((Int($0) ?? 0) + 3_600)" },
                Change(name: "e", testDescription: "1970") { _ in "0" },
                Change(name: "e", testDescription: "no number") { _ in "x" },
                Change(name: "k", testDescription: "a key that is not") { _ in "2" },
                Change(name: "k", testDescription: "no key") { _ in "0" },
                Change(name: "k", testDescription: "no version") { _ in "256" },
                Change(name: "s", testDescription: "longer") { $0 + "AA" },
                Change(name: "s", testDescription: "shorter") { String($0.dropLast()) },
                Change(name: "s", testDescription: "backwards") { String($0.reversed()) },
                Change(name: "s", testDescription: "none") { _ in "" },
                Change(name: "s", testDescription: "padded") { $0 + "%3D%3D" },
            ]
        }

        @Test(arguments: Change.all)
        func aChangedQueryFindsNothing(_ row: Change) throws {
            let (app, _, _, url) = try drawing()
            let query = try #require(url.percentEncodedQuery).split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
                return parts[0] == row.name ? "\(row.name)=\(row.change(parts[1]))" : String(item)
            }
            let answer = try app.service.send(Request("GET", "\(url.path)?\(query.joined(separator: "&"))"))
            try expectProblem(answer, 404, "not-found")
        }

        @Test(arguments: ["e=1", "x=1", "", "e=1&k=1&s=AAAA"])
        func aQueryThatIsNoSignatureFindsNothing(_ query: String) throws {
            let (app, id, _, _) = try drawing()
            for request in [
                app.request("GET", "drawings/\(id)/image?\(query)"),
                Request("GET", "/north/drawings/\(id)/image?\(query)"),
            ] {
                try expectProblem(try app.service.send(request), 404, "not-found")
            }
        }

        @Test func aSignatureIsForItsDrawing() throws {
            let (app, _, _, url) = try drawing()
            let other = try app.makeDrawing()
            let query = try #require(url.percentEncodedQuery)
            try expectProblem(
                try app.service.send(Request("GET", "/north/drawings/\(other)/image?\(query)")),
                404,
                "not-found"
            )
        }

        /// Signed with the service's own key, an hour ahead and a second ago.
        @Test(arguments: [3_600, 1, -1])
        func anExpiredURLFindsNothing(_ seconds: Int64) async throws {
            let bed = try TestBed.required
            let (app, id, image, url) = try drawing()
            let ring = try KeyRing(parsing: Array(Data(contentsOf: URL(fileURLWithPath: bed.keyFile))))
            let signer = SignedURL(keys: [1: try #require(ring.subkey(.url, version: 1))])
            let tenant = try await bed.tenantID(.north)
            // Far enough from the second's turn: what is one second ahead is asked for at once.
            let now = Int64(Date().timeIntervalSince1970)
            var query = ByteWriter(capacity: 128)
            let expiry = now + (seconds == 1 ? 30 : seconds)
            signer.appendQueryStart(to: &query, expiry: expiry)
            SHA256.digest(of: image).bytes.withUnsafeBytes { hash in
                query.append(atMost: SignedURL.signatureBytes) {
                    signer.appendSignature(
                        to: &$0,
                        tenant: tenant,
                        drawing: DrawingID(rawValue: Int64(id)),
                        hash: hash,
                        expiry: expiry
                    )
                }
            }
            let answer = try app.service.send(
                Request("GET", url.path + String(decoding: query.finish(), as: UTF8.self))
            )
            if seconds > 0 {
                #expect(answer.body == image)
            } else {
                try expectProblem(answer, 404, "not-found")
            }
        }
    }
}
