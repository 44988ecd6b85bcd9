import ChilCore

/// What the client commands need.
protocol ClientServices {
    /// Adds the client ids to the tenant, under a provider record as drafted.
    func addClients(_ draft: ProviderDraft, to slug: Slug) async throws(AdminFault) -> [ClientRow]
    func clients(of slug: Slug) async throws(AdminFault) -> [ClientRow]
    /// Removes it from every provider record that has it, and returns what was there.
    func removeClient(_ clientID: ClientID, from slug: Slug) async throws(AdminFault) -> [ClientRow]
}
