/// Packs rows of pixels as PWG raster does (PWG 5102.4 §4.4): how often a row comes, then runs of equal and of different pixels.
struct RasterPacker {
    private let pixelBytes: Int
    private var row: [UInt8] = []
    private var count = 0
    private(set) var bytes: [UInt8] = []

    init(pixelBytes: Int) {
        self.pixelBytes = pixelBytes
    }

    mutating func add(_ next: [UInt8], times: Int = 1) {
        if next != row {
            flush()
            row = next
        }
        count += times
        while count > 256 {
            let rest = count - 256
            count = 256
            let same = row
            flush()
            (row, count) = (same, rest)
        }
    }

    /// What is packed so far, the row at hand included only with `isEnd`.
    mutating func taken(isEnd: Bool = false) -> [UInt8] {
        if isEnd { flush() }
        defer { bytes = [] }
        return bytes
    }

    private mutating func flush() {
        guard count > 0 else { return }
        bytes.append(UInt8(count - 1))
        let pixelCount = row.count / pixelBytes
        var at = 0
        while at < pixelCount {
            var run = 1
            while at + run < pixelCount, run < 128, isSame(at, at + run) { run += 1 }
            if run > 1 || at + 1 == pixelCount {
                bytes.append(UInt8(run - 1))
                bytes += row[at * pixelBytes..<(at + 1) * pixelBytes]
                at += run
                continue
            }
            // Until two of them are the same.
            while at + run < pixelCount, run < 128, at + run + 1 == pixelCount || !isSame(at + run, at + run + 1) {
                run += 1
            }
            bytes.append(run == 1 ? 0 : UInt8(257 - run))
            bytes += row[at * pixelBytes..<(at + run) * pixelBytes]
            at += run
        }
        (row, count) = ([], 0)
    }

    private func isSame(_ left: Int, _ right: Int) -> Bool {
        for byte in 0..<pixelBytes where row[left * pixelBytes + byte] != row[right * pixelBytes + byte] {
            return false
        }
        return true
    }
}
