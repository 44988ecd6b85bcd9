package import Foundation

/// Certificates made by `openssl` once per run, in a directory that goes with the process.
package struct TestCertificates: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case good, subjectOnly, expired, notYetValid, selfSigned, forClients, weakKey
        /// For `other.test` alone.
        case other
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let directory: URL
    /// The private authority that issued all but `selfSigned`.
    package let authority: [UInt8]

    package static func shared() throws -> Self { try made.get() }

    private static let made = Result { try Self() }

    package func certificate(_ name: Name) -> String { directory.appending(path: "\(name.rawValue).pem").path }
    package func key(_ name: Name) -> String { directory.appending(path: "\(name.rawValue).key").path }

    private init() throws {
        directory = testDirectory
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: testDirectory) }
        try Self.configuration.write(to: directory.appending(path: "ca.cnf"), atomically: false, encoding: .utf8)
        try Data().write(to: directory.appending(path: "index.txt"))
        let request = ["req", "-nodes", "-newkey"]
        let curve = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let names = "subjectAltName=DNS:idp.test,DNS:*.wild.test,DNS:x*.part.test,IP:127.0.0.1"
        let otherNames = "subjectAltName=DNS:other.test"

        try Self.openssl(request + curve + ["-x509", "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem"])
        authority = [UInt8](try Data(contentsOf: directory.appending(path: "ca.pem")))
        for name in Name.allCases {
            let key = name == .weakKey ? ["rsa:1024"] : curve
            let files = ["-subj", "/CN=\(name == .other ? "other" : "idp").test", "-keyout", "\(name.rawValue).key"]
            if name == .selfSigned {
                try Self.openssl(
                    request + key + ["-x509", "-addext", names] + files + ["-out", "\(name.rawValue).pem"]
                )
                continue
            }
            var extensions = name == .subjectOnly ? [] : ["-addext", name == .other ? otherNames : names]
            if name == .forClients { extensions += ["-addext", "extendedKeyUsage=clientAuth"] }
            try Self.openssl(request + key + extensions + files + ["-out", "request.csr"])
            let period =
                switch name {
                case .expired: ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
                case .notYetValid: ["-startdate", "20900101000000Z", "-enddate", "20910101000000Z"]
                default: ["-days", "2"]
                }
            try Self.openssl(
                ["ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key", "-notext"]
                    + period + ["-in", "request.csr", "-out", "\(name.rawValue).pem"]
            )
        }
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = testDirectory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "openssl \(arguments.joined(separator: " "))")
        }
    }

    private static let configuration = """
        [ca]
        default_ca = test
        [test]
        database = index.txt
        new_certs_dir = .
        default_md = sha256
        rand_serial = yes
        unique_subject = no
        copy_extensions = copy
        policy = anyone
        [anyone]
        commonName = supplied
        """
}

private let testDirectory = FileManager.default.temporaryDirectory.appending(path: "chil-tls-tests-\(getpid())")
