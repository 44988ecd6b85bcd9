import ChilCore
import ChilStore

/// What the commands about consent need.
protocol ConsentServices {
    /// What was said of a user, newest first.
    func consents(of user: UserNumber, in slug: Slug) async throws(AdminFault) -> [ConsentRow]
    /// Writes down what a guardian said. False: it held already.
    func say(_ draft: ConsentDraft, of user: UserNumber, in slug: Slug) async throws(AdminFault) -> Bool
    /// Sets what the tenant asks for.
    func setConsent(_ draft: ConsentPolicyDraft, of slug: Slug) async throws(AdminFault) -> TenantRow
}

/// What a guardian said to the operator.
struct ConsentDraft: Equatable, Sendable {
    let scopes: ConsentScopes
    let isGiven: Bool
    let guardian: GuardianReference?
    let method: ConsentMethod?
    let notice: NoticeVersion?
}

/// What a tenant shall ask for; `nil`: as it does.
struct ConsentPolicyDraft: Equatable, Sendable {
    let required: ConsentScopes?
    let notice: NoticeVersion?
}
