import ChilCore

/// What the scanner commands need.
protocol ScannerServices {
    func addScanner(_ draft: ScannerDraft, to slug: Slug) async throws(AdminFault) -> ScannerAddressRow
    func scanners(of slug: Slug) async throws(AdminFault) -> [ScannerRow]
    func rotateScanner(named name: String, of slug: Slug) async throws(AdminFault) -> ScannerAddressRow
    /// Removes one and returns what it was.
    func removeScanner(named name: String, from slug: Slug) async throws(AdminFault) -> (
        ScannerRow, destination: DestinationOutcome?
    )
}

/// A scanner to be added.
struct ScannerDraft: Equatable, Sendable {
    let name: DisplayName
    /// Whose drawings its pages become.
    let user: UserNumber
    let serial: SerialNumber?
    /// By whose account at Epson Connect its address is registered.
    var printer: String?
}

/// What a printer calls itself: as it stands in the head of what it pushes.
struct SerialNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "1 to 64 letters and digits, as on the printer's back"

    let text: String

    init?(argument: String) {
        let isPlain = argument.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        guard (1...64).contains(argument.utf8.count), isPlain else { return nil }
        text = argument
    }
}
