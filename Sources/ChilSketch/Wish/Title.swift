/// A title in the wish's language that says what was drawn.
enum Title {
    static func of(_ wish: Wish) -> String {
        if let seat = wish.seat, wish.parts.count == 2, wish.parts.allSatisfy({ $0.count == 1 }) {
            let (rider, base) = (seat.rider, seat.base)
            return wish.isKorean
                ? "\(base.korean[0]) 위의 \(rider.korean[0])"
                : english([Wish.Part(subject: rider, count: 1)]) + " on the \(base.english[0])"
        }
        return wish.isKorean ? korean(wish.parts) : english(wish.parts)
    }

    private static func english(_ parts: [Wish.Part]) -> String {
        let names = parts.map { part -> String in
            let name = part.subject.english[0]
            guard part.count > 1 else { return "\(article(before: name)) \(name)" }
            return "\(["two", "three", "four", "five", "six"][part.count - 2]) \(Vocabulary.plural(of: name))"
        }
        let sentence =
            names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    /// By the sound: a unicorn begins like a yard.
    private static func article(before name: String) -> String {
        guard let first = name.first, "aeiou".contains(first), !name.hasPrefix("uni") else { return "a" }
        return "an"
    }

    private static func korean(_ parts: [Wish.Part]) -> String {
        var title = ""
        for (index, part) in parts.enumerated() {
            var phrase = part.subject.korean[0]
            if part.count > 1 {
                phrase += " \(["두", "세", "네", "다섯", "여섯"][part.count - 2]) \(counter(of: part.subject))"
            }
            title += phrase
            if index == parts.count - 2 {
                title += Hangul.endsInConsonant(phrase) ? "과 " : "와 "
            } else if index < parts.count - 2 {
                title += ", "
            }
        }
        return title
    }

    private static func counter(of subject: Subject) -> String {
        switch subject {
        case .car, .bus, .train, .rocket, .airplane, .hotAirBalloon, .robot: "대"
        case .boat: "척"
        case .tree: "그루"
        case .flower: "송이"
        case .house, .castle: "채"
        case .child, .princess, .snowman: "명"
        case .sun, .moon, .star, .cloud, .rainbow, .mountain, .mushroom, .cake, .iceCream, .apple, .strawberry,
            .umbrella, .balloons, .gift, .heart, .ball:
            "개"
        default: "마리"
        }
    }
}
