/// Capitals, digits and the marks of plain sentences. Small letters are drawn as capitals, accents are left out.
enum Latin {
    static func glyph(of character: Character) -> Glyph? {
        let capital = character.uppercased().first ?? character
        return capitals[capital] ?? accented(capital).flatMap { capitals[$0] }
    }

    /// The plain letters of U+00C0 … U+00DD.
    private static let plain = Array("AAAAAAACEEEEIIIIDNOOOOO OUUUUY")

    private static func accented(_ capital: Character) -> Character? {
        guard let value = capital.unicodeScalars.first?.value, (0xC0...0xDD).contains(value) else { return nil }
        return plain[Int(value) - 0xC0]
    }

    private static let capitals: [Character: Glyph] = [
        "A": Glyph(width: 72, "l 0 100 36 0 72 100 l 14 66 58 66"),
        "B": Glyph(width: 60, "l 0 0 0 100 s 0 0 32 0 52 10 52 38 32 48 0 48 s 0 48 34 48 60 60 60 88 34 100 0 100"),
        "C": Glyph(width: 66, "s 66 18 50 3 32 0 9 16 0 50 9 84 32 100 50 97 66 82"),
        "D": Glyph(width: 66, "l 0 0 0 100 s 0 0 30 0 57 16 66 50 57 84 30 100 0 100"),
        "E": Glyph(width: 54, "l 54 0 0 0 0 100 54 100 l 0 49 46 49"),
        "F": Glyph(width: 54, "l 54 0 0 0 0 100 l 0 49 44 49"),
        "G": Glyph(width: 70, "s 66 17 50 3 33 0 9 16 0 50 9 84 34 100 56 95 70 80 l 70 80 70 56 44 56"),
        "H": Glyph(width: 64, "l 0 0 0 100 l 64 0 64 100 l 0 49 64 49"),
        "I": Glyph(width: 1, "l 0.5 0 0.5 100"),
        "J": Glyph(width: 44, "l 44 0 44 66 s 44 66 38 92 20 100 0 84"),
        "K": Glyph(width: 60, "l 0 0 0 100 l 58 0 0 58 l 20 40 60 100"),
        "L": Glyph(width: 50, "l 0 0 0 100 50 100"),
        "M": Glyph(width: 82, "l 0 100 0 0 41 62 82 0 82 100"),
        "N": Glyph(width: 66, "l 0 100 0 0 66 100 66 0"),
        "O": Glyph(width: 76, "o 38 50 38 50"),
        "P": Glyph(width: 60, "l 0 100 0 0 s 0 0 32 0 55 10 60 28 55 46 32 56 0 56"),
        "Q": Glyph(width: 76, "o 38 50 38 50 l 48 70 76 102"),
        "R": Glyph(width: 62, "l 0 100 0 0 s 0 0 32 0 54 10 58 27 54 43 32 53 0 53 l 30 53 62 100"),
        "S": Glyph(width: 58, "s 55 14 38 1 18 2 3 16 6 36 28 47 50 58 57 78 44 96 22 100 0 86"),
        "T": Glyph(width: 66, "l 0 0 66 0 l 33 0 33 100"),
        "U": Glyph(width: 64, "l 0 0 0 62 s 0 62 8 90 32 100 56 90 64 62 l 64 62 64 0"),
        "V": Glyph(width: 70, "l 0 0 35 100 70 0"),
        "W": Glyph(width: 100, "l 0 0 25 100 50 22 75 100 100 0"),
        "X": Glyph(width: 64, "l 0 0 64 100 l 64 0 0 100"),
        "Y": Glyph(width: 66, "l 0 0 33 48 66 0 l 33 48 33 100"),
        "Z": Glyph(width: 60, "l 0 0 60 0 0 100 60 100"),
        "0": Glyph(width: 62, "o 31 50 31 50"),
        "1": Glyph(width: 24, "l 0 18 22 0 22 100"),
        "2": Glyph(width: 56, "s 2 22 12 5 30 0 50 11 51 32 34 60 0 100 l 0 100 56 100"),
        "3": Glyph(width: 54, "s 2 12 22 0 43 6 49 24 41 42 20 48 s 20 48 46 54 54 74 44 94 22 100 0 88"),
        "4": Glyph(width: 62, "l 47 100 47 0 0 70 62 70"),
        "5": Glyph(width: 54, "l 50 0 8 0 4 46 s 4 46 26 37 48 48 54 70 42 94 20 100 0 90"),
        "6": Glyph(width: 56, "s 46 2 22 16 6 42 0 70 o 28 70 28 30"),
        "7": Glyph(width: 56, "l 0 0 56 0 20 100"),
        "8": Glyph(width: 56, "o 28 25 22 25 o 28 74 28 26"),
        "9": Glyph(width: 56, "o 28 30 28 30 s 56 30 52 60 36 84 10 98"),
        "!": Glyph(width: 1, "l 0.5 0 0.5 64 l 0.5 98 0.5 98"),
        "?": Glyph(width: 46, "s 0 20 9 4 25 0 43 10 45 28 34 44 24 54 22 66 l 22 98 22 98"),
        ".": Glyph(width: 1, "l 0.5 98 0.5 98"),
        ",": Glyph(width: 8, "l 6 96 0 112"),
        "-": Glyph(width: 34, "l 0 52 34 52"),
        "'": Glyph(width: 4, "l 3 0 1 16"),
        "+": Glyph(width: 48, "l 0 52 48 52 l 24 28 24 76"),
        "…": Glyph(width: 64, "l 2 98 2 98 l 32 98 32 98 l 62 98 62 98"),
    ]
}
