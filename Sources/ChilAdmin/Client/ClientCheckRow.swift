/// A client id for which the provider knows the tenant's credentials.
struct ClientCheckRow: ListingRow, Equatable {
    let clientID: String
    let teamID: String
    let keyID: String
    let tokenURL: String

    static let columns: [Column<Self>] = [
        Column("clientId") { .text($0.clientID) },
        Column("teamId") { .text($0.teamID) },
        Column("keyId") { .text($0.keyID) },
        Column("tokenUrl") { .text($0.tokenURL) },
        Column("credentials") { _ in .text("accepted") },
    ]
}
