/// What a process of the service does. Requests and work may have machines of their own; between them is the database alone.
enum Roles: String, Sendable, CaseIterable {
    case all
    /// Answers requests; what they queue is others' to do.
    case api
    /// Does what outlives requests, and answers probes.
    case worker

    static let setting = "CHIL_ROLES"

    var serves: Bool { self != .worker }
    var works: Bool { self != .api }

    /// - Throws: `ConfigurationFault` for words that are no `--roles ROLES`.
    static func environment(_ environment: [String: String], with words: [String]) throws(ConfigurationFault)
        -> [String: String]
    {
        var environment = environment
        var words = words[...]
        while let word = words.popFirst() {
            if word.hasPrefix("--roles=") {
                environment[setting] = String(word.dropFirst(8))
            } else if word == "--roles", let roles = words.popFirst() {
                environment[setting] = roles
            } else {
                throw ConfigurationFault("chilapi", "takes no argument but --roles ROLES; see chilapi --help")
            }
            // An empty word would be taken for none.
            if environment[setting]?.isEmpty ?? true { environment[setting] = "none" }
        }
        return environment
    }
}
