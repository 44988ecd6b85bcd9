import ChilMedia

/// An affine map, (x, y) → (ax + cy + e, bx + dy + f) (ISO 32000-1 §8.3.3).
struct PDFMatrix: Equatable {
    var a, b, c, d, e, f: Double

    /// This map first, then `next`.
    func then(_ next: Self) -> Self {
        Self(
            a: a * next.a + b * next.c,
            b: a * next.b + b * next.d,
            c: c * next.a + d * next.c,
            d: c * next.b + d * next.d,
            e: e * next.a + f * next.c + next.e,
            f: e * next.b + f * next.d + next.f
        )
    }

    var operands: String {
        [a, b, c, d, e, f].map { PDFWriter.number($0) }.joined(separator: " ")
    }

    /// The unit square of the stored picture onto that of the picture as it is shown.
    static func showing(_ orientation: ImageOrientation) -> Self {
        switch orientation {
        case .upright: Self(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)
        case .mirrored: Self(a: -1, b: 0, c: 0, d: 1, e: 1, f: 0)
        case .turnedHalf: Self(a: -1, b: 0, c: 0, d: -1, e: 1, f: 1)
        case .flipped: Self(a: 1, b: 0, c: 0, d: -1, e: 0, f: 1)
        case .transposed: Self(a: 0, b: -1, c: -1, d: 0, e: 1, f: 1)
        case .turnedRight: Self(a: 0, b: -1, c: 1, d: 0, e: 0, f: 1)
        case .transversed: Self(a: 0, b: 1, c: 1, d: 0, e: 0, f: 0)
        case .turnedLeft: Self(a: 0, b: 1, c: -1, d: 0, e: 1, f: 0)
        }
    }

    static func onto(_ box: PageLayout.Box) -> Self {
        Self(a: box.width, b: 0, c: 0, d: box.height, e: box.left, f: box.bottom)
    }

    /// A page that is looked at lying onto its upright sheet; `/Rotate 90` is the way back.
    static func turningOntoSheet(width: Double) -> Self {
        Self(a: 0, b: 1, c: -1, d: 0, e: width, f: 0)
    }
}
