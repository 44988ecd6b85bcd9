package import ChilCore
package import Foundation

/// The public test vectors beside the project; they are never copied into it.
package enum Vectors {
    /// Says loudly how to get what is missing.
    package struct Missing: Error, CustomStringConvertible {
        package let path: String
        package let cause: String

        package var description: String {
            """
            No test vectors at \(path) (\(cause)). Put the vectors (see SOURCES.md there) at ../shared/vectors beside the \
            project, or set CHIL_VECTORS to their folder.
            """
        }
    }

    /// CHIL_VECTORS, or `../shared/vectors` seen from the project's root.
    package static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["CHIL_VECTORS"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("shared/vectors")
    }()

    /// The bytes of a file. (`Data(contentsOf:)` loses 4 KiB for an empty file, which the leak check then tells.)
    package static func bytes(_ path: String) throws -> [UInt8] {
        let url = root.appendingPathComponent(path)
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            return [UInt8](try handle.readToEnd() ?? Data())
        } catch {
            throw Missing(path: url.path, cause: "\(error)")
        }
    }

    /// The names of a folder's files, sorted.
    package static func names(in path: String) throws -> [String] {
        let url = root.appendingPathComponent(path)
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        } catch {
            throw Missing(path: url.path, cause: "\(error)")
        }
    }

    /// A file's JSON as values of a type.
    package static func load<Cases: Decodable>(_ path: String, as type: Cases.Type = Cases.self) throws -> Cases {
        try JSONDecoder().decode(type, from: Data(try bytes(path)))
    }

    package static func bytes(base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map { [UInt8]($0) } ?? []
    }

    /// A file's JSON, read by the project's own parser with limits wide enough for vectors.
    package static func json(_ path: String) throws -> JSONObject {
        let limits = JSONLimits(bytesMax: 64 << 20, depthMax: 64, valuesMax: 1 << 20)
        guard let object = try StrictJSON.parse(try bytes(path), limits: limits).object else {
            throw Missing(path: path, cause: "not a JSON object")
        }
        return object
    }
}

extension JSONObject {
    /// A member that a vector always has; empty text if it is missing, which no expectation survives.
    package func text(_ name: String) -> String {
        self[name]?.string ?? ""
    }

    /// The bytes of a member in hex.
    package func hex(_ name: String) -> [UInt8] {
        Hex.decode(text(name)) ?? []
    }

    /// The objects in a member that is an array.
    package func objects(_ name: String) -> [JSONObject] {
        (self[name]?.array ?? []).compactMap(\.object)
    }

    /// The test's number in a Wycheproof file.
    package var testID: Int64 {
        self["tcId"]?.int64 ?? -1
    }
}
