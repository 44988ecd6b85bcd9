/// What a wish asks for, as far as it was understood.
struct Wish: Equatable, Sendable {
    /// Of one subject.
    static let countMax = 6
    /// Of all together: with more, nothing would be large enough to colour.
    static let actorCountMax = 9

    struct Part: Equatable, Sendable {
        let subject: Subject
        var count: Int
    }

    let words: CleanWish
    /// In the order of the wish; a subject is there once.
    private(set) var parts: [Part] = []
    private(set) var place: Place?
    /// Who sits on what.
    private(set) var seat: (rider: Subject, base: Subject)?
    private(set) var isKorean = false

    init(_ wish: String) {
        words = CleanWish(wish)
        var reader = WishReader(WishWord.words(of: words))
        reader.read()
        place = reader.place
        isKorean = reader.isKorean
        for mention in reader.mentions { add(mention) }
        if parts.isEmpty, let place { parts = Self.inhabitants(of: place) }
        limit()
        if let pair = reader.seat, pair.rider != pair.base, has(pair.rider), has(pair.base) { seat = pair }
    }

    static func == (one: Wish, other: Wish) -> Bool {
        one.words == other.words && one.parts == other.parts && one.place == other.place
            && one.seat?.rider == other.seat?.rider && one.seat?.base == other.seat?.base
    }

    /// Who is there if a wish names a place and nobody.
    private static func inhabitants(of place: Place) -> [Part] {
        switch place {
        case .meadow:
            [Part(subject: .rabbit, count: 1), Part(subject: .butterfly, count: 1), Part(subject: .tree, count: 1)]
        case .sea: [Part(subject: .boat, count: 1), Part(subject: .whale, count: 1)]
        case .underwater: [Part(subject: .fish, count: 3), Part(subject: .octopus, count: 1)]
        case .space: [Part(subject: .rocket, count: 1), Part(subject: .star, count: 2)]
        case .night: [Part(subject: .owl, count: 1), Part(subject: .moon, count: 1)]
        case .snow: [Part(subject: .snowman, count: 1), Part(subject: .penguin, count: 1)]
        case .plain: []
        }
    }

    private func has(_ subject: Subject) -> Bool {
        parts.contains { $0.subject == subject }
    }

    private mutating func add(_ mention: WishReader.Mention) {
        let count = min(Self.countMax, max(1, mention.count ?? 1))
        if let index = parts.firstIndex(where: { $0.subject == mention.subject }) {
            parts[index].count = min(Self.countMax, parts[index].count + count)
        } else {
            parts.append(Part(subject: mention.subject, count: count))
        }
    }

    /// What is named first keeps its count; every part keeps one as long as there is room.
    private mutating func limit() {
        parts = Array(parts.prefix(Self.actorCountMax))
        var free = Self.actorCountMax - parts.count
        for index in parts.indices {
            let more = min(free, parts[index].count - 1)
            parts[index].count = 1 + more
            free -= more
        }
    }
}
