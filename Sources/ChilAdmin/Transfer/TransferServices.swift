import ChilCore

/// What the transfer commands need.
protocol TransferServices {
    /// Adds a line to the file for each user that has none there.
    func exportTransfer(_ draft: TransferExportDraft, of slug: Slug) async throws(AdminFault) -> TransferExportRow
    /// Stores the file's lines, and moves users if that is wanted.
    func importTransfer(_ draft: TransferImportDraft, of slug: Slug) async throws(AdminFault) -> TransferImportRow
}
