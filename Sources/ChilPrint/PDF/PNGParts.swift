/// The chunks of a PNG that a page needs. The file was judged by `ImageProbe`; here lengths are only kept in bounds.
struct PNGParts {
    private(set) var palette: [UInt8] = []
    private(set) var transparency: [UInt8] = []
    /// All `IDAT` chunks, one after the other: a zlib stream.
    private(set) var pixels: [UInt8] = []

    init(of file: [UInt8]) {
        pixels.reserveCapacity(file.count)
        var at = 8
        while at + 12 <= file.count {
            let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let body = at + 8
            guard length <= file.count - body - 4 else { return }
            switch String(decoding: file[at + 4..<body], as: UTF8.self) {
            case "PLTE": palette = Array(file[body..<body + length])
            case "tRNS": transparency = Array(file[body..<body + length])
            case "IDAT": pixels += file[body..<body + length]
            default: break
            }
            at = body + length + 4
        }
    }
}
