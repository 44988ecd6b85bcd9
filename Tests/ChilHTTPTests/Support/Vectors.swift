import Foundation

/// The public test vectors that stand beside the project (`CHIL_VECTORS`, else `../shared/vectors`).
enum Vectors {
    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "test vectors are missing at \(path): check them out there, or set CHIL_VECTORS to their folder"
        }
    }

    static func load<Cases: Decodable>(_ path: String, as type: Cases.Type = Cases.self) throws -> Cases {
        let folder = ProcessInfo.processInfo.environment["CHIL_VECTORS"] ?? "../shared/vectors"
        let file = "\(folder)/\(path)"
        guard let data = FileManager.default.contents(atPath: file) else { throw Missing(path: file) }
        return try JSONDecoder().decode(type, from: data)
    }

    static func bytes(base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map { [UInt8]($0) } ?? []
    }
}
