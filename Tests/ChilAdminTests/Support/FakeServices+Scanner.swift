import ChilCore
import ChilDevEpson
import ChilHTTP

@testable import ChilAdmin

extension FakeServices {
    func addScanner(_ draft: ScannerDraft, to slug: Slug) async throws(AdminFault) -> ScannerAddressRow {
        try note("add scanner \(draft.name.text) of \(draft.user.id.rawValue) to \(slug)")
        return Sample.scannerAddress
    }

    func scanners(of slug: Slug) async throws(AdminFault) -> [ScannerRow] {
        try note("scanners of \(slug)")
        return [Sample.scanner]
    }

    func rotateScanner(named name: String, of slug: Slug) async throws(AdminFault) -> ScannerAddressRow {
        try note("rotate scanner \(name) of \(slug)")
        return Sample.scannerAddress
    }

    func removeScanner(named name: String, from slug: Slug) async throws(AdminFault) -> (
        ScannerRow, destination: DestinationOutcome?
    ) {
        try note("remove scanner \(name) from \(slug)")
        return (Sample.scanner, nil)
    }

    func readPage(_ path: String) throws(AdminFault) -> [UInt8] {
        try note("read \(path)")
        return [0xFF, 0xD8, 0xFF]
    }

    func push(_ push: EpsonPush, to url: HTTPURL) async throws(AdminFault) -> ScanPushRow {
        try note("push \(push.pages.count) of \(push.serial) to \(url)")
        return ScanPushRow(status: 200, answer: "{}")
    }
}
