import CZlib

/// Unpacks a zlib stream piece by piece (zlib.h, `inflate`). Memory: its window of 32 KiB, whatever the stream claims.
struct Inflater: ~Copyable {
    // zlib keeps a pointer back to its stream, which must therefore not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: [UInt8]
    private(set) var isAtEnd = false

    init?(_ input: [UInt8]) {
        self.input = input
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard !input.isEmpty, inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Fills `output` as far as the stream goes and says how far; `nil` if the stream is damaged or ends early.
    mutating func fill(_ output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard !isAtEnd, output.count > 0 else { return 0 }
        let consumed = Int(stream.pointee.total_in)
        let result = input.withUnsafeBufferPointer { bytes in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress! + consumed)
            stream.pointee.avail_in = UInt32(bytes.count - consumed)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            return inflate(stream, Z_NO_FLUSH)
        }
        let count = output.count - Int(stream.pointee.avail_out)
        switch result {
        case Z_STREAM_END:
            isAtEnd = true
            return count
        case Z_OK where count == output.count: return count
        default: return nil
        }
    }
}
