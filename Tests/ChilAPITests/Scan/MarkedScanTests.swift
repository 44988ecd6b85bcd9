import ChilCore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Pages that a printer got come back by a scanner, and know their drawings.
@Suite(.testBed(), .ownThread)
struct MarkedScanTests {
    private struct Press {
        let mill: PaperMill
        let tenant: Tenant

        init(_ slug: String) throws {
            let bed = try TestBed.required
            mill = try PaperMill()
            tenant = Tenant(slug: slug)
            try bed.administration.add(tenant, bed.issuer)
            try bed.administration.run("tenant update \(slug) --job-mark on")
            try bed.administration.run("printer add \(slug) --name mill --uri \(mill.uri(0)) --default")
        }

        func person() throws -> App { try App(TestBed.required.service(), tenant, TestBed.required.issuer) }

        /// What the printer was sent: a PDF.
        func print(_ drawings: [Int], for app: App) throws -> [UInt8] {
            mill.state.withLock { $0.documents = [:] }
            let answer = try app.service.send(
                app.request("POST", "drawings/print", json: "{\"drawingIds\":\(drawings),\"scale\":\"SMALL\"}")
            )
            #expect(answer.status == 200, "\(answer.text)")
            var document: [UInt8]?
            waitUntil(.seconds(60)) {
                document = mill.state.withLock { $0.documents["/p/0"] }
                return document != nil
            }
            return try #require(document)
        }
    }

    /// A page of a document as a scanner makes it, turned.
    private static func scan(_ document: [UInt8], turned angle: Int) throws -> [UInt8] {
        let folder = try TestBed.required.folder.appendingPathComponent("scan-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (pdf, scan) = (folder.appendingPathComponent("p.pdf"), folder.appendingPathComponent("scan.jpg"))
        try Data(document).write(to: pdf)
        let commands = [
            ["pdftoppm", "-r", "150", "-singlefile", pdf.path, folder.path + "/p"],
            [
                "gm", "convert", folder.path + "/p.ppm", "-background", "white", "-rotate", "\(angle)", "-quality",
                "80",
                scan.path,
            ],
        ]
        for command in commands {
            let program = Process()
            program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            program.arguments = command
            try program.run()
            program.waitUntilExit()
            try #require(program.terminationStatus == 0, "\(command[0])")
        }
        return [UInt8](try Data(contentsOf: scan))
    }

    private static func titled(_ title: String, of app: App) throws -> Int {
        let drawing = try app.makeDrawing()
        try TestBed.required.query("update drawing set title = '\(title)' where drawing_id = \(drawing)")
        return drawing
    }

    @Test("a page that comes back is its drawing's, for its owner alone") func aPageComesBack() throws {
        let (press, rival) = (try Press("marked"), try Press("rival"))
        defer { for one in [press, rival] { one.mill.stop() } }
        let owner = try press.person(), sibling = try press.person(), stranger = try rival.person()
        let drawing = try Self.titled("Dragon", of: owner)
        let paper = try press.print([drawing], for: owner)

        let desk = try ScanDesk(of: owner)
        #expect(try desk.push(Self.scan(paper, turned: 183)).status == 200)
        let bound = try #require(try desk.drawings(1).first)
        #expect(bound["sourceId"] as? Int == drawing && bound["title"] as? String == "Dragon")
        let rows = "select source_id from scan where owner_id = \(owner.userID) order by scan_id"
        #expect(try TestBed.required.query(rows) == ["\(drawing)"])

        // The very same page, in the hands of somebody else of the tenant, and of another tenant.
        for other in [sibling, stranger] {
            let theirs = try ScanDesk(of: other)
            #expect(try theirs.push(Self.scan(paper, turned: 0)).status == 200)
            let scan = try #require(try theirs.drawings(1).first)
            #expect(scan["sourceId"] == nil && scan["title"] == nil)
            let isBound = "select source_id is not null from scan where owner_id = \(other.userID)"
            #expect(try TestBed.required.query(isBound) == ["f"])
        }

        // Deleted: a scan like any other.
        #expect(try owner.send("DELETE", "drawings/\(drawing)").status == 204)
        #expect(try desk.push(Self.scan(paper, turned: 90)).status == 200)
        let loose = try #require(try desk.drawings(2).first)
        #expect(loose["sourceId"] == nil && loose["title"] == nil)
    }

    @Test("each page of a book has its own drawing, before what the address says") func aBookComesBack() throws {
        let press = try Press("books")
        defer { press.mill.stop() }
        let owner = try press.person()
        let drawings = try ["One", "Two"].map { try Self.titled($0, of: owner) }
        let book = try press.print(drawings, for: owner)
        let opened = try owner.send("POST", "drawings/\(drawings[1])/scan-session")
        let path = String(try opened.string("url").dropFirst("\(Service.publicURL)/books/".count))
        #expect(try owner.service.send(ScanDesk.push([book], to: path, of: press.tenant)).status == 200)
        let scans = try ScanDesk(of: owner).drawings(2)
        #expect(scans.map { $0["sourceId"] as? Int } == drawings.reversed())
        #expect(scans.map { $0["title"] as? String } == ["Two", "One"])
    }
}
