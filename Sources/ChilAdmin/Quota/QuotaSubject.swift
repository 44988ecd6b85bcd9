import ChilCore
import ChilStore

/// Whose use is shown where each user or printer has a count of its own; nothing of it: nobody's.
struct QuotaSubject: Equatable, Sendable {
    static let nobody = QuotaSubject(user: nil, printer: nil)

    let user: UserNumber?
    /// By its name.
    let printer: String?

    /// The flags of `quota list`.
    init(_ words: inout ArgumentReader) throws(UsageError) {
        self.init(user: try words.optional("--user"), printer: try words.optional("--printer"))
    }

    init(user: UserNumber?, printer: String?) {
        self.user = user
        self.printer = printer
    }
}

extension QuotaServices {
    func quotas(of slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        try await quotas(of: slug, for: .nobody)
    }
}
