import ChilAuth

extension KeyRing {
    /// The keys of a file, as `chilapi` has them.
    init(keyFile path: String) throws(AdminFault) {
        guard let text = try SecretFile(path: path).read(isOwnersAlone: true) else {
            throw AdminFault(
                .configuration,
                "there is no key file '\(path)'",
                remedy: "Make it: umask 077; echo 1:$(openssl rand -hex 32) > FILE; chilapi needs the same one."
            )
        }
        do throws(KeyRing.Fault) {
            self = try KeyRing(parsing: text)
        } catch {
            throw AdminFault(
                .configuration,
                "the key file '\(path)' cannot be used: \(error)",
                remedy: "Correct it as said."
            )
        }
    }
}

extension Sealer {
    /// With the keys of a file.
    init(keyFile path: String) throws(AdminFault) {
        self.init(try KeyRing(keyFile: path))
    }
}

extension LiveServices {
    func keyRing() throws(AdminFault) -> KeyRing {
        try KeyRing(keyFile: try settings.requireKeyFile())
    }

    /// Seals and opens as `chilapi` does.
    func sealer() throws(AdminFault) -> Sealer {
        Sealer(try keyRing())
    }
}
