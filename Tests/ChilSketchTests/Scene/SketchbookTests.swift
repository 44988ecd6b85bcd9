import ChilMedia
import ChilTestSupport
import Foundation
import Testing

@testable import ChilPrint
@testable import ChilSketch

@Suite struct SketchbookTests {
    static let wishes = [
        "고양이", "세 마리 고양이가 숲에서", "cat on the moon", "두 마리 강아지와 무지개", "바닷속 물고기 다섯 마리", "boat, whale and two fish",
        "우주 로켓",
        "눈사람 세 명", "바다의 고양이와 배", "birthday cake and balloons", "six cats, three dogs", "짜장면", "happy birthday minji",
        "", "밤하늘의 별",
        "sun", "dragon in space",
    ]

    /// The lines leave paper to colour, whatever is wished.
    @Test(arguments: wishes)
    func pagesCanBeColoured(_ wish: String) {
        let sizes = [SketchSize.small, SketchSize(width: 270, height: 384), SketchSize(width: 384, height: 270)]
        for (seed, (level, size)) in zip(SketchLevel.allCases, sizes).enumerated() {
            guard let size else { continue }
            let ink = Sketchbook.ink(wish, seed: UInt64(seed), size: size, level: level)
            #expect((0.02...0.25).contains(ink.share), "\(level), \(size): \(ink.share)")
            #expect(ink.isClear(margin: 7), "\(level), \(size)")
            #expect(ink.regionCount(shareMin: 0.000_2) >= 5, "\(level), \(size)")
        }
    }

    /// Floating point, dice and order are the same on every machine. A change of the drawings changes these.
    @Test(arguments: [
        ("cat", "30840a741f7da4c8"), ("고양이 세 마리", "748029f88d655d21"), ("whale and boat", "ddc710f4418902c6"),
        ("짜장면", "b4cd4ea62b7db0ed"), ("unicorn on the rainbow", "9325256d4be7fd28"),
    ])
    func pagesAreTheSameEverywhere(_ wish: String, _ digest: String) {
        #expect(Sketchbook.ink(wish, seed: 7).digest == digest)
    }

    @Test(arguments: wishes)
    func seedsDiffer(_ wish: String) {
        #expect(Set((1...3).map { Sketchbook.ink(wish, seed: $0).digest }).count == 3)
    }

    @Test(arguments: ["cat", "짜장면", "🦖"])
    func levelsDiffer(_ wish: String) {
        #expect(Set(SketchLevel.allCases.map { Sketchbook.ink(wish, level: $0).digest }).count == 3)
        #expect(Sketchbook.ink(wish, seed: 9).digest == Sketchbook.ink(wish, seed: 9).digest)
    }

    @Test func aSketchSaysWhatItIs() throws {
        let scene = try Sketchbook.draw(wish: "고양이 두 마리와 달", seed: 1, size: .small)
        #expect(scene.kind == .scene && scene.title == "고양이 두 마리와 달" && scene.size == .small)
        #expect(scene.parts == [Sketch.Part(subject: "cat", count: 2), Sketch.Part(subject: "moon", count: 1)])
        let letters = try Sketchbook.draw(wish: "짜장면\u{7} 곱빼기", seed: 1, size: .small)
        #expect(letters.kind == .letters && letters.title == "짜장면 곱빼기" && letters.parts.isEmpty)
        let surprise = try Sketchbook.draw(wish: "🦕🦖", seed: 1, size: .small)
        #expect(surprise.kind == .surprise && !surprise.parts.isEmpty && !surprise.title.isEmpty)
    }

