import ChilCore

extension Slug: ArgumentValue {
    static let expectation = "a tenant's slug"

    init?(argument: String) { self.init(argument) }

    static func complaint(about word: String) -> String {
        do {
            return "'\(try Slug(checking: word))' is refused"
        } catch {
            return "'\(word)': \(error)"
        }
    }
}
