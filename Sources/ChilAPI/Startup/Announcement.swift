import ChilCore
import ChilStore

/// What a notification says (`Notify` writes them): a word, and numbers behind single spaces.
///
/// One comes to each process for what is written anywhere, so it is read byte by byte: no text is made of a part.
enum Announcement: Equatable {
    case change(Change)
    /// The queue has something.
    case work
    /// A drawing that was being made is ready, or will never be.
    case drawing(DrawingBells.Place)

    /// `nil`: nothing that this release knows.
    init?(_ payload: String) {
        var payload = payload
        guard let announcement = payload.withUTF8({ Self.read(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = announcement
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> Announcement? {
        var reader = Reader(bytes: bytes)
        guard let word = Word.allCases.first(where: { reader.takes($0.text) }) else { return nil }
        guard let announcement = reader.announcement(word), reader.isAtEnd else { return nil }
        return announcement
    }

    private enum Word: CaseIterable {
        case live, tenant, session, user, work, drawing

        var text: StaticString {
            switch self {
            case .live: "live"
            case .tenant: "tenant"
            case .session: "session"
            case .user: "user"
            case .work: "work"
            case .drawing: "drawing"
            }
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var at = 0

        var isAtEnd: Bool { at == bytes.count }

        /// Whether the payload begins with this word, which is behind it then.
        mutating func takes(_ word: StaticString) -> Bool {
            let end = word.utf8CodeUnitCount
            guard bytes.count >= end, bytes.count == end || bytes[end] == UInt8(ascii: " ") else { return false }
            for index in 0..<end where bytes[index] != word.utf8Start[index] { return false }
            at = end
            return true
        }

        /// A space and the digits behind it; ids have 53 bits.
        mutating func number() -> Int64? {
            guard at < bytes.count, bytes[at] == UInt8(ascii: " ") else { return nil }
            at += 1
            let start = at
            var number: Int64 = 0
            while at < bytes.count, at - start < 16, case let digit = bytes[at] &- UInt8(ascii: "0"), digit < 10 {
                number = number * 10 + Int64(digit)
                at += 1
            }
            return at == start ? nil : number
        }

        mutating func announcement(_ word: Word) -> Announcement? {
            switch word {
            case .work: return .work
            case .live: return people().map(Announcement.change)
            case .tenant: return number().map { .change(.tenant(TenantID(rawValue: $0))) }
            case .session, .user, .drawing:
                guard let first = number(), let second = number() else { return nil }
                let tenant = TenantID(rawValue: first)
                return switch word {
                case .session: .change(.session(SessionID(rawValue: second), of: tenant))
                case .user: .change(.user(UserID(rawValue: second), in: tenant))
                default: .drawing(DrawingBells.Place(tenant: tenant, drawing: DrawingID(rawValue: second)))
                }
            }
        }

        /// Nobody named: everybody.
        private mutating func people() -> Change? {
            if isAtEnd { return .allEvents }
            var people: Set<Person> = []
            while !isAtEnd {
                guard let tenant = number(), let user = number() else { return nil }
                people.insert(Person(tenant: TenantID(rawValue: tenant), user: UserID(rawValue: user)))
            }
            return .events(of: people)
        }
    }
}
