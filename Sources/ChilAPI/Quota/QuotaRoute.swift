import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET quota`: the limits of the tenant and of the caller, and what is used of them. What is not listed has no limit.
    func quotas(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let quotas = try await OwnQuotas(of: session.user, in: session.tenant, at: call.now).rows(from: database)
        var body = ByteWriter(capacity: 32 + quotas.count * 192)
        body.append("{\"data\":[")
        for (index, quota) in quotas.enumerated() {
            if index > 0 { body.append(",") }
            QuotaJSON.append(quota, to: &body)
        }
        body.append("]}")
        return .json(.ok, &body)
    }
}

enum QuotaJSON {
    static func append(_ quota: OwnQuota, to json: inout ByteWriter) {
        json.append("{\"metric\":")
        json.append(json: quota.key.metric.rawValue)
        json.append(",\"scope\":")
        json.append(json: quota.key.scope.rawValue)
        json.append(",\"window\":")
        json.append(json: quota.key.window.rawValue)
        json.append(",\"limit\":")
        json.append(decimal: quota.terms.limit)
        if let softLimit = quota.terms.softLimit {
            json.append(",\"softLimit\":")
            json.append(decimal: softLimit)
        }
        json.append(",\"used\":")
        json.append(decimal: quota.used)
        json.append(",\"remaining\":")
        json.append(decimal: quota.remaining)
        if let resetsAt = quota.resetsAt {
            json.append(",\"resetsAt\":")
            json.append(json: resetsAt)
        }
        json.append(",\"action\":")
        json.append(json: quota.terms.action.rawValue)
        json.append("}")
    }
}
