import ChilCore

/// What the client commands need.
protocol ClientServices {
    /// Adds the client ids to the tenant, under a provider record as drafted.
    func addClients(_ draft: ProviderDraft, to slug: Slug) async throws(AdminFault) -> [ClientRow]
    /// Changes the record that is meant, and returns its client ids.
    func setProvider(_ change: ProviderChange, of slug: Slug) async throws(AdminFault) -> [ClientRow]
    /// Asks the provider; a fault unless it knows the credentials for every client id that is meant.
    func checkClients(_ choice: ProviderChoice, of slug: Slug) async throws(AdminFault) -> [ClientCheckRow]
    func clients(of slug: Slug) async throws(AdminFault) -> [ClientRow]
    /// Removes it from every provider record that has it, and returns what was there.
    func removeClient(_ clientID: ClientID, from slug: Slug) async throws(AdminFault) -> [ClientRow]
}
