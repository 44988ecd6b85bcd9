import ChilCore
import ChilHTTP

/// Where a printer can send what it scans, and where jobs are told of.
extension EpsonClient {
    /// A destination's name has at most so many characters.
    package static func aliasMax(_ generation: EpsonGeneration) -> Int { generation == .v1 ? 32 : 20 }

    package func destinations() async throws(EpsonFault) -> [EpsonDestination] {
        let response: ClientResponse
        switch site.generation {
        case .v1: response = try await call(.get, Self.destinationsV1)
        case .v2: response = try await call(.get, { _ in Self.destinationsV2 })
        }
        let list = try EpsonWire.members(response)["destinations"]?.array ?? []
        return list.compactMap { entry in
            guard let members = entry.object, let id = (members["id"] ?? members["destinationId"])?.string else {
                return nil
            }
            return EpsonDestination(
                id: id,
                alias: (members["alias_name"] ?? members["aliasName"])?.string ?? "",
                destination: members["destination"]?.string ?? ""
            )
        }
    }

    /// What the service calls it.
    package func addDestination(_ alias: String, _ url: String) async throws(EpsonFault) -> String {
        let id: String?
        switch site.generation {
        case .v1:
            let answer = try await call(.post, Self.destinationsV1, Self.bodyV1(nil, alias, url))
            id = try EpsonWire.members(answer)["id"]?.string
        case .v2:
            let answer = try await call(.post, { _ in Self.destinationsV2 }, Self.bodyV2(alias, url))
            id = try EpsonWire.members(answer)["destinationId"]?.string
        }
        guard let id, EpsonText.isWord(id) else { throw .answerLost("its answer has no number of the destination") }
        return id
    }

    package func setDestination(_ id: String, _ alias: String, _ url: String) async throws(EpsonFault) {
        switch site.generation {
        case .v1: _ = try await call(.put, Self.destinationsV1, Self.bodyV1(id, alias, url))
        case .v2: _ = try await call(.put, { _ in "\(Self.destinationsV2)/\(id)" }, Self.bodyV2(alias, url))
        }
    }

    package func removeDestination(_ id: String) async throws(EpsonFault) {
        switch site.generation {
        case .v1: _ = try await call(.delete, Self.destinationsV1, EpsonText.json([("id", .text(id))]))
        case .v2: _ = try await call(.delete, { _ in "\(Self.destinationsV2)/\(id)" })
        }
    }

    /// Has the service tell of jobs at an address, or at none. What it tells is not signed: whoever hears it asks for the job.
    package func setNotification(to url: String?) async throws(EpsonFault) {
        switch site.generation {
        case .v1:
            let body = EpsonText.json([("notification", .flag(url != nil)), ("callback_uri", .text(url ?? ""))])
            _ = try await call(.post, { "/api/1/printing/printers/\($0)/settings/notification" }, body)
        case .v2:
            // By a token of the client's own: it is for all its printers.
            guard let place = EpsonSite.url(site.api, "/api/2/printing/settings/notification") else {
                throw .misconfigured("The service's address is none.")
            }
            let grant = try await EpsonGranting(site, on: loop).application()
            let body = EpsonText.json([("notification", .flag(url != nil)), ("callbackUri", .text(url ?? ""))])
            _ = try await wire.send(
                request(.post, place, body, grant.access),
                site.guarding,
                patience: site.patience.call
            )
        }
    }

    private static let destinationsV2 = "/api/2/scanning/destinations"

    private static func destinationsV1(_ device: String) -> String { "/api/1/scanning/scanners/\(device)/destinations" }

    private static func bodyV1(_ id: String?, _ alias: String, _ url: String) -> [UInt8] {
        let members: [(name: StaticString, value: EpsonText.Value)] = [
            ("alias_name", .text(alias)), ("type", .text("url")), ("destination", .text(url)),
        ]
        return EpsonText.json((id.map { [("id", .text($0))] } ?? []) + members)
    }

    private static func bodyV2(_ alias: String, _ url: String) -> [UInt8] {
        EpsonText.json([
            ("aliasName", .text(alias)), ("destinationService", .text("url")), ("destination", .text(url)),
        ])
    }
}