    /// As many closed figures as are asked for: no one is hidden by another.
    @Test(arguments: 1...Wish.countMax)
    func countsAreSeen(_ count: Int) throws {
        #expect(
            try Sketchbook.draw(wish: "\(count) cats", seed: 2, size: .small).parts == [
                Sketch.Part(subject: "cat", count: count)
            ]
        )
        let actors = (0..<count).map { Actor(.cat, dice: Dice(seed: UInt64($0)), level: .medium) }
        var dice = Dice(seed: 5)
        let area = Bounds(left: 0, top: 0, right: 900, bottom: 700)
        let stands = Rows(area: area, footing: .low, heightMax: 700).stands(for: actors, dice: &dice)
        #expect(stands.count == count)
        for (index, stand) in stands.enumerated() {
            let box = stand.bounds
            #expect(box.left >= -0.5 && box.right <= 900.5 && box.top >= -0.5 && box.bottom <= 700.5)
            for other in stands[(index + 1)...] { #expect(!box.inset(by: 1).overlaps(other.bounds.inset(by: 1))) }
        }
    }

    /// The file holds the samples that were drawn, read back by the reader that prints it.
    @Test func theFileHoldsThePage() throws {
        let sketch = try Sketchbook.draw(wish: "공룡과 성", seed: 11, size: .small, level: .detailed)
        let facts = try ImageProbe.facts(of: sketch.png)
        #expect(facts.width == 256 && facts.height == 256 && facts.colour == .grey && facts.bitsPerSample == 8)
        var rows = try PNGRows(PNGParts(of: sketch.png).pixels, channels: 1, bitsPerSample: 8)
        rows.begin(rowByteCount: 256)
        var samples: [UInt8] = []
        for _ in 0..<256 { samples += try rows.next().dropFirst() }
        #expect(samples == Sketchbook.ink("공룡과 성", seed: 11, level: .detailed).canvas.samples)
    }

    @Test func whateverIsWishedThereIsAPage() throws {
        let naughty = try JSONDecoder().decode([String].self, from: Data(try Vectors.bytes("strings/blns.json")))
        let size = try #require(SketchSize(width: 256, height: 256))
        for (index, wish) in naughty.enumerated() {
            let kind = Wish(wish).parts.isEmpty ? Lettering(CleanWish(wish)).text : ""
            #expect(kind.count <= Sketchbook.letterCountMax + 20)
            guard index % 12 == 0 else { continue }
            let sketch = try Sketchbook.draw(wish: wish, seed: UInt64(index), size: size)
            #expect(sketch.png.count > 500 && sketch.title.count < 200)
        }
    }

    @Test(arguments: [
        String(repeating: "고양이 ", count: 20_000), String(repeating: "W", count: 100_000),
        String(repeating: "😀", count: 25_000),
        "a" + String(repeating: "\u{301}", count: 50_000), String(repeating: "\u{202E}قطة ", count: 9_000), "\u{0}",
        "뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁뷁",
        String(repeating: "I ", count: 300), String(repeating: "9", count: 4_000) + " cats",
        "\u{1100}\u{1161}\u{11A8}\u{11A8}\u{1100}",
    ])
    func hostileWishesAreOnlyWishes(_ wish: String) throws {
        let sketch = try Sketchbook.draw(wish: wish, seed: 3, size: .small)
        #expect(try ImageProbe.facts(of: sketch.png).width == 256)
        #expect(Sketchbook.ink(wish, seed: 3).isClear(margin: 7))
    }

    @Test func sizesAreBounded() {
        for (width, height) in [
            (255, 256), (256, 255), (2_049, 2_048), (256, 513), (1_100, 500), (0, 0), (-1, 300), (.max, .max),
        ] {
            #expect(SketchSize(width: width, height: height) == nil, "\(width) × \(height)")
        }
        for (width, height) in [(256, 256), (2_048, 2_048), (256, 512), (1_024, 2_048)] {
            #expect(SketchSize(width: width, height: height) != nil, "\(width) × \(height)")
        }
    }

    /// The bound is a release build's times forty: a debug build on a busy machine keeps it, a loop that does not end doesn't.
    @Test(.timeLimit(.minutes(2)))
    func aFullPageIsDrawn() throws {
        for size in [SketchSize.square, .a4, .a4Landscape] {
            let sketch = try Sketchbook.draw(wish: "six cats, three dogs", seed: 1, size: size, level: .detailed)
            let facts = try ImageProbe.facts(of: sketch.png)
            #expect(facts.width == size.width && facts.height == size.height)
            #expect(sketch.png.count < 400_000)
        }
    }
}
