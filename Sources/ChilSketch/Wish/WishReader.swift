/// Finds subjects, counts and places in a wish's words, Korean and English alike, one word after the other.
struct WishReader {
    struct Mention: Equatable {
        let subject: Subject
        var count: Int?
        /// What follows a Korean name can't count it any more: "고양이와 두 마리 강아지".
        var isClosed = false
    }

    private let words: [WishWord]
    private(set) var mentions: [Mention] = []
    private(set) var place: Place?
    private(set) var seat: (rider: Subject, base: Subject)?
    private(set) var isKorean = false

    /// A number that waits for its name.
    private var pendingCount: Int?
    /// A name that the next name sits on ("달 위의 …"), or that sits on the next ("… on the moon").
    private var pendingBase: Subject?
    private var pendingRider: Subject?

    init(_ words: [WishWord]) {
        self.words = words
        isKorean = words.contains { $0.script == .hangul }
    }

    mutating func read() {
        var index = 0
        while index < words.count {
            switch words[index].script {
            case .hangul: index += readKorean(at: index)
            case .latin: index += readEnglish(at: index)
            case .digits: index += readDigits(at: index)
            case .other: index += 1
            }
        }
        // "고양이 셋": nothing came that it could count.
        if let count = pendingCount, let last = mentions.indices.last, mentions[last].count == nil {
            mentions[last].count = count
        }
    }

    private mutating func mention(_ subject: Subject, count: Int? = nil, isClosed: Bool = false) {
        mentions.append(Mention(subject: subject, count: pendingCount ?? count, isClosed: isClosed))
        pendingCount = nil
        if let base = pendingBase { seat = seat ?? (subject, base) }
        if let rider = pendingRider { seat = seat ?? (rider, subject) }
        pendingBase = nil
        pendingRider = nil
    }

    // MARK: - English

    private mutating func readEnglish(at index: Int) -> Int {
        let following = words[index...].prefix { $0.script == .latin }.prefix(4).map(\.text)
        if following.count > 1, Vocabulary.englishTraps.contains(Array(following.prefix(2))) { return 2 }
        for (name, subject) in Vocabulary.english where name.count <= following.count {
            guard name.dropLast().elementsEqual(following.prefix(name.count - 1)) else { continue }
            let word = following[name.count - 1]
            guard let form = Vocabulary.singulars(of: word).firstIndex(of: name[name.count - 1]) else { continue }
            let isPlural = form > 0 || Vocabulary.singulars(of: word)[0] != word
            mention(subject, count: isPlural ? subject.plural : nil)
            return name.count
        }
        let word = following[0]
        if let found = Vocabulary.place(english: word) {
            place = place ?? found
        } else if Vocabulary.englishAbove.contains(word) {
            pendingRider = mentions.last?.subject
            return 1
        } else if let number = Vocabulary.englishNumbers[word] {
            pendingCount = number
        }
        if !Vocabulary.englishSkipped.contains(word) { pendingRider = nil }
        return 1
    }

    // MARK: - Numbers

    private mutating func readDigits(at index: Int) -> Int {
        let value = words[index].letters.count > 3 ? Wish.countMax : Int(words[index].text) ?? Wish.countMax
        let isCounter = index + 1 < words.count && Self.isCounter(words[index + 1].text)
        count(value, standsAlone: isCounter)
        return isCounter ? 2 : 1
    }

    private static func isCounter(_ text: String) -> Bool {
        Vocabulary.counters.contains {
            text.hasPrefix($0) && Vocabulary.particles.contains(String(text.dropFirst($0.count)))
        }
    }

    /// A number with a counter, or one that stands alone, counts the name before it unless that is closed.
    private mutating func count(_ value: Int, standsAlone: Bool) {
        if standsAlone, let last = mentions.indices.last, mentions[last].count == nil, !mentions[last].isClosed {
            mentions[last].count = value
        } else {
            pendingCount = value
        }
    }

    // MARK: - Korean

