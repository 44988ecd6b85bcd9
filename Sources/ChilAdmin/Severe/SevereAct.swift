import ChilCore
import ChilStore

/// What a severe command will do, said before it does it.
struct SevereAct: Equatable, Sendable {
    /// `deletes user 7 of 'chillin'`
    let does: String
    var losses: [Loss]
    /// Which database, and as whom.
    let place: String
    let operatorName: String
    /// What undoes it.
    var undo = "Nothing brings it back."
    /// Lines that are shown before.
    var shown: [String] = []

    /// Lines for standard error.
    var text: String {
        let there = losses.filter { $0.count > 0 }.map { "\(Self.grouped($0.count)) \($0.kind)" }
        let what = there.isEmpty ? "" : ": \(there.joined(separator: ", "))"
        return shown.map { $0 + "\n" }.joined()
            + "This \(does)\(what).\nDatabase \(place), as \(operatorName). \(undo)\n"
    }

    /// `12,345`
    static func grouped(_ number: Int64) -> String {
        var text = String(number)
        var place = text.endIndex
        while text.distance(from: text.startIndex, to: place) > 3 {
            place = text.index(place, offsetBy: -3)
            text.insert(",", at: place)
        }
        return text
    }
}

/// What is to be weighed.
enum SevereSubject: Sendable {
    case tenant(Slug, isNow: Bool)
    /// What a file of the tenant has not.
    case rest(Slug)
    case user(UserNumber, Slug)
    case erasure(ErasureNumber, Slug)
    case key(KeyID, Slug)
    case client(ClientID, Slug)
    case printer(String, Slug)
    case loan(String, Slug, to: Slug)
    case plan(PlanName)
    case ledger(String)
    case images(ImageMover.Target, Slug?)
    case distribution
}

/// What `SevereCommand`s need.
protocol SevereServices {
    func weigh(_ subject: SevereSubject) async throws(AdminFault) -> SevereAct
}
