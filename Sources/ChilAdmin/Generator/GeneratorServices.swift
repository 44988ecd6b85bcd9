import ChilCore

/// What the generator commands need beside the services themselves.
protocol GeneratorServices {
    /// Draws a wish, from this machine: a fault unless it can be coloured.
    ///
    /// - Parameter out: a file that is made.
    func testGenerator(_ number: ImageEndpointNumber, of slug: Slug, wish: String, out: String?)
        async throws(AdminFault)
        -> GeneratorTestRow
    /// Changes what is said in the draft, and answers what holds then.
    func generationSettings(_ draft: GenerationDraft, of slug: Slug) async throws(AdminFault) -> GenerationSettingsRow
}
