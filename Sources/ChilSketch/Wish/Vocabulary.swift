/// The words that a wish may be made of, besides the subjects' names.
enum Vocabulary {
    /// Every name as its words, longest first, so that "hot air balloon" is no balloon and "아이스크림" no child.
    static let english: [(words: [String], subject: Subject)] = Subject.allCases
        .flatMap { subject in subject.english.map { ($0.split(separator: " ").map(String.init), subject) } }
        .sorted { $0.words.count > $1.words.count }

    static let korean: [(words: [[Character]], subject: Subject)] = Subject.allCases
        .flatMap { subject in subject.korean.map { ($0.split(separator: " ").map(Array.init), subject) } }
        .sorted { ($0.words.count, $0.words[0].count) > ($1.words.count, $1.words[0].count) }

    /// Phrases that hold a subject's name and mean something else.
    static let englishTraps: Set<[String]> = [
        ["hot", "dog"], ["hot", "dogs"], ["sea", "horse"], ["star", "fish"], ["sea", "star"],
    ]
    /// A word that begins like the second after the first: hungry is no boat, bad is no horse.
    static let koreanTraps: [(first: String, second: String)] = [
        ("배", "고"), ("배가", "고"), ("배", "부"), ("배가", "부"), ("배가", "아"), ("말", "하"), ("말을", "하"), ("말", "안"),
    ]

    static let particles: Set<String> = {
        let simple = [
            "", "가", "이", "은", "는", "을", "를", "의", "에", "와", "과", "랑", "이랑", "하고", "도", "만", "에서", "에게", "한테", "로",
            "으로", "야", "아", "이야", "처럼",
            "보다", "까지", "부터", "나", "이나", "며", "이며", "께서", "이다", "입니다", "예요", "이에요", "네", "이네", "그림", "모양", "님", "밭",
            "속", "속에", "속의", "안",
            "안에", "안의", "옆", "옆에", "옆의", "앞", "앞에", "앞의", "뒤", "뒤에", "뒤의", "아래", "아래에", "밑", "밑에",
        ]
        return Set(simple + simple.map { "들" + $0 } + above)
    }()

    static let above = ["위", "위에", "위의", "위에서", "위에있는"]
    static let riding: Set<String> = ["타고", "탄", "타는"]
    static let joining = ["와", "과", "랑", "이랑", "하고"]

    static let englishNumbers: [String: Int] = [
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10,
        "couple": 2, "pair": 2, "few": 3, "some": 3, "many": 5, "several": 4, "lots": 5,
    ]
    /// Those that stand before what they count, then those that stand alone.
    static let koreanNumbers: [(word: String, value: Int, standsAlone: Bool)] = [
        ("다섯", 5, true), ("여섯", 6, true), ("일곱", 7, true), ("여덟", 8, true), ("아홉", 9, true), ("하나", 1, true),
        ("여러", 4, false),
        ("많은", 5, false), ("한", 1, false), ("두", 2, false), ("세", 3, false), ("네", 4, false), ("둘", 2, true),
        ("셋", 3, true),
        ("넷", 4, true), ("열", 10, true),
    ]
    static let counters = ["마리", "개", "대", "명", "송이", "그루", "척", "채", "사람", "켤레", "쌍", "권", "조각", "자루"]

    static let englishAbove: Set<String> = ["on", "above", "over", "riding", "atop"]
    static let englishSkipped: Set<String> = [
        "the", "a", "an", "top", "of", "his", "her", "my", "big", "little", "small", "cute", "happy",
    ]

    static func place(english word: String) -> Place? {
        switch word {
        case "sea", "ocean", "lake", "river", "beach", "water": .sea
        case "underwater", "aquarium": .underwater
        case "space", "galaxy", "universe", "planet": .space
        case "night": .night
        case "winter", "snow", "snowy", "ice": .snow
        case "garden", "park", "forest", "meadow", "field", "grass", "farm", "zoo", "jungle", "sky": .meadow
        default: nil
        }
    }

    static func place(korean word: String) -> Place? {
        let all: [(String, Place)] = [
            ("바닷속", .underwater), ("바다속", .underwater), ("물속", .underwater), ("수족관", .underwater), ("바다", .sea),
            ("해변", .sea), ("강가", .sea),
            ("호수", .sea), ("우주", .space), ("은하", .space), ("밤하늘", .night), ("한밤", .night), ("밤", .night), ("겨울", .snow),
            ("눈밭", .snow),
            ("하늘", .meadow), ("숲", .meadow), ("들판", .meadow), ("공원", .meadow), ("정원", .meadow), ("풀밭", .meadow),
            ("농장", .meadow), ("동물원", .meadow),
            ("잔디", .meadow),
        ]
        for (name, place) in all where word.hasPrefix(name) {
            let rest = word.dropFirst(name.count)
            if particles.contains(String(rest)) || rest == "에있는" { return place }
        }
        return nil
    }

    /// The singular forms that an English word may be the plural of, itself first.
    static func singulars(of word: String) -> [String] {
        switch word {
        case "mice": return ["mouse"]
        case "children": return ["child"]
        case "snowmen": return ["snowman"]
        case "octopi": return ["octopus"]
        default: break
        }
        var forms = [word]
        if word.hasSuffix("ies"), word.count > 4 { forms.append(word.dropLast(3) + "y") }
        if word.hasSuffix("es"), word.count > 3 { forms.append(String(word.dropLast(2))) }
        if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 { forms.append(String(word.dropLast())) }
        return forms
    }

    static func plural(of name: String) -> String {
        switch name {
        case "mouse": return "mice"
        case "child": return "children"
        case "snowman": return "snowmen"
        case "fish": return "fish"
        default: break
        }
        if ["s", "x", "sh", "ch"].contains(where: name.hasSuffix) { return name + "es" }
        if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        return name + "s"
    }
}
