import Synchronization

/// The text of one statement, written once as a `static let` and prepared at most once per connection.
///
/// Its name on the wire is the digest of its text, so two releases side by side behind one PgBouncer never mean different
/// statements by one name. Parameters are `$1…`; all values and results travel in PostgreSQL's binary format.
package struct SQL: Sendable, Hashable {
    package let text: String
    /// `chil_` and 16 hexadecimal digits of the text's FNV-1a digest (64 bit).
    package let name: String
    /// A small number for this process only: the place of the statement in a connection's table of prepared ones.
    package let ordinal: Int
    /// It enters its tenant itself (`SQL.init(entering:)`), so nothing need go before it.
    let entersTenant: Bool
    /// The kinds of its parameters if each is an array with a place for every caller (`SQL.init(gathering:…)`), else none.
    let arrays: [ColumnKind]

    private static let made = Atomic<Int>(0)

    package init(_ text: String) {
        self.init(text, entersTenant: false, arrays: [])
    }

    init(_ text: String, entersTenant: Bool = false, arrays: [ColumnKind]) {
        self.text = text
        self.entersTenant = entersTenant
        self.arrays = arrays
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let hex = String(digest, radix: 16)
        name = "chil_" + String(repeating: "0", count: 16 - hex.count) + hex
        ordinal = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    package static func == (left: Self, right: Self) -> Bool { left.ordinal == right.ordinal }
    package func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }
}
