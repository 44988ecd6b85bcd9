import ChilCrypto

/// A private key in a file for its owner alone, made when it is first wanted.
struct KeyFile {
    let path: String

    /// Reads the key, or makes it.
    ///
    /// Two programs that start at once agree: the file is linked into place whole, and who comes second reads the first's.
    ///
    /// - Parameter parse: given the file's bytes, the key; given `nil`, a fresh key and what to write.
    func key<Key>(
        _ parse: ([UInt8]?) throws(CryptoError) -> (Key, write: SecretBytes?)
    ) throws(AdminFault) -> Key {
        let file = SecretFile(path: path)
        if let pem = try file.read() { return try key(parse, pem).0 }
        let (made, write) = try key(parse, nil)
        if let write, !(try file.place(write)), let pem = try file.read() { return try key(parse, pem).0 }
        return made
    }

    private func key<Key>(
        _ parse: ([UInt8]?) throws(CryptoError) -> (Key, write: SecretBytes?),
        _ pem: [UInt8]?
    ) throws(AdminFault) -> (Key, write: SecretBytes?) {
        do throws(CryptoError) {
            return try parse(pem)
        } catch {
            throw AdminFault(
                .dataRefused,
                "'\(path)' holds no usable key: \(error)",
                remedy: "Remove it to have a new one made."
            )
        }
    }
}
