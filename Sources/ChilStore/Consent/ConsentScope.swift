/// What a guardian agrees to.
package enum ConsentScope: Hashable, Sendable, CustomStringConvertible {
    /// That the child's pictures are taken and kept.
    case collect
    /// That they are handed to a party, by its name: a cloud printer's, a picture service's.
    case disclose(String)

    private static let disclosePrefix = "disclose:"
    package static let partyBytesMax = 40

    /// `nil`: not the text of a scope.
    package init?(_ text: String) {
        if text == "collect" {
            self = .collect
        } else {
            guard text.hasPrefix(Self.disclosePrefix) else { return nil }
            let party = String(text.dropFirst(Self.disclosePrefix.count))
            guard Self.isParty(party) else { return nil }
            self = .disclose(party)
        }
    }

    /// As it is stored and sent: `collect`, `disclose:epson`.
    package var description: String {
        switch self {
        case .collect: "collect"
        case .disclose(let party): Self.disclosePrefix + party
        }
    }

    /// Whether it is the name of a party: 1 to 40 of `a`–`z`, `0`–`9` and `-`, no `-` first.
    package static func isParty(_ text: String) -> Bool {
        guard (1...partyBytesMax).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }
}

/// How it was made sure that a guardian agrees (16 CFR 312.5(b); PIPA Enforcement Decree Art. 17-2). Published words.
package enum ConsentMethod: String, Sendable, CaseIterable {
    case sms, card
    case phoneIdentity = "phone-identity"
    case signedPaper = "signed-paper"
    case email
    case phoneCall = "phone-call"
    case video, knowledge
    case governmentID = "government-id"
    case faceMatch = "face-match"
    case other
}
