package import ChilCore

/// Writes a ZIP archive front to back, knowing of no entry how long it will be (APPNOTE.TXT 6.3.10): stored entries, their sizes and
/// check values behind them in data descriptors, and ZIP64 where 32 bits do not do.
///
/// It gives the bytes around the entries' own and keeps none of them: some 40 bytes for each entry, for the directory at the end.
package struct ZIPWriter<Name: ZIPName> {
    private struct Entry {
        let name: Name
        let isLarge: Bool
        var crc: UInt32 = 0
        var byteCount: UInt64 = 0
    }

    /// Blocks, so that growing never copies them all.
    private var blocks: [[Entry]] = []
    private var open: Entry?
    private var crc = CRC32()
    private let date: ZIPDate
    /// Where the next byte goes.
    private(set) var offset: UInt64
    private let start: UInt64
    private(set) var entryCount: UInt64 = 0
    private var directory: DirectoryPosition?

    /// - Parameters:
    ///   - moment: when all entries were made.
    ///   - offset: bytes before the archive's first.
    package init(at moment: Timestamp, from offset: UInt64 = 0) {
        date = ZIPDate(moment)
        self.offset = offset
        start = offset
    }

    /// Opens an entry: the bytes that go before its own.
    ///
    /// - Parameter isLarge: it may have 4 GiB or more. Readers learn it here, before its size is known.
    package mutating func begin(_ name: Name, isLarge: Bool) -> [UInt8] {
        var header = LittleEndian()
        header.append(ZIPFormat.localHeader)
        appendCommon(name, isLarge: isLarge, crc: 0, byteCount: isLarge ? .max : 0, to: &header)
        header.append(UInt16(isLarge ? 20 : 0))
        header.append(text: name.text)
        if isLarge {
            header.append(ZIPFormat.zip64Extra)
            header.append(UInt16(16))
            header.append(UInt64(0))
            header.append(UInt64(0))
        }
        open = Entry(name: name, isLarge: isLarge)
        crc = CRC32()
        return counted(header)
    }

    /// Takes note of bytes of the open entry, which the caller passes on itself.
    package mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { crc.update($0) }
        open?.byteCount += UInt64(bytes.count)
        offset += UInt64(bytes.count)
    }

    /// Closes the open entry: the bytes that go behind its own.
    package mutating func end() -> [UInt8] {
        guard var entry = open else { return [] }
        open = nil
        entry.crc = crc.value
        var descriptor = LittleEndian()
        descriptor.append(ZIPFormat.descriptor)
        descriptor.append(entry.crc)
        for _ in 0..<2 {
            if entry.isLarge {
                descriptor.append(entry.byteCount)
            } else {
                descriptor.append(UInt32(truncatingIfNeeded: entry.byteCount))
            }
        }
        keep(entry)
        return counted(descriptor)
    }

    /// The next piece of the directory, after the last entry's end; `nil` when the archive is whole.
    package mutating func nextDirectoryPiece() -> [UInt8]? {
        var position = directory ?? DirectoryPosition(start: offset, entryOffset: start)
        defer { directory = position }
        if position.block < blocks.count {
            var piece = LittleEndian()
            for entry in blocks[position.block] {
                append(entry, at: position.entryOffset, to: &piece)
                position.entryOffset += Self.span(of: entry)
            }
            position.block += 1
            return counted(piece)
        }
        guard !position.isDone else { return nil }
        position.isDone = true
        return ZIPEnd(entryCount: entryCount, start: position.start, byteCount: offset - position.start).bytes
    }

    private struct DirectoryPosition {
        let start: UInt64
        var block = 0
        /// Of the entry that is described next.
        var entryOffset: UInt64
        var isDone = false

        init(start: UInt64, entryOffset: UInt64) {
            self.start = start
            self.entryOffset = entryOffset
        }
    }

    private func append(_ entry: Entry, at offset: UInt64, to header: inout LittleEndian) {
        let isLong = entry.byteCount >= ZIPFormat.max32, isFar = offset >= ZIPFormat.max32
        header.append(ZIPFormat.centralHeader)
        header.append(ZIPFormat.madeByUnix)
        appendCommon(
            entry.name,
            isLarge: entry.isLarge || isFar,
            crc: entry.crc,
            byteCount: entry.byteCount,
            to: &header
        )
        let extra = (isLong ? 16 : 0) + (isFar ? 8 : 0)
        header.append(UInt16(extra == 0 ? 0 : extra + 4))
        header.append(UInt16(0))  // comment
        header.append(UInt16(0))  // disk
        header.append(UInt16(0))  // internal attributes
        header.append(ZIPFormat.plainFile)
        header.append(UInt32(clamping: offset))
        header.append(text: entry.name.text)
        guard extra > 0 else { return }
        header.append(ZIPFormat.zip64Extra)
        header.append(UInt16(extra))
        if isLong {
            header.append(entry.byteCount)
            header.append(entry.byteCount)
        }
        if isFar { header.append(offset) }
    }

    /// What both headers have, up to the name's length.
    private func appendCommon(
        _ name: Name,
        isLarge: Bool,
        crc: UInt32,
        byteCount: UInt64,
        to header: inout LittleEndian
    ) {
        header.append(isLarge ? ZIPFormat.neededForZIP64 : ZIPFormat.needed)
        header.append(ZIPFormat.sizesBehindAndUTF8)
        header.append(UInt16(0))  // stored
        header.append(date.time)
        header.append(date.date)
        header.append(crc)
        header.append(UInt32(clamping: byteCount))
        header.append(UInt32(clamping: byteCount))
        header.append(UInt16(name.text.utf8.count))
    }

    /// From an entry's header to the next one's.
    private static func span(of entry: Entry) -> UInt64 {
        let header = 30 + UInt64(entry.name.text.utf8.count) + (entry.isLarge ? 20 : 0)
        return header + entry.byteCount + (entry.isLarge ? 24 : 16)
    }

    private mutating func keep(_ entry: Entry) {
        entryCount += 1
        if blocks.last.map({ $0.count < Self.blockEntries }) != true {
            blocks.append([])
            blocks[blocks.count - 1].reserveCapacity(Self.blockEntries)
        }
        blocks[blocks.count - 1].append(entry)
    }

    private mutating func counted(_ text: LittleEndian) -> [UInt8] {
        offset += UInt64(text.bytes.count)
        return text.bytes
    }

    private static var blockEntries: Int { 512 }
}
