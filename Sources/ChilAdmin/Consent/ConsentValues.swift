import ChilCore
import ChilStore

extension ConsentMethod: ArgumentChoice {}

/// Some scopes, with commas between them; `none` is none.
struct ConsentScopes: ArgumentValue, Equatable, Sendable {
    static let countMax = 16
    static let expectation = "scopes such as collect,disclose:epson, or none"

    let scopes: [ConsentScope]

    init?(argument: String) {
        guard argument != "none" else {
            scopes = []
            return
        }
        var read: [ConsentScope] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = ConsentScope(String(word)), !read.contains(scope) else { return nil }
            read.append(scope)
        }
        guard read.count <= Self.countMax else { return nil }
        scopes = read
    }
}

/// The version of a notice to guardians.
struct NoticeVersion: ArgumentValue, Equatable, Sendable {
    static let expectation = "a version: a whole number from 1 to 2147483647"

    let number: Int32

    init?(argument: String) {
        guard let number = Int64(argument: argument), (1...Int64(Int32.max)).contains(number) else { return nil }
        self.number = Int32(number)
    }
}

/// The app's own name for a guardian; never read here.
struct GuardianReference: ArgumentValue, Equatable, Sendable {
    static let expectation = "1 to \(ConsentSay.guardianBytesMax) bytes without control characters"

    let text: String

    init?(argument: String) {
        guard TextRule(bytesMax: ConsentSay.guardianBytesMax).fault(in: argument) == nil else { return nil }
        text = argument
    }
}

/// The name of a party that pictures are handed to.
struct PartyName: ArgumentValue, Equatable, Sendable {
    static let expectation = "a party's name: 1 to \(ConsentScope.partyBytesMax) of a-z, 0-9 and '-'"

    let text: String

    init?(argument: String) {
        guard ConsentScope.isParty(argument) else { return nil }
        text = argument
    }
}
