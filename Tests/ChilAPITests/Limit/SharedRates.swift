import Foundation
import Testing

/// What tests of limits that many loops share have in common.
enum SharedRates {
    static func tenant(_ slug: String, _ limits: String...) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        for limit in limits { try bed.administration.run("limit set \(slug) \(limit)") }
        return tenant
    }

    /// Asks without a pause until `end`: how often it was served.
    static func flood(_ app: App, until end: ContinuousClock.Instant) throws -> Int {
        let connection = try Connection(to: app.service.port)
        var served = 0
        while ContinuousClock.now < end {
            switch try connection.send(app.request("GET", "me")).status {
            case 200: served += 1
            case 429: break
            case let status: Issue.record("\(status)")
            }
        }
        return served
    }
}
