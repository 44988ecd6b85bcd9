/// Makes pictures of pictures in programs of their own, off the loop: what a crafted file can do to a decoder, it does to a child
/// that has no files, little memory and seconds to live.
package final class Rasterizer: Sendable {
    package static let thumbnailSideMax = 512
    package static let flatSideMax = 1_000
    /// Of A4 at 300 dpi 2480 × 3508: enough to print a scan again.
    package static let scanSideMax = 3_508
    private static let jpegQuality = 88
    /// GraphicsMagick's own bound on pixels in memory, below the kernel's on all of the process.
    private static let pixelBytesMax = "900MB"

    package let programs: RasterPrograms
    private let limits: ChildLimits
    private let slots: ChildSlots

    /// - Parameter runningMax: programs at once: each may take `limits.memoryBytesMax`.
    /// - Parameter waitingMax: pictures that wait for their turn; more are turned away as busy.
    package init(
        programs: RasterPrograms = RasterPrograms(),
        limits: ChildLimits = .standard,
        runningMax: Int = 2,
        waitingMax: Int = 32
    ) {
        self.programs = programs
        self.limits = limits
        slots = ChildSlots(runningMax: runningMax, waitingMax: waitingMax)
    }

    /// The upright picture, its longest side at most 512 pixels. Never larger than the picture is. Of the same format, or a JPEG on white
    /// where that has more than `bytesMax` bytes: a photograph as a PNG.
    package func thumbnail(of image: RasterImage, bytesMax: Int = .max) async throws(RasterFault) -> RasterImage {
        // libjpeg then decodes at an eighth, a quarter or a half, which is all that is needed.
        let reading = ["-size", Self.thumbnailSide] + Self.source(image.format)
        let shrinking = ["-thumbnail", Self.thumbnailSide + ">", "-auto-orient"]
        let small = try await convert(image.bytes, reading + shrinking, to: image.format)
        guard small.bytes.count > bytesMax else { return small }
        return try await convert(small.bytes, Self.source(small.format) + Self.onWhite(small.format), to: .jpeg)
    }

    /// The first frame, its longest side at most 512 pixels: a PNG.
    package func thumbnail(ofGIF bytes: [UInt8]) async throws(RasterFault) -> RasterImage {
        try await convert(bytes, ["GIF:-[0]", "-thumbnail", Self.thumbnailSide + ">"], to: .png)
    }

    private static let thumbnailSide = "\(thumbnailSideMax)x\(thumbnailSideMax)"

    /// The upright picture on white, without transparency, no side longer than `sideMax`.
    package func flattened(_ image: RasterImage, sideMax: Int = flatSideMax) async throws(RasterFault) -> RasterImage {
        let steps = Self.onWhite(image.format) + ["-thumbnail", "\(sideMax)x\(sideMax)>"]
        return try await convert(image.bytes, Self.source(image.format) + steps + ["-auto-orient"], to: .png)
    }

    /// A scanned page as a person wants to see it: upright, its empty margin cut off, its paper white. JPEG.
    ///
    /// - Parameter width: of the upright picture (`ImageFacts.displayWidth`).
    package func scan(of image: RasterImage, width: Int, height: Int) async throws(RasterFault) -> RasterImage {
        let look = try await look(at: image)
        var steps = Self.onWhite(image.format) + ["-auto-orient"]
        if let box = look.box.scaled(toWidth: width, height: height) {
            steps += ["-crop", "\(box.width)x\(box.height)+\(box.x)+\(box.y)", "+page"]
        }
        if let matrix = look.whitening { steps += ["-recolor", matrix] }
        steps += ["-thumbnail", "\(Self.scanSideMax)x\(Self.scanSideMax)>"]
        return try await convert(image.bytes, Self.source(image.format) + steps, to: .jpeg)
    }

    /// A small sample of the picture and what is seen in it.
    private func look(at image: RasterImage) async throws(RasterFault) -> PaperLook {
        PaperLook(try await pixels(of: image, width: PaperLook.sideMax, height: PaperLook.sideMax))
    }

    /// The pixels of the upright picture on white, no wider and higher than so many.
    package func pixels(of image: RasterImage, width: Int, height: Int) async throws(RasterFault) -> PixelSample {
        let side = "\(width)x\(height)"
        let reading = ["-size", side] + Self.source(image.format) + Self.onWhite(image.format)
        let sample = try await run(
            programs.magick,
            Self.command(reading + ["-auto-orient", "-thumbnail", side + ">"] + Self.bare + ["-depth", "8", "PPM:-"]),
            on: image.bytes
        )
        guard let pixels = PixelSample(portablePixmap: sample) else {
            throw .unreadable("no sample of \(sample.count) bytes")
        }
        return pixels
    }

    func convert(
        _ bytes: [UInt8],
        _ steps: [String],
        to format: RasterFormat
    ) async throws(RasterFault) -> RasterImage {
        let ending =
            Self.bare + [
                "-quality", "\(format == .jpeg ? Self.jpegQuality : 95)", format.rawValue + ":-",
            ]
        let made = try await run(programs.magick, Self.command(steps + ending), on: bytes)
        guard !made.isEmpty else { throw .unreadable("nothing was made") }
        return RasterImage(made, format)
    }

    /// One program, when its turn comes.
    func run(_ program: String, _ arguments: [String], on input: [UInt8]) async throws(RasterFault) -> [UInt8] {
        let child = ChildProcess(program: program, arguments: arguments, limits: limits)
        let result = await slots.run { Result { () throws(ChildFault) in try child.output(for: input) } }
        switch result {
        case nil: throw .busy
        case .success(let output): return output
        case .failure(let fault):
            // prlimit(1) starts and then finds no program.
            if let missing = programs.missing.first { throw .programMissing(missing) }
            throw RasterFault(fault)
        }
    }

    /// A turn of its own for several programs and for what they need: what is loaded within it is in memory for as many at once as run.
    ///
    /// - Parameter work: by the rasterizer that it is given it waits for nobody any more; one program at a time.
    package func turn<Value>(_ work: (Rasterizer) async throws -> Value) async throws -> Value {
        guard await slots.take() else { throw RasterFault.busy }
        defer { slots.leave() }
        return try await work(Rasterizer(programs: programs, limits: limits, runningMax: 1, waitingMax: 0))
    }

    private static func command(_ steps: [String]) -> [String] {
        let bounds = ["memory", pixelBytesMax, "map", "0", "disk", "0", "threads", "1"]
        var limits: [String] = []
        for index in stride(from: 0, to: bounds.count, by: 2) {
            limits += ["-limit", bounds[index], bounds[index + 1]]
        }
        return ["convert"] + limits + steps
    }

    /// Without profiles and texts that came along: the pixels are in sRGB, and a comment would go into the sample.
    private static let bare = ["+profile", "*", "-strip"]

    static func source(_ format: RasterFormat) -> [String] { [format.rawValue + ":-"] }

    /// Paints what lies on white paper. (`-flatten` would do so last of all, whatever its place.)
    static func onWhite(_ format: RasterFormat) -> [String] {
        let colours = ["-colorspace", "RGB"]
        return format == .png ? ["-background", "white", "-extent", "0x0", "+matte"] + colours : colours
    }
}
