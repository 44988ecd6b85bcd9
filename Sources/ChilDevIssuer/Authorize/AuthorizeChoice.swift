import ChilCore
import ChilCrypto
import ChilHTTP

/// What the person at the page chose.
enum AuthorizeChoice: Equatable, Sendable {
    case cancel
    case person(Person)

    struct Person: Equatable, Sendable {
        let subject: String
        let email: String?
        let isRelay: Bool
        let givenName: String?
        let familyName: String?
    }

    private static let textRule = TextRule(bytesMax: 255)

    init(_ form: QueryItems) throws(OAuthError) {
        if form["action"] == "cancel" {
            self = .cancel
            return
        }
        let subject = try form.required("subject")
        guard Self.textRule.fault(in: subject) == nil else {
            throw .invalidRequest("subject is longer than 255 bytes.")
        }
        let email: String?
        switch form["email_kind"] ?? "real" {
        case "real": email = form["email"].flatMap { $0.isEmpty ? nil : $0 }
        case "hidden": email = Self.relay(of: subject)
        case "none": email = nil
        default: throw .invalidRequest("email_kind is not real, hidden or none.")
        }
        self = .person(
            Person(
                subject: subject,
                email: email,
                isRelay: form["email_kind"] == "hidden",
                givenName: form["given_name"].flatMap { $0.isEmpty ? nil : $0 },
                familyName: form["family_name"].flatMap { $0.isEmpty ? nil : $0 }
            )
        )
    }

    /// The relay address of a person: always the same, and nobody's (RFC 2606 §3).
    static func relay(of subject: String) -> String {
        "\(SHA256.digest(of: Array(subject.utf8)).hex.prefix(10))@privaterelay.example.com"
    }
}
