import Testing

@testable import ChilSketch

@Suite struct TitleTests {
    @Test(arguments: [
        ("cat", "A cat"), ("an elephant", "An elephant"), ("two cats", "Two cats"),
        ("3 mice and a fox", "Three mice and a fox"),
        ("puppy, kitten, bunny", "A dog, a cat and a rabbit"), ("five fish", "Five fish"),
        ("cat on the moon", "A cat on the moon"),
        ("six butterflies", "Six butterflies"), ("hot air balloon", "A hot air balloon"),
        ("고양이", "고양이"), ("고양이 두 마리", "고양이 두 마리"), ("고양이와 달", "고양이와 달"), ("곰이랑 토끼", "곰과 토끼"), ("토끼랑 곰이랑 집", "토끼, 곰과 집"),
        ("자동차 세 대와 나무", "자동차 세 대와 나무"), ("달 위의 고양이", "달 위의 고양이"), ("꽃 네 송이, 공주 두 명", "꽃 네 송이와 공주 두 명"),
    ])
    func saysWhatIsThere(_ wish: String, _ title: String) {
        #expect(Title.of(Wish(wish)) == title)
    }
}
