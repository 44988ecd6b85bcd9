import CZlib

/// Packs rows into a zlib stream (zlib.h, `deflate`).
package struct Deflater: ~Copyable {
    private static let pieceByteCount = 65_536
    private static let level: Int32 = 6

    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []

    package init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard deflateInit_(stream, Self.level, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    package mutating func add(_ bytes: [UInt8]) {
        run(bytes, flush: Z_NO_FLUSH)
    }

    package mutating func finish() -> [UInt8] {
        run([], flush: Z_FINISH)
        return output
    }

    private mutating func run(_ bytes: [UInt8], flush: Int32) {
        bytes.withUnsafeBufferPointer { input in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                // Neither call can fail: the stream is sound, and each turn has room for output.
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { room, count in
                    stream.pointee.next_out = room.baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    _ = deflate(stream, flush)
                    count = room.count - Int(stream.pointee.avail_out)
                }
                output += piece
            } while stream.pointee.avail_out == 0
        }
    }
}
