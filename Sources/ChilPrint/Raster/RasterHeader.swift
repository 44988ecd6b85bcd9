/// The 1,796 bytes before a page (PWG 5102.4 §4.3), numbers with their highest byte first.
struct RasterHeader {
    static let signature = Array("RaS2".utf8)
    static let byteCount = 1_796

    let form: RasterForm
    let paper: PaperSize
    let pageCount: Int

    var width: Int { form.dots(paper.width) }
    var height: Int { form.dots(paper.height) }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.prefix(63).enumerated() { bytes[offset + index] = byte }
        }
        func put(_ number: Int, at offset: Int) {
            for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
        }
        put("PwgRaster", at: 0)
        put(form.resolution, at: 276)
        put(form.resolution, at: 280)
        // How often is the job's to say: 0.
        put(Int(PageLayout.points(paper.width).rounded()), at: 352)
        put(Int(PageLayout.points(paper.height).rounded()), at: 356)
        put(width, at: 372)
        put(height, at: 376)
        put(8, at: 384)
        put(8 * form.channels, at: 388)
        put(width * form.channels, at: 392)
        put(form.isColour ? 19 : 18, at: 400)
        put(form.channels, at: 420)
        put(pageCount, at: 452)
        put(1, at: 456)
        put(1, at: 460)
        put(0xFF_FFFF, at: 480)
        put(4, at: 484)
        put(paper.keyword, at: 1_732)
        return bytes
    }
}
