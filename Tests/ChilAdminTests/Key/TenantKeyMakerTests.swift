import ChilCore
import ChilStore
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct TenantKeyMakerTests {
    /// One thumbprint in 64 begins with a dash, and `key revoke TENANT KEY` would take that for a flag.
    @Test func aKeysIDIsNoFlag() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("chil-keys-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let isMade = FileManager.default.createFile(
            atPath: path,
            contents: Data("1:\(String(repeating: "5a", count: 32))\n".utf8),
            attributes: [.posixPermissions: 0o600]
        )
        try #require(isMade)
        let maker = try TenantKeyMaker(keyFile: path)
        let now = Timestamp(seconds: 1_796_000_000)
        let ids = try (0..<500).map { _ in try maker.key(for: TenantID(rawValue: 1), .next, at: now).keyID }
        #expect(ids.filter { $0.hasPrefix("-") } == [])
        #expect(Set(ids).count == 500)
    }
}
