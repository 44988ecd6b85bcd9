import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop

/// Where good sets are kept for a start without the issuer.
protocol KeySetShelf {
    /// The set as the issuer gave it; nil if there is none, or none can be had now.
    func load(_ name: KeySetName) async -> (body: [UInt8], fetchedAt: Timestamp)?
    func keep(_ body: [UInt8], of name: KeySetName, fetchedAt: Timestamp) async
}

/// Does what `KeySetCache` wants done, on one loop of the process. Not `Sendable`.
final class KeySetFetcher {
    private let cache: KeySetCache
    private let shelf: any KeySetShelf
    private let loop: EventLoop
    private let log: ServiceLog

    init(_ cache: KeySetCache, _ shelf: any KeySetShelf, on loop: EventLoop, _ log: ServiceLog) {
        self.cache = cache
        self.shelf = shelf
        self.loop = loop
        self.log = log
    }

    func obtain(_ name: KeySetName) async {
        if cache.mustLoad(name) {
            let kept = await shelf.load(name)
            let keys = kept.flatMap { try? JWKSet(parsing: $0.body).keys }
            let age = kept.map { loop.wallClock - $0.fetchedAt } ?? .zero
            if cache.loaded(keys, age: age, of: name, at: loop.monotonicNow) { return }
        }
        switch await Self.fetch(name, on: loop) {
        case .success(let set):
            cache.fetched(set.keys, of: name, at: loop.monotonicNow)
            await shelf.keep(set.body, of: name, fetchedAt: loop.wallClock)
        case .failure(let fault):
            cache.failed(name)
            log.write(.warning, "key set not fetched", [("url", name.url), ("fault", fault.text)])
        }
    }

    private struct Fault: Error {
        let text: String
    }

    /// A set is taken whole or not at all.
    private static func fetch(
        _ name: KeySetName,
        on loop: EventLoop
    ) async -> Result<(keys: KeySet, body: [UInt8]), Fault> {
        guard let url = HTTPURL(name.url) else { return .failure(Fault(text: "no http or https URL")) }
        var request = ClientRequest(
            .get,
            url,
            fields: [("Accept", "application/json"), ("Accept-Encoding", "identity")]
        )
        request.responseBytesMax = JWKSet.bytesMax
        request.patience = patience
        do {
            let response = try await HTTPClient(on: loop, name.addressGuard).send(request)
            // A redirect is an answer like any other: no address that an answer names is ever asked.
            guard response.statusCode == 200 else { return .failure(Fault(text: "status \(response.statusCode)")) }
            guard response.isPlain else { return .failure(Fault(text: "its content is encoded")) }
            let set = try JWKSet(parsing: response.body)
            guard !set.keys.keys.isEmpty else { return .failure(Fault(text: "no usable key in it")) }
            return .success((set.keys, response.body))
        } catch {
            return .failure(Fault(text: "\(error)"))
        }
    }

    /// From the name's resolution to the last byte.
    static let patience = Duration.seconds(5)
}

extension ClientResponse {
    /// Without a content coding (RFC 9110 §8.4): a small body that unpacks to a large one is never unpacked.
    fileprivate var isPlain: Bool {
        guard let coding = head.field("Content-Encoding") else { return true }
        return String(decoding: coding, as: UTF8.self).lowercased() == "identity"
    }
}
