import Foundation
import Testing

@testable import ChilSketch

@Suite struct WishTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let wish: String
        let parts: [String]
        var place: Place?
        var seat: [Subject] = []
        var testDescription: String { wish }

        init(_ wish: String, _ parts: [String], place: Place? = nil, seat: [Subject] = []) {
            self.wish = wish
            self.parts = parts
            self.place = place
            self.seat = seat
        }
    }

    static let korean = [
        Row("고양이", ["cat 1"]),
        Row("세 마리 고양이", ["cat 3"]),
        Row("세마리 고양이", ["cat 3"]),
        Row("고양이 세 마리", ["cat 3"]),
        Row("고양이가 두마리", ["cat 2"]),
        Row("고양이 3마리와 강아지 두 마리", ["cat 3", "dog 2"]),
        Row("고양이와 두 마리 강아지", ["cat 1", "dog 2"]),
        Row("다섯 고양이", ["cat 5"]),
        Row("고양이 셋", ["cat 3"]),
        Row("강아지랑 토끼랑 곰", ["dog 1", "rabbit 1", "bear 1"]),
        Row("고양이들이 나무 아래에", ["cat 2", "tree 1"]),
        Row("사과나무", ["apple 1", "tree 1"]),
        Row("아기고양이가 자요", ["cat 1"]),
        Row("아이스크림 먹는 아이", ["iceCream 1", "child 1"]),
        Row("아이스 크림", ["iceCream 1"]),
        Row("바닷속 물고기 다섯 마리", ["fish 5"], place: .underwater),
        Row("바다에서 고래가", ["whale 1"], place: .sea),
        Row("밤하늘의 별", ["star 1"], place: .night),
        Row("우주로 가는 로켓", ["rocket 1"], place: .space),
        Row("겨울에 눈사람 두 개", ["snowman 2"], place: .snow),
        Row("숲속의 곰", ["bear 1"], place: .meadow),
        Row("바다", ["boat 1", "whale 1"], place: .sea),
        Row("겨울에", ["snowman 1", "penguin 1"], place: .snow),
        Row("달 위의 고양이", ["moon 1", "cat 1"], seat: [.cat, .moon]),
        Row("달위에 토끼", ["moon 1", "rabbit 1"], seat: [.rabbit, .moon]),
        Row("아이가 코끼리를 타고", ["child 1", "elephant 1"], seat: [.child, .elephant]),
        Row("말을 탄 공주", ["horse 1", "princess 1"], seat: [.princess, .horse]),
        Row("100마리 강아지", ["dog 6"]),
        Row("자동차 열 대", ["car 6"]),
        Row("꽃 열 송이와 나비 여섯 마리", ["flower 6", "butterfly 3"]),
        // Not what they look like.
        Row("배가 고파요", []),
        Row("배고픈 사자", ["lion 1"]),
        Row("새로운 집", ["house 1"]),
        Row("말하는 토끼", ["rabbit 1"]),
        Row("개나리", []),
        Row("해적", []),
        Row("별로야", []),
        Row("차가운 얼음", []),
        Row("게임", []),
        Row("산타", []),
        Row("성격", []),
        Row("공부", []),
    ]

    static let english = [
        Row("cat", ["cat 1"]),
        Row("CATS", ["cat 2"]),
        Row("two cute cats and a dog", ["cat 2", "dog 1"]),
        Row("3 dogs", ["dog 3"]),
        Row("flowers", ["flower 3"]),
        Row("three mice, two butterflies", ["mouse 3", "butterfly 2"]),
        Row("children on the bus", ["child 2", "bus 1"], seat: [.child, .bus]),
        Row("cat on the moon", ["cat 1", "moon 1"], seat: [.cat, .moon]),
        Row("a bear on top of a big mountain", ["bear 1", "mountain 1"], seat: [.bear, .mountain]),
        Row("hot air balloon", ["hotAirBalloon 1"]),
        Row("balloon", ["balloons 1"]),
        Row("ice cream", ["iceCream 1"]),
        Row("T-Rex", ["dinosaur 1"]),
        Row("in space", ["rocket 1", "star 2"], place: .space),
        Row("a fish in the sea", ["fish 1"], place: .sea),
        Row("penguins in winter", ["penguin 2"], place: .snow),
        Row("99999999999999999999 foxes", ["fox 6"]),
        Row("0 cats", ["cat 1"]),
        Row("a cat, a cat and a cat", ["cat 3"]),
        Row("a cat and a 고양이", ["cat 2"]),
        Row("a hot dog", []),
        Row("category", []),
        Row("scar", []),
        Row("business", []),
        Row("Sunday", []),
    ]

    static let foreign = [
        Row("", []), Row("   ", []), Row("😀😀", []), Row("ネコ", []), Row("猫", []), Row("кот", []), Row("قطة", []),
        Row("12345", []), Row("!?.", []),
        Row("cat😀dog", ["cat 1", "dog 1"]), Row("c\u{202E}at", ["cat 1"]), Row("ca\u{0}t", ["cat 1"]),
        Row("고\u{200B}양이", ["cat 1"]), Row("cát", []),
    ]

    @Test(arguments: korean + english + foreign)
    func isReadAsMeant(_ row: Row) {
        let wish = Wish(row.wish)
        #expect(wish.parts.map { "\($0.subject.rawValue) \($0.count)" } == row.parts)
        #expect(wish.place == row.place)
        #expect(wish.seat.map { [$0.rider, $0.base] } ?? [] == row.seat)
    }

    /// Phones write Hangul composed or in its letters, as they like.
    @Test(arguments: korean)
    func decomposedHangulIsTheSame(_ row: Row) {
        #expect(Wish(row.wish.decomposedStringWithCanonicalMapping).parts == Wish(row.wish).parts)
    }

    @Test func noMoreThanThePageHolds() {
        let all = Wish(Subject.allCases.map { "6 " + $0.english[0] }.joined(separator: ", "))
        #expect(all.parts.count == Wish.actorCountMax)
        #expect(all.parts.map(\.count).reduce(0, +) == Wish.actorCountMax)
        let some = Wish("6 cats, 6 dogs and a fox")
        #expect(some.parts.map(\.count) == [6, 2, 1])
    }

    @Test func onlyTheBeginningOfAWishIsRead() {
        let long = String(repeating: "x ", count: 50_000)
        #expect(Wish("cat " + long + "dog").parts.map(\.subject) == [.cat])
        #expect(CleanWish(long).text.unicodeScalars.count <= CleanWish.scalarCountMax)
    }

    @Test(arguments: [
        ("a\u{9}b\u{D}\u{A}c", "a b c"), ("  a   b  ", "a b"), ("a\u{202E}\u{2066}b\u{200F}", "ab"),
        ("a\u{0}\u{7}\u{1B}[31mb", "a[31mb"),
        ("e\u{301}", "e"), ("\u{FEFF}\u{200D}", ""), ("a\u{2028}b", "a b"), ("Z\u{335}\u{336}algo", "Zalgo"),
    ])
    func controlsAreDropped(_ wish: String, _ clean: String) {
        #expect(CleanWish(wish).text == clean)
    }
}
