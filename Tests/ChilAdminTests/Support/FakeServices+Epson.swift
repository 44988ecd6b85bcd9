import ChilCore
import ChilStore

@testable import ChilAdmin

extension FakeServices {
    func addEpsonPrinter(_ draft: EpsonPrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow {
        try note("add printer \(draft.name.text) of \(draft.kind.rawValue) to \(slug)")
        return Sample.printer
    }

    func authorizePrinter(named name: String, of slug: Slug, _ permission: EpsonPermission)
        async throws(AdminFault)
        -> PrinterRow
    {
        try note("authorize \(name) of \(slug) by \(permission.redirect.text)")
        return Sample.printer
    }

    func serveEpson(_ draft: EpsonSimulatorDraft) async throws(AdminFault) {
        try note("simulate Epson Connect at \(draft.listen.text) and \(draft.uploadListen.text)")
    }
}
