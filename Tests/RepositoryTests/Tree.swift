import Foundation

/// The checkout that these tests were built from.
enum Tree {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    static func swiftFiles(under folder: String) throws -> [String] {
        let start = root + "/" + folder
        let all = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
        let files = all.filter { $0.hasSuffix(".swift") }.map { start + "/" + $0 }
        guard !files.isEmpty else { throw Empty(folder: folder) }
        return files
    }

    static func lines(of file: String) throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
    }

    static func name(of file: String) -> String {
        String(file.dropFirst(root.count + 1))
    }

    struct Empty: Error {
        let folder: String
    }
}
