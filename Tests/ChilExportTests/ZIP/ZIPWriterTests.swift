import ChilCore
import ChilTestSupport
import Testing

@testable import ChilExport

@Suite struct ZIPWriterTests {
    private struct PlainName: ZIPName {
        let text: String
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var entries: [(name: String, bytes: [UInt8], isLarge: Bool)]
        var start: UInt64 = 0
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "nothing in it", entries: []),
        Case(name: "an empty file", entries: [("a.json", [], false)]),
        Case(name: "an empty file that could have been large", entries: [("a.json", [], true)]),
        Case(
            name: "small and large ones in turn",
            entries: [("a.json", Array("{}".utf8), true), ("b/c.png", Array(0...255), false), ("d", [0], true)]
        ),
        Case(name: "a name that is not ASCII", entries: [("그림/하나.png", [1, 2, 3], false)]),
        Case(
            name: "as many entries as 16 bits cannot count",
            entries: (0..<65_535).map { ("\($0)", [UInt8(truncatingIfNeeded: $0)], false) }
        ),
        Case(
            name: "one fewer",
            entries: (0..<65_534).map { ("\($0)", [], false) }
        ),
        Case(
            name: "entries on both sides of 4 GiB",
            entries: [("a", [1], false), ("b", [2, 3], false), ("c", [4], true)],
            start: UInt64(UInt32.max) - 60
        ),
        Case(name: "beyond 4 GiB", entries: [("a", [1], false), ("b", [2], true)], start: 6 << 30),
    ]

    @Test(arguments: cases) func whatIsWrittenIsRead(_ sample: Case) throws {
        var zip = ZIPWriter<PlainName>(at: Timestamp(seconds: 1_780_315_200), from: sample.start)
        var bytes: [UInt8] = []
        for entry in sample.entries {
            bytes += zip.begin(PlainName(text: entry.name), isLarge: entry.isLarge)
            for piece in [entry.bytes.prefix(1), entry.bytes.dropFirst()] {
                zip.add(Array(piece))
                bytes += piece
            }
            bytes += zip.end()
        }
        while let piece = zip.nextDirectoryPiece() { bytes += piece }
        let more = zip.nextDirectoryPiece()
        #expect(more == nil)
        let read = try ZIPReader(bytes, from: sample.start).entries()
        #expect(read.map(\.name) == sample.entries.map(\.name))
        #expect(read.map(\.bytes) == sample.entries.map(\.bytes))
    }

    /// 4 GiB in one entry, without 4 GiB of memory: the directory names the size in 64 bits.
    @Test func anEntryOf4GiBHasItsSizeIn64Bits() throws {
        var zip = ZIPWriter<PlainName>(at: Timestamp(seconds: 0))
        _ = zip.begin(PlainName(text: "large"), isLarge: true)
        let mebibyte = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<4_096 { zip.add(mebibyte) }
        let descriptor = zip.end()
        #expect(Array(descriptor[8..<16]) == [0, 0, 0, 0, 1, 0, 0, 0])
        let piece = zip.nextDirectoryPiece()
        let directory = try #require(piece)
        let extra = Array(directory.suffix(20))
        #expect(extra == [UInt8]([1, 0, 16, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]))
        #expect(Array(directory[20..<28]) == [UInt8](repeating: 0xff, count: 8))
    }

    @Test(arguments: [
        ("1970, before MS-DOS", 0, UInt16(0x0021), UInt16(0)),
        ("2026-06-01 12:00:00", 1_780_315_200, UInt16(46 << 9 | 6 << 5 | 1), UInt16(12 << 11)),
        ("2024-02-29 23:59:59", 1_709_251_199, UInt16(44 << 9 | 2 << 5 | 29), UInt16(23 << 11 | 59 << 5 | 29)),
    ])
    func timesAreThoseOfMSDOS(_ row: (name: String, seconds: Int64, date: UInt16, time: UInt16)) {
        let moment = ZIPDate(Timestamp(seconds: row.seconds))
        #expect(moment.date == row.date && moment.time == row.time || row.seconds == 0 && moment.date >> 9 == 0)
    }
}
