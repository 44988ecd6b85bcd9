import Testing

@testable import ChilSketch

@Suite struct SubjectNameTests {
    private static func only(_ wish: String) -> [Subject] { Wish(wish).parts.map(\.subject) }

    @Test(arguments: Subject.allCases)
    func isFoundByEachKoreanName(_ subject: Subject) {
        for name in subject.korean {
            let endsInConsonant = Hangul.endsInConsonant(name)
            let written = [
                name, name + (endsInConsonant ? "이" : "가"), name + (endsInConsonant ? "을" : "를"), name + "의 그림",
                name + (endsInConsonant ? "이랑" : "랑") + " 놀아요", "예쁜 " + name + "도 그려줘", name + "들이", name + "!",
            ]
            for wish in written { #expect(Self.only(wish) == [subject], "\(wish)") }
        }
    }

    @Test(arguments: Subject.allCases)
    func isFoundByEachEnglishName(_ subject: Subject) {
        for name in subject.english {
            let plural = Vocabulary.plural(of: name)
            for wish in [
                name, "a \(name)", "The \(name.uppercased())!", "my happy \(name) jumps", plural, "two \(plural)",
                "\(name)'s",
            ] {
                #expect(Self.only(wish) == [subject], "\(wish)")
            }
        }
    }

    /// A name means one thing only.
    @Test func namesAreNotShared() {
        let korean = Subject.allCases.flatMap(\.korean)
        let english = Subject.allCases.flatMap(\.english)
        #expect(Set(korean).count == korean.count)
        #expect(Set(english).count == english.count)
    }
}
