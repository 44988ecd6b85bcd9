import ChilTestSupport
import Foundation

/// The Big List of Naughty Strings.
func naughtyStrings() throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(try Vectors.bytes("strings/blns.json")))
}