    private mutating func readKorean(at index: Int) -> Int {
        let word = words[index]
        if Vocabulary.above.contains(word.text) {
            pendingBase = mentions.last?.subject
            return 1
        }
        if Vocabulary.riding.contains(word.text), let base = mentions.last?.subject {
            // "아이가 말을 타고", or "말을 탄 아이".
            if let rider = mentions.dropLast().last?.subject {
                seat = seat ?? (rider, base)
            } else {
                pendingBase = base
            }
            return 1
        }
        if let taken = readKoreanNumber(at: index) { return taken }
        if let found = Vocabulary.place(korean: word.text) {
            place = place ?? found
            return 1
        }
        if isTrap(at: index) { return 1 }
        for (name, subject) in Vocabulary.korean where name.count > 1 && index + name.count <= words.count {
            let written = words[index..<index + name.count].map(\.letters)
            guard name.dropLast().elementsEqual(written.dropLast()), let last = written.last,
                last.starts(with: name[name.count - 1])
            else { continue }
            let rest = String(last.dropFirst(name[name.count - 1].count))
            guard Vocabulary.particles.contains(rest) else { continue }
            mentionKorean(subject, particle: rest)
            return name.count
        }
        scan(word.letters)
        return 1
    }

    private mutating func readKoreanNumber(at index: Int) -> Int? {
        let text = words[index].text
        for (number, value, standsAlone) in Vocabulary.koreanNumbers where text.hasPrefix(number) {
            let rest = String(text.dropFirst(number.count))
            if Self.isCounter(rest) {
                count(value, standsAlone: true)
                return 1
            }
            if rest.isEmpty, index + 1 < words.count, Self.isCounter(words[index + 1].text) {
                count(value, standsAlone: true)
                return 2
            }
            if rest.isEmpty || standsAlone && Vocabulary.particles.contains(rest) {
                count(value, standsAlone: standsAlone)
                return 1
            }
        }
        return nil
    }

    private func isTrap(at index: Int) -> Bool {
        guard index + 1 < words.count else { return false }
        return Vocabulary.koreanTraps.contains {
            $0.first == words[index].text && words[index + 1].text.hasPrefix($0.second)
        }
    }

    /// Names in one run of syllables: whole, with particles, or several joined ("사과나무", "아기고양이가").
    private mutating func scan(_ letters: [Character]) {
        var position = 0
        var isAfterName = true
        while position < letters.count {
            let rest = letters[position...]
            guard let (name, subject) = Self.name(startingAt: rest, maySingle: isAfterName) else {
                position += 1
                isAfterName = false
                continue
            }
            let after = String(rest.dropFirst(name.count))
            mentionKorean(subject, particle: after)
            position += name.count
            isAfterName = true
            if Vocabulary.particles.contains(after) { return }
        }
    }

    /// The longest name there that ends where a word can end: a name of one syllable only at the start, and any short one only before a
    /// particle or another name, else half the language would be animals.
    private static func name(startingAt rest: ArraySlice<Character>, maySingle: Bool) -> (
        name: [Character], subject: Subject
    )? {
        for (words, subject) in Vocabulary.korean where words.count == 1 && rest.starts(with: words[0]) {
            let name = words[0]
            guard name.count > 1 || maySingle else { continue }
            let after = rest.dropFirst(name.count)
            if name.count > 2 || Vocabulary.particles.contains(String(after)) || startsName(after) {
                return (name, subject)
            }
        }
        return nil
    }

    private static func startsName(_ rest: ArraySlice<Character>) -> Bool {
        Vocabulary.korean.contains { $0.words.count == 1 && $0.words[0].count > 1 && rest.starts(with: $0.words[0]) }
    }

    private mutating func mentionKorean(_ subject: Subject, particle: String) {
        let isPlural = particle.hasPrefix("들")
        let plain = isPlural ? String(particle.dropFirst()) : particle
        mention(subject, count: isPlural ? subject.plural : nil, isClosed: Vocabulary.joining.contains(plain))
        if Vocabulary.above.contains(plain) { pendingBase = subject }
    }
}
