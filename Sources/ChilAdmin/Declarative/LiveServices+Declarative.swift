import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore
import Glibc

/// What `apply` and `export` need beside the other commands' services.
protocol DeclarativeServices {
    /// A file that an operator names; `-` is standard input, and the same however often it is asked for.
    func bytes(ofFile path: String, countMax: Int) throws(AdminFault) -> [UInt8]
    /// Refuses what is no file of its own: a link, a folder, a device.
    func requireSecretFile(_ path: String) throws(AdminFault)
    /// Whether a secret is what a file holds.
    func isKept(_ secret: KeptSecret, as path: String, of slug: Slug) async throws(AdminFault) -> Bool
}

extension LiveServices: DeclarativeServices {
    func bytes(ofFile path: String, countMax: Int) throws(AdminFault) -> [UInt8] {
        if path == "-", let input { return input.copy() }
        let descriptor = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw AdminFault(
                .dataRefused,
                "'\(path)' cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Name a file that this user may read."
            )
        }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        defer { ConstantTime.cleanse(&piece) }
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' cannot be read: \(String(cString: strerror(errno)))",
                    remedy: "Name a file that this user may read."
                )
            }
            if count == 0 { break }
            bytes += piece[..<count]
            guard bytes.count <= countMax else {
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' has more than \(countMax) bytes",
                    remedy: "Nothing was done. Name the file that is meant."
                )
            }
        }
        if path == "-" { input = SecretBytes(copying: bytes) }
        return bytes
    }

    /// A small file with a secret; `nil`: there is none. Standard input is the same however often it is asked for.
    func secret(inFile path: String) throws(AdminFault) -> [UInt8]? {
        guard path == "-" else { return try SecretFile(path: path).read() }
        return try bytes(ofFile: path, countMax: PrivateFile.bytesMax)
    }

    func isKept(_ secret: KeptSecret, as path: String, of slug: Slug) async throws(AdminFault) -> Bool {
        let tenant = try await record(of: slug)
        switch secret {
        case .client(let client, let issuer):
            let found = try await providers(of: tenant).first {
                $0.clientIDs.contains(client) && $0.issuers.contains(issuer)
            }
            guard let sealed = found?.rest.credentials?.sealedKey else { return false }
            let key = try providerKey(inFile: path)
            guard let opened = try? sealer().open(sealed, tenant: tenant.id, column: ProviderREST.sealedColumn) else {
                return false
            }
            return (try? key.pkcs8()) == opened
        case .service(let number, let purpose):
            guard let number = ImageEndpointNumber(argument: String(number)) else { return false }
            let endpoint = try await storedEndpoint(number, purpose, of: tenant)
            var key = try serviceKey(inFile: path)
            defer { ConstantTime.cleanse(&key) }
            guard let opened = try? openedKey(of: endpoint, in: tenant) else { return false }
            return opened == SecretBytes(copying: key)
        }
    }

    /// A tenant's file may come from somebody who may not read what the operator may: a link beside it leads nowhere.
    func requireSecretFile(_ path: String) throws(AdminFault) {
        guard path != "-" else { return }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw AdminFault(.dataRefused, "there is no file '\(path)'", remedy: "Lay it beside the tenant's file.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AdminFault(.dataRefused, "'\(path)' is no ordinary file", remedy: "Lay the secret itself there.")
        }
    }
}
