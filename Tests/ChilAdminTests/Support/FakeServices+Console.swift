import ChilCore

@testable import ChilAdmin

extension FakeServices {
    func watch(_ draft: ConsoleDraft) async throws(AdminFault) {
        let readOnly = draft.isReadOnly ? "only " : ""
        try note("\(readOnly)watch \(draft.tenant?.text ?? "all") every \(draft.refreshSeconds) seconds")
    }
}
