import ChilCore
import ChilStore

/// What the commands about services that make pictures need, whatever they make.
protocol ImageEndpointServices {
    /// Notes for the operator: a name that leads nowhere from here.
    func addImageEndpoint(_ kind: ImageEndpoint.Kind, _ draft: ImageEndpointDraft, to slug: Slug)
        async throws(AdminFault) -> (
            ImageEndpointRow, notes: [String]
        )
    func imageEndpoints(for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault) -> [ImageEndpointRow]
    func imageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault)
        -> ImageEndpointRow
    func changeImageEndpoint(
        _ number: ImageEndpointNumber,
        for purpose: ImagePurpose,
        of slug: Slug,
        _ draft: ImageEndpointDraft
    ) async throws(AdminFault) -> ImageEndpointRow
    /// What was there.
    func removeImageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug)
        async throws(AdminFault)
        -> ImageEndpointRow
}

extension AdminFault {
    static func noSuchService(_ number: ImageEndpointNumber, _ purpose: ImagePurpose, tenant: String) -> Self {
        let noun = purpose == .motion ? "motion" : "generator"
        return Self(
            .notFound,
            "tenant '\(tenant)' has no \(noun) \(number.id.rawValue)",
            remedy: "`chiladmin \(noun) list \(tenant)` shows what it has."
        )
    }
}
