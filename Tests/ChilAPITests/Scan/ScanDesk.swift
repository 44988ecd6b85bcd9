import ChilDevEpson
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// A scanner of a person's, and what Epson's service would push for it.
struct ScanDesk {
    let app: App
    let name: String
    /// Behind the tenant: `scan/…`.
    let path: String

    init(of app: App, serial: String? = nil) throws {
        self.app = app
        name = "scanner-\(UUID())"
        let serial = serial.map { " --serial \($0)" } ?? ""
        let said = try TestBed.required.administration.run(
            "scanner add \(app.tenant.slug) --name \(name) --user \(app.userID)\(serial) -o json"
        )
        path = try Self.path(in: said, app.tenant)
    }

    /// The address in what `chiladmin` printed.
    static func path(in said: String, _ tenant: Tenant) throws -> String {
        let start = try #require(said.range(of: "\(Service.publicURL)/\(tenant.slug)/"))
        return String(said[start.upperBound...].prefix { !$0.isWhitespace && $0 != "\"" })
    }

    static func push(_ pages: [[UInt8]], to path: String, of tenant: Tenant, serial: String = "X5YZ012345") -> Request {
        let push = EpsonPush(serial: serial, pages: pages.map { ("EPSON 001.JPG", $0) })
        return Request("POST", "/\(tenant.slug)/\(path)", type: EpsonPush.contentType, body: push.body)
    }

    func push(_ pages: [UInt8]..., serial: String = "X5YZ012345") throws -> Answer {
        try app.service.send(Self.push(pages, to: path, of: app.tenant, serial: serial))
    }

    /// The person's scanned drawings, newest first, once there are so many.
    func drawings(_ count: Int) throws -> [[String: Any]] {
        var data: [[String: Any]] = []
        try waitUntil(.seconds(60)) {
            data = try app.send("GET", "drawings?type=SCANNED").array("data")
            return data.count >= count
        }
        #expect(data.count == count)
        return data
    }
}
