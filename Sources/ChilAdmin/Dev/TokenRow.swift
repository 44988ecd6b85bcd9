/// An identity token, alone on its line so that a shell can take it: `$(chiladmin dev token …)`.
struct TokenRow: ListingRow, Equatable {
    let token: String

    static let columns: [Column<Self>] = [Column("token") { .text($0.token) }]
}
