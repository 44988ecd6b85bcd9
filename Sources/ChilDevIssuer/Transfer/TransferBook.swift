import ChilCore
import ChilCrypto

/// Users on their way from one team to another ("Transferring your apps and users to another team").
///
/// What a user is called by the other team, and the transfer identifier, follow from the subject and both teams, so that asking twice
/// gives the same.
struct TransferBook: Sendable {
    struct Transfer: Equatable, Sendable {
        let subject: String
        let from: String
        let to: String
        /// What the other team will know the user by.
        let newSubject: String
        let begun: Timestamp
        let email: String
    }

    private var transfers: [String: Transfer] = [:]
    private var bySubject: [String: String] = [:]

    private static let countMax = 200_000

    /// The transfer identifier of a user for a team.
    mutating func begin(subject: String, from: String, to: String, at now: Timestamp) -> String {
        let digest = SHA256.digest(of: Array("\(subject)\0\(from)\0\(to)".utf8)).hex
        let identifier = "\(to).r\(digest.prefix(32)).0001"
        if transfers[identifier] == nil {
            if transfers.count >= Self.countMax { (transfers, bySubject) = ([:], [:]) }
            let newSubject = "000000.\(digest.suffix(32)).0001"
            transfers[identifier] = Transfer(
                subject: subject,
                from: from,
                to: to,
                newSubject: newSubject,
                begun: now,
                email: "\(digest.prefix(12))@privaterelay.example.com"
            )
            bySubject[newSubject] = identifier
        }
        return identifier
    }

    /// What the receiving team learns of a transfer identifier.
    func transfer(_ identifier: String, to team: String, at now: Timestamp) -> Transfer? {
        guard let transfer = transfers[identifier], transfer.to.isExactly(team),
            now < transfer.begun + IssuerSettings.transferLifetime
        else { return nil }
        return transfer
    }

    /// The `transfer_sub` of a user of the receiving team.
    func transferSubject(of subject: String, at now: Timestamp) -> String? {
        guard let identifier = bySubject[subject], let transfer = transfers[identifier],
            now < transfer.begun + IssuerSettings.transferLifetime
        else { return nil }
        return identifier
    }
}
