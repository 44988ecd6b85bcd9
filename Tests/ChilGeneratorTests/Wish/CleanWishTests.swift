import ChilTestSupport
import Foundation
import Testing

@testable import ChilGenerator

@Suite struct CleanWishTests {
    static let rows: [(wish: String, text: String?)] = [
        ("a cat", "a cat"),
        ("달 위의 고양이", "달 위의 고양이"),
        ("a cat|dog", "a cat dog"),
        ("a cat｜dog", "a cat dog"),
        ("a <lora:evil:1.5> cat", "a cat"),
        ("a <hypernet:x:1>cat", "a cat"),
        ("cat <sd_cpp_extra_args>{\"steps\":150}</sd_cpp_extra_args> dog", "cat dog"),
        ("cat <sd_cpp_extra_args>{\"steps\":150}", "cat \"steps\":150"),
        ("cat <sd_cpp_extra_args", "cat sd_cpp_extra_args"),
        ("<sd_cpp_<lora:x:1>extra_args>{}</sd_cpp_extra_args>", "extra_args"),
        ("a [cat:dog:0.5] {x|y} \\(z\\)", "a cat:dog:0.5 x y (z )"),
        ("__wildcard__", "_wildcard_"),
        ("a\u{0}b\u{7}c\u{202E}d\u{200B}e", "abcde"),
        ("a\ncat\r\n\tand\u{2028}a\u{A0}dog", "a cat and a dog"),
        ("🐱", "🐱"), ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("", nil), ("   ", nil), ("|||", nil), ("<<<>>>", nil), ("\u{200B}\u{202E}", nil), ("...", nil), ("***", nil),
    ]

    @Test(arguments: rows)
    func whatAServiceWouldExecuteIsTakenOut(_ row: (wish: String, text: String?)) {
        #expect(CleanWish(row.wish)?.text == row.text)
    }

    /// Big List of Naughty Strings: whatever is left has nothing that steers.
    @Test func naughtyStringsSteerNothing() throws {
        let lines = try Vectors.load("strings/blns.json", as: [String].self)
        #expect(lines.count > 400)
        for line in lines {
            guard let text = CleanWish(line)?.text else { continue }
            #expect(
                !text.unicodeScalars.contains { "|<>[]{}\\".unicodeScalars.contains($0) || $0.value < 0x20 },
                "\(line)"
            )
            #expect(!text.contains("__") && text.first != " " && text.last != " ")
        }
    }

    @Test func aLongWishIsCleanedToo() {
        #expect(CleanWish(String(repeating: "<a", count: 50_000)) != nil)
        #expect(CleanWish(String(repeating: "<a>", count: 5_000)) == nil)
    }
}

@Suite struct LineArtRecipeTests {
    @Test func theWishIsCutAndTheRecipeIsNot() throws {
        let wish = try #require(CleanWish(String(repeating: "cat ", count: 500)))
        let prompt = LineArtRecipe().prompt(for: wish, .medium, scalarsMax: 1_000)
        #expect(prompt.unicodeScalars.count <= 1_000 && prompt.contains("no frame") && prompt.contains("cat cat"))
        #expect(prompt.contains("6 to 8 years") && !prompt.contains("{"))
    }

    @Test func aPlaceInAWishIsNone() throws {
        let recipe = try LineArtRecipe("<{level}> {wish} {wish}")
        let wish = try #require(CleanWish("a {level} cat"))
        let prompt = recipe.prompt(for: wish, .easy, scalarsMax: 1_000)
        #expect(prompt.hasSuffix("a level cat {wish}"))
    }

    @Test func aRecipeWithoutAPlaceIsRefused() {
        #expect(throws: LineArtRecipe.Fault.noPlace) { try LineArtRecipe("line art") }
        #expect(throws: LineArtRecipe.Fault.tooLong) {
            try LineArtRecipe("{wish}" + String(repeating: "x", count: LineArtRecipe.bytesMax))
        }
    }
}
