import Foundation
import Testing

@testable import ChilAdmin

/// Files that `--out` names: for their owner alone, whatever was there before, and whole or not at all.
@Suite struct StandardFileTests {
    private static func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-out-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [nil, 0o666, 0o644, 0o400] as [Int?])
    func itIsItsOwnersAlone(_ before: Int?) throws {
        try Self.inFolder { folder in
            let place = folder.appendingPathComponent("p.zip")
            if let before {
                try Data("old".utf8).write(to: place)
                try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: place.path)
            }
            let file = try StandardFile(path: place.path)
            try file.append(Array("new".utf8))
            if before != nil { #expect(try String(contentsOf: place, encoding: .utf8) == "old") }
            for name in try Self.names(folder) where name != "p.zip" {
                #expect(try Self.mode(folder.appendingPathComponent(name)) == 0o600)
            }
            try file.place()
            #expect(try String(contentsOf: place, encoding: .utf8) == "new")
            #expect(try Self.mode(place) == 0o600)
            #expect(try Self.names(folder) == ["p.zip"])
        }
    }

    @Test func halfAFileIsNoneAndTheOldOneStays() throws {
        try Self.inFolder { folder in
            let place = folder.appendingPathComponent("p.zip")
            try Data("old".utf8).write(to: place)
            try StandardFile(path: place.path).append(Array("ne".utf8))
            #expect(try String(contentsOf: place, encoding: .utf8) == "old")
            #expect(try Self.names(folder) == ["p.zip"])
        }
    }

    /// Also one that leads nowhere yet: nothing is made where it leads.
    @Test(arguments: [true, false])
    func aLinkIsNotFollowed(_ leadsSomewhere: Bool) throws {
        try Self.inFolder { folder in
            let (link, other) = (folder.appendingPathComponent("p.zip"), folder.appendingPathComponent("other"))
            if leadsSomewhere { try Data("other's".utf8).write(to: other) }
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other)
            #expect(throws: AdminFault.self) { try StandardFile(path: link.path) }
            #expect(throws: AdminFault.self) { try TransferFile.open(link.path) }
            #expect(try Self.names(folder) == (leadsSomewhere ? ["other", "p.zip"] : ["p.zip"]))
            if leadsSomewhere { #expect(try String(contentsOf: other, encoding: .utf8) == "other's") }
        }
    }

    @Test func aFolderIsRefused() throws {
        try Self.inFolder { folder in
            #expect(throws: AdminFault.self) { try StandardFile(path: folder.path) }
        }
    }

    @Test func linesOfATransferBecomeTheirOwnersAlone() throws {
        try Self.inFolder { folder in
            let place = folder.appendingPathComponent("users.csv")
            try Data("1\n".utf8).write(to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.path)
            let opened = try TransferFile.open(place.path)
            try opened.file.append(Array("2\n".utf8))
            #expect(opened.bytes == Array("1\n".utf8))
            #expect(try Self.mode(place) == 0o600)
        }
    }
}
