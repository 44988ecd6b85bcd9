package import ChilCore

/// What a provider tells of one of its users. Read from `events`, which has come as an object, as the text of one, and as an array.
package struct ProviderEvent: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The user has withdrawn the app's credentials.
        case consentRevoked
        /// The user's account at the provider is gone.
        case accountDeleted
        /// Mail to the relay address is passed on, or no longer.
        case emailEnabled, emailDisabled
        /// One that is not known here, as it is called there, or `unreadable`.
        case other(String)

        /// Apple documents `account-delete` and has sent `account-deleted`, or the reverse.
        init(_ type: String) {
            switch type {
            case "consent-revoked": self = .consentRevoked
            case "account-delete", "account-deleted": self = .accountDeleted
            case "email-enabled": self = .emailEnabled
            case "email-disabled": self = .emailDisabled
            default: self = ProviderEvent.typeRule.fault(in: type) == nil ? .other(type) : .unreadable
            }
        }

        static let unreadable = Kind.other("unreadable")
    }

    package let kind: Kind
    /// Whom it is of; empty for a kind that is not known.
    package let subject: String
    /// `event_time`: milliseconds since 1970. nil where it is missing or no moment.
    package let happened: Timestamp?

    /// Events of one notification. More are one that cannot be read.
    static let countMax = 32
    private static let typeRule = TextRule(bytesMax: 64)
    private static let limits = JSONLimits(bytesMax: CompactJWS.bytesMax, depthMax: 8, valuesMax: 512)
    private static let unreadable = ProviderEvent(kind: .unreadable, subject: "", happened: nil)

    private init(kind: Kind, subject: String, happened: Timestamp?) {
        self.kind = kind
        self.subject = subject
        self.happened = happened
    }

    /// The events of the claim, at least one: what cannot be read is one too, because a provider that signed it shall be told that it
    /// came, and an operator that it was not understood.
    static func list(_ claim: JSONValue) -> [ProviderEvent] {
        guard let value = unwrapped(claim) else { return [unreadable] }
        guard let elements = value.array else { return [event(value)] }
        guard 1...countMax ~= elements.count else { return [unreadable] }
        return elements.map { element in unwrapped(element).map(event) ?? unreadable }
    }

    /// The value itself, or what a text says.
    private static func unwrapped(_ value: JSONValue) -> JSONValue? {
        guard let text = value.string else { return value }
        return try? StrictJSON.parse(Array(text.utf8), limits: limits)
    }

    private static func event(_ value: JSONValue) -> ProviderEvent {
        guard let members = value.object, let type = members["type"]?.string else { return unreadable }
        let kind = Kind(type)
        let happened = moment(members["event_time"])
        if case .other = kind { return ProviderEvent(kind: kind, subject: "", happened: happened) }
        guard let subject = members["sub"]?.string, IdentityClaims.subjectRule.fault(in: subject) == nil else {
            return unreadable
        }
        return ProviderEvent(kind: kind, subject: subject, happened: happened)
    }

    /// Apple's are milliseconds, its examples seconds. As seconds, what lies beyond the year 5138 is milliseconds since 1973.
    private static func moment(_ value: JSONValue?) -> Timestamp? {
        guard let number = value?.number?.double, number >= 0, number <= 1_000 * Double(NumericDate.secondsMax) else {
            return nil
        }
        let seconds = number > 1e11 ? number / 1_000 : number
        return Timestamp(microseconds: Int64((seconds * 1_000_000).rounded(.down)))
    }
}
