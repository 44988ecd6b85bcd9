import ChilCore
import ChilHTTP

extension EpsonSimulatorState {
    private static let destinationsMax = 16

    mutating func notification(_ ask: EpsonAsk) -> EpsonReply {
        guard let members = try? StrictJSON.parse(ask.body).object, let isOn = members["notification"]?.bool else {
            return .fault(.badRequest, ask.isV1 ? "validation_error" : "invalid_resource")
        }
        let url = (members["callback_uri"] ?? members["callbackUri"])?.string
        if isOn, !(11...2_048).contains(url?.utf8.count ?? 0) {
            return .fault(.badRequest, ask.isV1 ? "validation_error" : "invalid_resource")
        }
        callback = isOn ? url : nil
        return EpsonReply(ask.isV1 ? .ok : .noContent)
    }

    mutating func destinations(_ ask: EpsonAsk) -> EpsonReply {
        let members = (try? StrictJSON.parse(ask.body))?.object
        let id = ask.isV1 ? members?["id"]?.string : ask.path.count > 4 ? ask.path[4] : nil
        switch ask.method {
        case .get:
            return EpsonReply(
                .ok,
                "{\"destinations\":[\(destinations.map { shown($0, ask.isV1) }.joined(separator: ","))]}"
            )
        // A client of generation 1 that is not ours changes by POST.
        case .post where id == nil: return add(members, ask.isV1)
        case .post, .put: return change(id, members, ask.isV1)
        case .delete:
            guard let id, destinations.contains(where: { $0.id == id }) else { return unknown(ask.isV1) }
            destinations.removeAll { $0.id == id }
            return EpsonReply(ask.isV1 ? .ok : .noContent, ask.isV1 ? "{}" : "")
        default: return .fault(.methodNotAllowed, "method_not_allowed")
        }
    }

    private mutating func add(_ members: JSONObject?, _ isV1: Bool) -> EpsonReply {
        guard let draft = draft(members, isV1, id: word("destination")) else {
            return .fault(.badRequest, isV1 ? "validation_error" : "invalid_resource")
        }
        if destinations.contains(where: { $0.alias == draft.alias }) {
            return .fault(.badRequest, isV1 ? "duplicate_alias" : "duplicate_alias_name")
        }
        guard destinations.count < Self.destinationsMax else { return .fault(.forbidden, "destination_limit_exceeded") }
        destinations.append(draft)
        return EpsonReply(.created, isV1 ? shown(draft, true) : #"{"destinationId":"\#(draft.id)"}"#)
    }

    private mutating func change(_ id: String?, _ members: JSONObject?, _ isV1: Bool) -> EpsonReply {
        guard let id, let index = destinations.firstIndex(where: { $0.id == id }) else { return unknown(isV1) }
        guard let draft = draft(members, isV1, id: id) else {
            return .fault(.badRequest, isV1 ? "validation_error" : "invalid_resource")
        }
        destinations[index] = draft
        return EpsonReply(isV1 ? .ok : .noContent, isV1 ? shown(draft, true) : "")
    }

    private func draft(_ members: JSONObject?, _ isV1: Bool, id: String) -> Destination? {
        guard let alias = (members?["alias_name"] ?? members?["aliasName"])?.string,
            let type = (members?["type"] ?? members?["destinationService"])?.string,
            let destination = members?["destination"]?.string, (1...(isV1 ? 32 : 20)).contains(alias.count),
            ["mail", "url"].contains(type), (4...544).contains(destination.utf8.count)
        else { return nil }
        return Destination(id: id, alias: alias, type: type, destination: destination)
    }

    private func unknown(_ isV1: Bool) -> EpsonReply {
        .fault(.notFound, isV1 ? "not_found" : "destination_not_found")
    }

    private func shown(_ destination: Destination, _ isV1: Bool) -> String {
        func text(_ value: String) -> String {
            var writer = ByteWriter(capacity: 64)
            writer.append(json: value)
            return String(decoding: writer.finish(), as: UTF8.self)
        }
        let names = isV1 ? ("id", "alias_name", "type") : ("destinationId", "aliasName", "destinationService")
        return
            "{\"\(names.0)\":\(text(destination.id)),\"\(names.1)\":\(text(destination.alias)),\"\(names.2)\":"
            + "\(text(destination.type)),\"destination\":\(text(destination.destination))}"
    }
}
