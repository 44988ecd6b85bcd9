import ChilCore
import ChilStore

extension RetentionClass: ArgumentChoice {}

/// What the commands about retention need.
protocol RetentionServices {
    func retention(of slug: Slug) async throws(AdminFault) -> [RetentionRow]
    /// - Parameter limit: `nil`: the default again.
    func setRetention(_ kind: RetentionClass, to limit: RetentionLimit?, of slug: Slug) async throws(AdminFault)
        -> [RetentionRow]
    /// - Parameter reason: `nil`: the hold ends.
    func hold(_ user: UserNumber, of slug: Slug, because reason: Remark?) async throws(AdminFault) -> UserDetailRow
}

/// For how long: `30`, or `forever` in a word.
enum RetentionLimit: ArgumentValue, Equatable, Sendable {
    case days(Int32)
    case forever

    static let expectation = "a whole number of days from 1 to \(RetentionSet.daysMax), or forever"

    init?(argument: String) {
        if argument == "forever" {
            self = .forever
        } else {
            guard let days = Int64(argument: argument), (1...Int64(RetentionSet.daysMax)).contains(days) else {
                return nil
            }
            self = .days(Int32(days))
        }
    }

    var days: Int32? {
        if case .days(let days) = self { days } else { nil }
    }
}

/// A sentence of the operator's: a reason, a reference.
struct Remark: ArgumentValue, Equatable, Sendable {
    static let bytesMax = 400
    static let expectation = "1 to \(bytesMax) bytes without control characters"

    let text: String

    init?(argument: String) {
        guard TextRule(bytesMax: Self.bytesMax).fault(in: argument) == nil,
            !argument.unicodeScalars.contains(where: CleanText.isUnsafe)
        else { return nil }
        text = argument
    }
}

/// For how long a tenant keeps a class.
struct RetentionRow: ListingRow, Equatable {
    let kind: String
    /// Nothing: for ever.
    let days: Int64?
    /// Whether the tenant's operator has said it.
    let isSet: Bool

    static let columns: [Column<Self>] = [
        Column("class") { .text($0.kind) },
        Column("days") { $0.days.map { .number($0) } ?? .none },
        Column("forever") { .flag($0.days == nil) },
        Column("set") { .flag($0.isSet) },
    ]
}

extension RetentionRow {
    init(_ rule: RetentionRule) {
        self.init(kind: rule.kind.rawValue, days: rule.days.map { Int64($0) }, isSet: rule.isSet)
    }
}
