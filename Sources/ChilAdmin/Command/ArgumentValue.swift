/// A type that one word of the command line can be read as. What it refuses never reaches the database.
protocol ArgumentValue {
    /// What is wanted, to complete "… is not …": `a port from 1 to 65535`.
    static var expectation: String { get }

    /// `nil` if the word is not such a value.
    init?(argument: String)

    /// A sentence about a word that `init` refused, for values that know better than their `expectation`.
    static func complaint(about word: String) -> String

    /// The likely word that was meant, as a sentence.
    static func hint(about word: String) -> String?
}

extension ArgumentValue {
    static func complaint(about word: String) -> String { "'\(word)' is not \(expectation)" }

    static func hint(about word: String) -> String? { nil }
}

extension String: ArgumentValue {
    static let expectation = "text"

    init?(argument: String) { self = argument }
}

extension Int64: ArgumentValue {
    static let expectation = "a whole number"

    init?(argument: String) {
        guard argument.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(argument)
    }
}

/// A value that is one of a few words.
protocol ArgumentChoice: ArgumentValue, RawRepresentable, CaseIterable where RawValue == String {}

extension ArgumentChoice {
    static var expectation: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

    init?(argument: String) { self.init(rawValue: argument) }

    static func hint(about word: String) -> String? {
        Suggestion.nearest(to: word, among: allCases.map(\.rawValue)).map { "Did you mean \($0)?" }
    }
}
