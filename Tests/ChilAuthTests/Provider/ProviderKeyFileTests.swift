import ChilAuth
import ChilCore
import ChilCrypto
import Testing

@Suite struct ProviderKeyFileTests {
    /// What may become of a file's text on its way, and is still the file.
    struct Dress: CustomTestStringConvertible, Sendable {
        let name: String
        let change: @Sendable (String) -> String
        var testDescription: String { name }

        init(_ name: String, _ change: @escaping @Sendable (String) -> String) {
            (self.name, self.change) = (name, change)
        }
    }

    private static let key = Result { try ES256PrivateKey() }

    private func text() throws -> String {
        String(decoding: try Self.key.get().pem().copy(), as: UTF8.self)
    }

    @Test(arguments: [
        Dress("as it is") { $0 },
        Dress("without the last line's end") { String($0.dropLast()) },
        Dress("lines ended as on Windows") { $0.replacing("\n", with: "\r\n") },
        Dress("line ends written out") { $0.replacing("\n", with: "\\n") },
        Dress("Windows line ends written out") { $0.replacing("\n", with: "\\r\\n") },
        Dress("in quotation marks") { "\"" + $0.replacing("\n", with: "\\n") + "\"" },
        Dress("line ends made blanks") { $0.replacing("\n", with: " ") },
        Dress("line ends lost") { $0.replacing("\n", with: "") },
        Dress("one line of base64") { text in
            let lines = text.split(separator: "\n")
            return "\(lines[0])\n\(lines[1..<(lines.count - 1)].joined())\n\(lines[lines.count - 1])"
        },
        Dress("with a byte order mark") { "\u{FEFF}" + $0 },
        Dress("with space around it") { "\n  \t" + $0 + "\n\n" },
        Dress("with a comment before it") { "Bag Attributes\n" + $0 },
    ])
    func readsTheKey(_ dress: Dress) throws {
        let read = try ProviderKeyFile.key(parsing: Array(dress.change(text()).utf8))
        #expect(read.publicKey.x == (try Self.key.get()).publicKey.x)
    }

    @Test(arguments: [
        Dress("empty") { _ in "" },
        Dress("no armour") { $0.split(separator: "\n").dropFirst().dropLast().joined() },
        Dress("no end") { $0.replacing("-----END PRIVATE KEY-----", with: "") },
        Dress("another end") { $0.replacing("END PRIVATE", with: "END PUBLIC") },
        Dress("two keys") { $0 + $0 },
        Dress("a key in the label") { $0.replacing("BEGIN PRIVATE KEY", with: "BEGIN MIGHAgEAMBMG") },
    ])
    func refusesWhatIsNoPEM(_ dress: Dress) throws {
        let text = Array(dress.change(try text()).utf8)
        #expect(throws: ProviderKeyFile.Fault.notPEM) { try ProviderKeyFile.key(parsing: text) }
    }

    @Test(arguments: ["EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE"])
    func namesAnotherKindOfFile(_ label: String) throws {
        let text = try text().replacing("PRIVATE KEY", with: label)
        #expect(throws: ProviderKeyFile.Fault.wrongLabel(label)) { try ProviderKeyFile.key(parsing: Array(text.utf8)) }
    }

    @Test(arguments: [
        Dress("a letter less") { text in
            var lines = text.split(separator: "\n").map(String.init)
            lines[1].removeLast()
            return lines.joined(separator: "\n")
        },
        Dress("a letter that is none") { text in
            var lines = text.split(separator: "\n").map(String.init)
            lines[1] = "!" + lines[1].dropFirst()
            return lines.joined(separator: "\n")
        },
        Dress("a backslash before another letter") { $0.replacing("\n", with: "\\t") },
    ])
    func refusesDamagedBase64(_ dress: Dress) throws {
        let text = Array(dress.change(try text()).utf8)
        #expect(throws: ProviderKeyFile.Fault.damaged) { try ProviderKeyFile.key(parsing: text) }
    }

    @Test func refusesOtherKeysAndSaysWhy() throws {
        let rsa = try RS256PrivateKey().pem().copy()
        let fault = #expect(throws: ProviderKeyFile.Fault.self) { try ProviderKeyFile.key(parsing: rsa) }
        #expect("\(fault, default: "")".contains("the private key is not EC"))
        let empty = Array("-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----\n".utf8)
        #expect(throws: ProviderKeyFile.Fault.self) { try ProviderKeyFile.key(parsing: empty) }
    }

    @Test func isBounded() throws {
        let text = try text() + String(repeating: " ", count: ProviderKeyFile.bytesMax)
        #expect(throws: ProviderKeyFile.Fault.tooLong) { try ProviderKeyFile.key(parsing: Array(text.utf8)) }
    }
}
