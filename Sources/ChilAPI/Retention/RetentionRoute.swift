import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET retention`: for how long what is kept, for everybody to read. Each class has its limit; `forever` is one too.
    func retention(_ call: Call) async throws -> Response {
        let rules = try await RetentionList(of: call.tenant.id).rows(from: database)
        var body = ByteWriter(capacity: 1_024)
        body.append("{\"data\":[")
        for (index, rule) in rules.enumerated() {
            body.append(index == 0 ? "{\"class\":" : ",{\"class\":")
            body.append(json: rule.kind.rawValue)
            if let days = rule.days {
                body.append(",\"days\":")
                body.append(decimal: Int64(days))
            }
            body.append(",\"forever\":")
            body.append(json: rule.days == nil)
            body.append("}")
        }
        body.append("]}")
        return .json(.ok, &body)
    }
}
