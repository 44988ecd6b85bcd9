/// Reads a ZIP archive of stored entries by its directory and holds every header, descriptor and check value against the bytes.
package struct ZIPReader {
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    package struct Entry {
        package let name: String
        package let bytes: [UInt8]
    }

    private let bytes: [UInt8]
    /// What the offsets in the archive count from.
    private let start: UInt64

    /// - Parameter start: bytes that stood before the archive, and are not given.
    package init(_ bytes: [UInt8], from start: UInt64 = 0) {
        self.bytes = bytes
        self.start = start
    }

    /// Every entry, in the directory's order.
    package func entries() throws -> [Entry] {
        let directory = try directory()
        var at = directory.start
        var entries: [Entry] = []
        var end: UInt64 = start
        for _ in 0..<directory.count {
            let (entry, length) = try entry(at, &end)
            entries.append(entry)
            at += length
        }
        guard at == directory.start + directory.byteCount, end == directory.start else {
            throw Fault(description: "bytes that belong to nothing")
        }
        return entries
    }

    private func directory() throws -> (count: UInt64, start: UInt64, byteCount: UInt64) {
        let end = start + UInt64(bytes.count) - 22
        guard try number(end, 4) == 0x0605_4b50 else { throw Fault(description: "no end of an archive") }
        let short = (try number(end + 10, 2), try number(end + 16, 4), try number(end + 12, 4))
        guard short.0 == 0xffff || short.1 == 0xffff_ffff || short.2 == 0xffff_ffff else { return short }
        guard try number(end - 20, 4) == 0x0706_4b50 else { throw Fault(description: "no locator") }
        let long = try number(end - 12, 8)
        guard try number(long, 4) == 0x0606_4b50, try number(long + 4, 8) == 44 else {
            throw Fault(description: "no end 64")
        }
        return (try number(long + 32, 8), try number(long + 48, 8), try number(long + 40, 8))
    }

    /// - Parameter end: where the entry before it ended.
    private func entry(_ at: UInt64, _ end: inout UInt64) throws -> (Entry, length: UInt64) {
        guard try number(at, 4) == 0x0201_4b50 else { throw Fault(description: "no directory entry at \(at)") }
        let flags = try number(at + 8, 2), method = try number(at + 10, 2), crc = try number(at + 16, 4)
        let nameLength = try number(at + 28, 2), extraLength = try number(at + 30, 2)
        var count = try number(at + 24, 4), local = try number(at + 42, 4)
        guard flags == 0x0808, method == 0 else { throw Fault(description: "flags \(flags), method \(method)") }
        var extra = at + 46 + nameLength + 4
        if count == 0xffff_ffff {
            count = try number(extra, 8)
            extra += 16
        }
        if local == 0xffff_ffff { local = try number(extra, 8) }
        let name = String(decoding: try slice(at + 46, nameLength), as: UTF8.self)

        guard local == end, try number(local, 4) == 0x0403_4b50, try number(local + 26, 2) == nameLength,
            try slice(local + 30, nameLength).elementsEqual(name.utf8), try number(local + 6, 2) == flags
        else { throw Fault(description: "\(name): no local header") }
        let localExtra = try number(local + 28, 2)
        let isLarge = localExtra == 20
        guard try number(local + 4, 2) == (isLarge ? 45 : 20) else { throw Fault(description: "\(name): version") }
        let first = local + 30 + nameLength + localExtra
        let content = Array(try slice(first, count))
        let width: UInt64 = isLarge ? 8 : 4
        let behind = first + count
        guard try number(behind, 4) == 0x0807_4b50, try number(behind + 4, 4) == crc,
            try number(behind + 8, width) == count, try number(behind + 8 + width, width) == count,
            UInt64(Self.crc32(content)) == crc
        else { throw Fault(description: "\(name): descriptor") }
        end = behind + 8 + 2 * width
        return (Entry(name: name, bytes: content), 46 + nameLength + extraLength)
    }

    private func slice(_ at: UInt64, _ count: UInt64) throws -> ArraySlice<UInt8> {
        guard at >= start, at - start + count <= UInt64(bytes.count) else { throw Fault(description: "past the end") }
        let first = Int(at - start)
        return bytes[first..<first + Int(count)]
    }

    private func number(_ at: UInt64, _ count: UInt64) throws -> UInt64 {
        try slice(at, count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 } ^ .max
    }
}
