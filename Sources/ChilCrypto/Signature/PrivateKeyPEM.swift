import ChilCore

/// PEM's `PRIVATE KEY` (RFC 7468 §10): the armour around PKCS#8. An encrypted key is refused, nobody is asked for a password.
enum PrivateKeyPEM {
    private static let begin = "-----BEGIN PRIVATE KEY-----"
    private static let end = "-----END PRIVATE KEY-----"
    private static let lineLength = 64

    static func encode(_ der: SecretBytes) -> SecretBytes {
        var plain = der.copy()
        var letters = Base64.encode(plain)
        var text = Array("\(begin)\n".utf8)
        var at = 0
        while at < letters.count {
            text += letters[at..<min(at + lineLength, letters.count)]
            text.append(0x0A)
            at += lineLength
        }
        text += Array("\(end)\n".utf8)
        let secret = SecretBytes(copying: text)
        ConstantTime.cleanse(&plain)
        ConstantTime.cleanse(&letters)
        ConstantTime.cleanse(&text)
        return secret
    }

    static func decode(_ text: [UInt8]) throws(CryptoError) -> SecretBytes {
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        guard lines.count >= 3, lines.first.map(Array.init) == Array(begin.utf8),
            lines.last.map(Array.init) == Array(end.utf8)
        else {
            throw CryptoError(
                .badKey,
                "not a PEM file of one PRIVATE KEY (PKCS#8): convert it with openssl pkcs8 -topk8 -nocrypt"
            )
        }
        var letters = Array(lines.dropFirst().dropLast().joined())
        defer { ConstantTime.cleanse(&letters) }
        guard var der = Base64.decode(letters) else {
            throw CryptoError(.badKey, "the PEM file's base64 is damaged: restore the file")
        }
        defer { ConstantTime.cleanse(&der) }
        return SecretBytes(copying: der)
    }
}
