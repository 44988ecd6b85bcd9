import ChilCore
package import ChilCrypto

/// The server's master keys by version, and the keys made of them. The highest version makes, all versions read.
package struct KeyRing: Sendable {
    /// What a subkey is for; the raw value is HKDF's `info`, so it never changes.
    package enum Purpose: String, CaseIterable, Sendable {
        case seal = "chil/seal"
        case refresh = "chil/refresh"
        case url = "chil/url"
        case cursor = "chil/cursor"
        case state = "chil/state"
        case subject = "chil/subject"
        case rate = "chil/rate"
        case once = "chil/once"
        case mark = "chil/mark"
    }

    /// Never says what is in a line.
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case malformedLine(Int)
        case repeatedVersion(Int)
        case noKeys

        package var description: String {
            switch self {
            case .malformedLine(let line):
                "line \(line) of the key file is not `<version 1 to 255>:<64 lower-case hex digits>`: correct it"
            case .repeatedVersion(let version):
                "version \(version) is in the key file twice: keep one line for it"
            case .noKeys:
                "the key file has no key: add a line `1:` followed by the output of `openssl rand -hex 32`"
            }
        }
    }

    package static let masterKeyBytes = 32
    /// The version that makes new things.
    package let currentVersion: UInt8
    private let current: Subkeys
    private let subkeys: [UInt8: Subkeys]

    /// The keys of one version, one for each purpose.
    private struct Subkeys: Sendable {
        let seal: SecretBytes
        let refresh: SecretBytes
        let url: SecretBytes
        let cursor: SecretBytes
        let state: SecretBytes
        let subject: SecretBytes
        let rate: SecretBytes
        let once: SecretBytes
        let mark: SecretBytes

        init(of master: SecretBytes) {
            seal = HKDF.subkey(of: master, purpose: Purpose.seal.rawValue)
            refresh = HKDF.subkey(of: master, purpose: Purpose.refresh.rawValue)
            url = HKDF.subkey(of: master, purpose: Purpose.url.rawValue)
            cursor = HKDF.subkey(of: master, purpose: Purpose.cursor.rawValue)
            state = HKDF.subkey(of: master, purpose: Purpose.state.rawValue)
            subject = HKDF.subkey(of: master, purpose: Purpose.subject.rawValue)
            rate = HKDF.subkey(of: master, purpose: Purpose.rate.rawValue)
            once = HKDF.subkey(of: master, purpose: Purpose.once.rawValue)
            mark = HKDF.subkey(of: master, purpose: Purpose.mark.rawValue)
        }

        subscript(purpose: Purpose) -> SecretBytes {
            switch purpose {
            case .seal: seal
            case .refresh: refresh
            case .url: url
            case .cursor: cursor
            case .state: state
            case .subject: subject
            case .rate: rate
            case .once: once
            case .mark: mark
            }
        }
    }

    /// Reads the text of the key file: lines `<version>:<64 lower-hex>`, `#` begins a comment line.
    package init(parsing text: [UInt8]) throws(Fault) {
        var subkeys: [UInt8: Subkeys] = [:]
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let trimmed = Self.trim(line)
            if trimmed.isEmpty || trimmed.first == UInt8(ascii: "#") { continue }
            guard let (version, master) = Self.entry(trimmed) else { throw .malformedLine(index + 1) }
            guard subkeys[version] == nil else { throw .repeatedVersion(Int(version)) }
            subkeys[version] = Subkeys(of: master)
        }
        guard let (version, current) = subkeys.max(by: { $0.key < $1.key }) else { throw .noKeys }
        currentVersion = version
        self.current = current
        self.subkeys = subkeys
    }

    /// The key of a purpose in a version; nil if the ring has no such version.
    package func subkey(_ purpose: Purpose, version: UInt8) -> SecretBytes? {
        subkeys[version]?[purpose]
    }

    /// The keys of a purpose, newest first: for what is long out in the world and says no version.
    package func allSubkeys(_ purpose: Purpose) -> [SecretBytes] {
        subkeys.sorted { $0.key > $1.key }.map { $0.value[purpose] }
    }

    /// The key of a purpose that makes new things, with its version.
    package func currentSubkey(_ purpose: Purpose) -> SecretBytes {
        current[purpose]
    }

    private static func trim(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> (UInt8, SecretBytes)? {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, 1...3 ~= parts[0].count, parts[0].allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            let version = UInt8(String(decoding: parts[0], as: UTF8.self)), version > 0,
            var master = parts[1].withUnsafeBytes({ Hex.decode($0) }), master.count == masterKeyBytes
        else { return nil }
        defer { ConstantTime.cleanse(&master) }
        return (version, SecretBytes(copying: master))
    }
}
