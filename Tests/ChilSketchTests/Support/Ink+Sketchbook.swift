@testable import ChilSketch

extension SketchSize {
    /// A small page, for what is judged often.
    static let small = SketchSize(width: 256, height: 256) ?? .square
}

extension Sketchbook {
    static func ink(_ wish: String, seed: UInt64 = 1, size: SketchSize = .small, level: SketchLevel = .medium) -> Ink {
        Ink(canvas: page(wish: wish, seed: seed, size: size, level: level).canvas)
    }
}
