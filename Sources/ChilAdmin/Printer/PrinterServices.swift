import ChilCore
import ChilPrint
import ChilStore

/// What the printer commands need.
protocol PrinterServices {
    func addPrinter(_ draft: PrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow
    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow]
    /// Asks the printer for its attributes. Throws with status `.failed` when it does not answer.
    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport
    /// Prints a page and says what became of it. Throws with status `.failed` when it was not printed.
    func printTestPage(onPrinterNamed name: String, of slug: Slug) async throws(AdminFault) -> String
    /// Trusts the key that it shows to this machine, or the one that is named.
    func trustPrinter(named name: String, of slug: Slug, key: PrinterKey?) async throws(AdminFault) -> PrinterKeyRow
    /// Printers that announce themselves in this machine's network.
    func discoverPrinters() async throws(AdminFault) -> [FoundPrinterRow]
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
