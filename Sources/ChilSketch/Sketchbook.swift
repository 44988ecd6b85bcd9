import ChilMedia

/// Draws wishes without a network: original line art of known subjects, composed into a scene.
///
/// The same wish, seed, size and level give the same samples on every machine. What a wish may say is the caller's business; whatever it
/// says, what is drawn is either one of the subjects or its words.
package enum Sketchbook {
    /// The subjects' names, for documents and lists.
    package static let subjects = Subject.allCases.map(\.rawValue)
    /// Of a wish, in Unicode scalars: what comes after is not read.
    package static let wishScalarCountMax = CleanWish.scalarCountMax
    /// Of a page of hollow letters: what comes after is left out.
    package static let letterCountMax = Lettering.letterCountMax
    package static let countMax = Wish.countMax
    package static let actorCountMax = Wish.actorCountMax

    package static func draw(
        wish: String,
        seed: UInt64,
        size: SketchSize = .square,
        level: SketchLevel = .medium
    ) throws(SketchFault) -> Sketch {
        let page = page(wish: wish, seed: seed, size: size, level: level)
        do {
            let png = try PNGEncoder.greyscale(page.canvas.samples, width: size.width, height: size.height)
            return Sketch(png: png, size: size, kind: page.kind, parts: page.parts, title: page.title)
        } catch {
            throw .noMemory
        }
    }

    static func page(
        wish text: String,
        seed: UInt64,
        size: SketchSize,
        level: SketchLevel
    ) -> (canvas: Canvas, kind: Sketch.Kind, parts: [Sketch.Part], title: String) {
        var dice = Dice(seed: seed)
        let wish = Wish(text)
        if !wish.parts.isEmpty {
            let canvas = Composer(wish: wish, size: size, level: level).scene(dice: dice.branch())
            return (
                canvas, .scene, wish.parts.map { Sketch.Part(subject: $0.subject.rawValue, count: $0.count) },
                Title.of(wish)
            )
        }
        let lettering = Lettering(wish.words)
        if !lettering.isEmpty {
            let canvas = LetterPage(lettering: lettering, size: size, level: level).canvas(dice: dice.branch())
            return (canvas, .letters, [], lettering.text)
        }
        let surprise = Wish(dice.pick(surprises))
        let canvas = Composer(wish: surprise, size: size, level: level).scene(dice: dice.branch())
        return (
            canvas, .surprise, surprise.parts.map { Sketch.Part(subject: $0.subject.rawValue, count: $0.count) },
            Title.of(surprise)
        )
    }

    private static let surprises = [
        "rainbow and unicorn", "cat and butterfly", "rocket and star", "dragon and castle", "two rabbits and flower",
        "whale and boat",
    ]
}
