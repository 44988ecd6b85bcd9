import ChilCore
import ChilStore

@testable import ChilAdmin

extension FakeServices {
    func addImageEndpoint(_ kind: ImageEndpoint.Kind, _ draft: ImageEndpointDraft, to slug: Slug)
        async throws(AdminFault) -> (
            ImageEndpointRow, notes: [String]
        )
    {
        try note("\(kind.rawValue) \(draft.model?.text ?? "-") for \(slug)")
        return (Sample.imageEndpoint, [])
    }

    func imageEndpoints(for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault) -> [ImageEndpointRow] {
        try note("\(purpose.rawValue) of \(slug)")
        return [Sample.imageEndpoint]
    }

    func imageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault)
        -> ImageEndpointRow
    {
        try note("\(purpose.rawValue) \(number.id.rawValue) of \(slug)")
        return Sample.imageEndpoint
    }

    func changeImageEndpoint(
        _ number: ImageEndpointNumber,
        for purpose: ImagePurpose,
        of slug: Slug,
        _ draft: ImageEndpointDraft
    ) async throws(AdminFault) -> ImageEndpointRow {
        try note("change \(purpose.rawValue) \(number.id.rawValue) of \(slug)")
        return Sample.imageEndpoint
    }

    func removeImageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug)
        async throws(AdminFault)
        -> ImageEndpointRow
    {
        try note("remove \(purpose.rawValue) \(number.id.rawValue) of \(slug)")
        return Sample.imageEndpoint
    }

    func testGenerator(_ number: ImageEndpointNumber, of slug: Slug, wish: String, out: String?)
        async throws(AdminFault)
        -> GeneratorTestRow
    {
        try note("\(number.id.rawValue) of \(slug) draws \(wish)")
        return GeneratorTestRow(
            id: 9,
            milliseconds: 12,
            mediaType: "image/png",
            width: 8,
            height: 8,
            byteCount: 99,
            revisedPrompt: nil
        )
    }

    func generationSettings(_ draft: GenerationDraft, of slug: Slug) async throws(AdminFault) -> GenerationSettingsRow {
        try note("settings of \(slug): \(draft.level?.rawValue ?? "as they are")")
        return GenerationSettingsRow(recipe: "{wish}", level: "easy", words: ["one"])
    }
}

extension Sample {
    static let imageEndpoint = ImageEndpointRow(
        id: 9,
        kind: "openai",
        url: "https://api.openai.com/v1",
        model: "gpt-image-1",
        options: "{}",
        position: 10,
        state: "enabled",
        timeoutSeconds: 120,
        hasKey: true,
        privateEndpoint: nil,
        disclosedTo: "openai",
        failures: 0,
        pausedUntil: nil,
        lastUsedAt: nil,
        lastFault: nil,
        createdAt: "2026-06-01T12:00:00Z"
    )
}
