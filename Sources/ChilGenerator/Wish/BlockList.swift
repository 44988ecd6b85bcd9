/// Words that are not drawn for children here: the house's, and the tenant's own. A first gate: services have their own.
///
/// A word of letters is one of the wish's words, or that with an ending (`gun`, `guns`; never `begun`). A word of Hangul begins one of the
/// wish's, for particles and other nouns follow it; inside of others it means nothing (`시체` in `전시체험`), unless it is long. One
/// syllable alone is a word with its particles only, for it stands in a thousand others (`총`, `총을`; never `총각`).
package struct BlockList: Sendable {
    /// Bytes of one word of a tenant's, and how many it may have.
    package static let wordBytesMax = 100
    package static let wordsMax = 1_000

    private var words: [[Character]] = []
    private var beginnings: [[Character]] = []
    /// Found wherever they stand, across spaces too.
    private var phrases: [[Character]] = []
    private var syllables: Set<Character> = []

    /// - Parameter ownWords: the tenant's, beside the house's.
    package init(ownWords: [String] = []) {
        for word in Self.house + ownWords { add(word) }
    }

    private mutating func add(_ word: String) {
        let fold = WordFold(word)
        guard !fold.joined.isEmpty else { return }
        if fold.joined.contains(where: \.isHangul) {
            switch fold.joined.count {
            case 1: syllables.insert(fold.joined[0])
            case 2: beginnings.append(fold.joined)
            default: phrases.append(fold.joined)
            }
        } else if fold.words.count == 1 {
            words.append(fold.joined)
        } else {
            phrases.append(fold.joined)
        }
    }

    /// Whether a wish has one of them.
    package func matches(_ wish: String) -> Bool {
        let fold = WordFold(wish)
        if fold.words.contains(where: isBlocked) { return true }
        // Where letters stand alone nobody knows where a word begins.
        if fold.spelled.contains(where: { run in (words + beginnings).contains { Self.contains($0, in: run) } }) {
            return true
        }
        return phrases.contains { Self.contains($0, in: fold.joined) }
    }

    private func isBlocked(_ word: [Character]) -> Bool {
        if let first = word.first, syllables.contains(first),
            word.count == 1 || Self.particles.contains(String(word[1...]))
        {
            return true
        }
        if beginnings.contains(where: { word.starts(with: $0) }) { return true }
        return words.contains { blocked in
            guard word.count >= blocked.count, word.starts(with: blocked) else { return false }
            return word.count == blocked.count || Self.endings.contains(String(word[blocked.count...]))
        }
    }

    private static func contains(_ wanted: [Character], in characters: [Character]) -> Bool {
        guard characters.count >= wanted.count else { return false }
        return (0...(characters.count - wanted.count)).contains {
            characters[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }

    private static let endings: Set = ["s", "es", "ed", "d", "ing", "er", "ers", "y", "ity", "ful"]
    private static let particles: Set = [
        "이", "가", "을", "를", "은", "는", "의", "에", "에서", "로", "으로", "와", "과", "랑", "이랑", "도", "만", "들", "들이", "들을", "하고",
        "쏘는", "든",
    ]

    /// Few, so that harmless wishes stay: what is no page to colour for any child.
    private static let house = [
        "sex", "sexy", "porn", "porno", "nude", "naked", "nipple", "penis", "vagina", "genital", "hentai", "nsfw",
        "erotic", "fetish",
        "gun", "pistol", "rifle", "grenade", "suicide", "murder", "gore", "gory", "corpse", "behead", "bloody",
        "massacre", "terrorist",
        "torture", "rape", "rapist", "nazi", "swastika", "hitler", "cocaine", "heroin", "meth", "drugs", "cigarette",
        "vodka", "beer",
        "섹스", "섹시", "포르노", "야동", "야한", "누드", "알몸", "벌거벗은", "나체", "자위행위", "음란", "변태",
        "권총", "소총", "기관총", "총", "수류탄", "자살", "자해", "살인", "시체", "잔인", "참수", "학살", "테러", "고문", "강간", "성폭행",
        "나치", "히틀러", "마약", "코카인", "필로폰", "담배", "소주", "맥주", "피투성이",
    ]
}
