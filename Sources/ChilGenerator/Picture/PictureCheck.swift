import ChilCore
import ChilMedia
import ChilPrint

/// A picture that can be coloured.
package struct Picture: Equatable, Sendable {
    /// Without what is not the picture: services write prompts and parameters into it.
    package let bytes: [UInt8]
    package let mediaType: String
    package let width: Int
    package let height: Int

    package init(bytes: [UInt8], mediaType: String, width: Int, height: Int) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }
}

/// Whether what a service made can be coloured: a PNG with lines on white, or a JPEG.
///
/// A PNG is unpacked and its ink measured. No decoder of JPEG is at hand: of one the head is judged, and how many bytes it takes, for a page
/// of one colour takes next to none.
package enum PictureCheck {
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case unreadable(String)
        case wrongSize(width: Int, height: Int)
        /// A service that hides a refusal paints it black.
        case black
        case blank
        /// No lines: shades or a photo.
        case tooMuchInk(percent: Int)

        package var description: String {
            switch self {
            case .unreadable(let why): "what it made is no picture to keep: \(why)"
            case .wrongSize(let width, let height):
                "what it made has \(width) × \(height) pixels, not \(sides.lowerBound) to \(sides.upperBound) each way: set its size"
            case .black: "what it made is black"
            case .blank: "what it made is blank"
            case .tooMuchInk(let percent): "what it made is \(percent) % ink: it is no line art"
            }
        }
    }

    /// Pixels each way.
    package static let sides = 64...4_096
    /// Ink in ten thousandths of the page. Few lines are a page too; what is over it has more to print than to colour.
    static let inkShare = 20...4_500
    /// From here on it is no drawing but a black page.
    static let blackShare = 9_000
    /// Of a page of one colour there are twice as many, of line art half.
    static let jpegPixelsPerByteMax = 40

    package static func verdict(on bytes: [UInt8]) -> Result<Picture, Fault> {
        let facts: ImageFacts
        let cleaned: [UInt8]
        do throws(ImageFault) {
            facts = try ImageProbe.facts(of: bytes)
            cleaned = try ImageCleaner.cleaned(bytes, facts)
        } catch {
            return .failure(.unreadable(error.sentence))
        }
        guard sides ~= facts.displayWidth, sides ~= facts.displayHeight else {
            return .failure(.wrongSize(width: facts.displayWidth, height: facts.displayHeight))
        }
        switch facts.mediaType {
        case .png:
            let ink: Int
            do throws(PDFFault) {
                ink = try PictureInk.share(of: bytes, facts: facts)
            } catch {
                return .failure(.unreadable("\(error)"))
            }
            if ink >= blackShare { return .failure(.black) }
            if ink < inkShare.lowerBound { return .failure(.blank) }
            if ink > inkShare.upperBound { return .failure(.tooMuchInk(percent: ink / 100)) }
        case .jpeg:
            guard bytes.count * jpegPixelsPerByteMax >= facts.width * facts.height else { return .failure(.blank) }
        case .pdf, .pwgRaster: return .failure(.unreadable("pages"))
        }
        return .success(
            Picture(
                bytes: cleaned,
                mediaType: facts.mediaType.rawValue,
                width: facts.displayWidth,
                height: facts.displayHeight
            )
        )
    }
}
