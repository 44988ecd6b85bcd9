import Glibc

/// The programs that read pictures for the service, as Debian installs them.
///
/// GraphicsMagick rather than ImageMagick 6: one program that does one thing a run, reads the format that is named and no other, has no
/// policy file to get wrong, needs a fifth of the packages, and honours limits of its own on top of the kernel's. libvips-tools brings
/// sixty libraries and reads standard input in one of its commands alone.
package struct RasterPrograms: Hashable, Sendable {
    package static let packages = ["graphicsmagick", "poppler-utils", "util-linux"]

    let magick: String
    let pdfInfo: String
    let pdfToPixels: String
    private let limiter = ChildProcess.limiter

    /// - Parameter folder: where they are.
    package init(in folder: String = "/usr/bin") {
        magick = folder + "/gm"
        pdfInfo = folder + "/pdfinfo"
        pdfToPixels = folder + "/pdftoppm"
    }

    /// The paths at which there is no program.
    package var missing: [String] {
        [magick, pdfInfo, pdfToPixels, limiter].filter { access($0, X_OK) != 0 }
    }
}
