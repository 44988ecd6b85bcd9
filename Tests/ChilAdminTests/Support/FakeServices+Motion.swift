import ChilCore

@testable import ChilAdmin

extension FakeServices {
    func testMotion(_ number: ImageEndpointNumber, of slug: Slug, _ draft: MotionTestDraft) async throws(AdminFault)
        -> MotionTestRow
    {
        try note("\(number.id.rawValue) of \(slug) moves \(draft.image)")
        return MotionTestRow(id: 9, milliseconds: 12, width: 8, height: 8, frames: 4, byteCount: 99)
    }
}
