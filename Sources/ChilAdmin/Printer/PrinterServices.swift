import ChilCore
import ChilPrint
import ChilStore

/// What the printer commands need.
protocol PrinterServices {
    func addPrinter(_ draft: PrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow
    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow]
    /// Asks the printer for its attributes. Throws with status `.failed` when it does not answer.
    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport
    /// Removes one and returns what it was.
    func removePrinter(named name: String, from slug: Slug, _ removal: PrinterRemoval) async throws(AdminFault)
        -> PrinterRow
    func printer(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterDetailRow
    func setPrinter(named name: String, of slug: Slug, to state: PrinterRecord.State) async throws(AdminFault)
        -> PrinterRow
    func setDefaultPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterRow
    /// Lends a printer and returns the borrower's.
    func lendPrinter(named name: String, of slug: Slug, to borrower: Slug, as asName: DisplayName?)
        async throws(AdminFault)
        -> PrinterRow
    func endLoan(of name: String, of slug: Slug, to borrower: Slug, _ removal: PrinterRemoval)
        async throws(AdminFault)
        -> PrinterRow
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
