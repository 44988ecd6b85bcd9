import Testing

@testable import ChilGenerator

@Suite struct BlockListTests {
    @Test(arguments: [
        "a gun", "GUNS", "a g.u.n", "g u n", "a g u n", "나 권 총", "g-u-n", "ｇｕｎ", "a g\u{200B}un", "Gun!",
        "naked people", "sexy",
        "two pistols",
        "총", "총을 든 고양이", "총이랑 칼", "권총", "권총을 든 토끼", "권 총", "권총".decomposed, "살인자", "무서운 시체", "벌거벗은 사람",
    ])
    func isBlocked(_ wish: String) { #expect(BlockList().matches(wish)) }

    @Test(arguments: [
        "a cat", "begun", "a gungho bear", "Sussex", "Essex", "shoot a basketball", "killer whale", "skill", "grape",
        "drape", "method",
        "beerus", "총각김치", "전시체험", "학교에 가야한다", "완성기차", "성기사", "미소총총", "달 위의 고양이", "", "🐱", "a n d",
    ])
    func isNot(_ wish: String) { #expect(!BlockList().matches(wish)) }

    @Test func theTenantsOwnWordsCountToo() {
        let list = BlockList(ownWords: ["Pikachu", "피카츄", "칼", "ice cream", "  "])
        for wish in ["PIKACHU", "pika chu pikachus", "피카츄랑 나", "노란피카츄", "피 카 츄", "칼을", "an ice cream", "icecream"] {
            #expect(list.matches(wish), "\(wish)")
        }
        for wish in ["칼국수", "cream on ice", "pikas"] { #expect(!list.matches(wish), "\(wish)") }
    }

    @Test func aLongWishIsLookedThroughAtOnce() {
        #expect(!BlockList().matches(String(repeating: "고양이 ", count: 20_000)))
    }
}

extension String {
    /// Hangul as its letters (Unicode §3.12).
    fileprivate var decomposed: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            let index = scalar.value &- 0xAC00
            guard index < 11_172 else {
                scalars.append(scalar)
                continue
            }
            for value in [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28] where value != 0x11A7 {
                scalars.append(Unicode.Scalar(value)!)
            }
        }
        return String(scalars)
    }
}
