import Foundation

/// A page as poppler draws it: an independent reader of what was written.
struct RenderedPage {
    struct Pixel: Equatable { let red, green, blue: UInt8 }

    let width: Int
    let height: Int
    let samples: [UInt8]

    struct Failure: Error { let text: String }

    init(_ document: [UInt8], resolution: Int = 72, page: Int = 1) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("page.pdf")
        try Data(document).write(to: file)
        let talk = try Self.run(
            "pdftoppm",
            ["-r", "\(resolution)", "-f", "\(page)", "-l", "\(page)", "-singlefile", file.path, folder.path + "/page"]
        )
        // Poppler repairs what it can and only says so: a single word of complaint is a failure here.
        guard talk.isEmpty else { throw Failure(text: talk) }
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("page.ppm")))
        try self.init(portablePixmap: bytes)
    }

    /// As poppler and GraphicsMagick write it: three lines, then the samples.
    init(portablePixmap bytes: [UInt8]) throws {
        let head = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        guard head.count == 4 else { throw Failure(text: "no pixmap") }
        let size = String(decoding: head[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        self.init(width: size[0], height: size[1], samples: Array(head[3]))
    }

    private init(width: Int, height: Int, samples: [UInt8]) {
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    func painted(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: [UInt8]) -> Self {
        var samples = samples
        for row in rows.clamped(to: 0..<height) {
            // As wax does, it makes nothing lighter.
            for at in columns.clamped(to: 0..<width).map({ (row * width + $0) * 3 }) {
                for channel in 0..<3 { samples[at + channel] = min(samples[at + channel], colour[channel]) }
            }
        }
        return Self(width: width, height: height, samples: samples)
    }

    subscript(column: Int, row: Int) -> Pixel {
        let at = (row * width + column) * 3
        return Pixel(red: samples[at], green: samples[at + 1], blue: samples[at + 2])
    }

    /// Left, top, right and bottom of what is not white.
    var ink: [Int] {
        var (left, top, right, bottom) = (width, height, -1, -1)
        for row in 0..<height {
            for column in 0..<width where self[column, row] != Pixel(red: 255, green: 255, blue: 255) {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), max(bottom, row))
            }
        }
        return [left, top, right, bottom]
    }

    static func run(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let talk = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                text:
                    "\(tool) ended with \(process.terminationStatus): \(talk) (apt-get install poppler-utils zbar-tools cups-filters)"
            )
        }
        return talk
    }
}
