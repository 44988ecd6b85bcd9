import ChilCore
import ChilPrint

/// What the printer commands need.
protocol PrinterServices {
    func addPrinter(_ draft: PrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow
    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow]
    /// Asks the printer for its attributes. Throws with status `.failed` when it does not answer.
    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport
    /// Removes one and returns what it was.
    func removePrinter(named name: String, from slug: Slug) async throws(AdminFault) -> PrinterRow
}

/// A printer to be added.
struct PrinterDraft: Equatable, Sendable {
    let name: DisplayName
    let uri: PrinterURI
    /// Takes the place of the tenant's default printer.
    let isDefault: Bool
    /// Whose service it is, if not the tenant's own.
    var disclosedTo: PartyName?
}
