import ChilPrint

/// One line of what `avahi-browse --resolve --parsable` prints (avahi-browse(1)): a service that announces itself. Whatever stands there
/// comes from the network.
struct AvahiAnswer: Equatable {
    let name: String
    let isSecure: Bool
    let host: String
    let address: String
    let port: UInt16
    /// Of the TXT record, names in lower case.
    let facts: [String: String]

    /// `nil`: the line is no resolved IPP service with an address that can be used from elsewhere than its own interface.
    init?(line: some StringProtocol) {
        let parts = line.split(separator: ";", maxSplits: 9, omittingEmptySubsequences: false)
        guard parts.count == 10, parts[0] == "=", let port = UInt16(parts[8]), port > 0 else { return nil }
        switch parts[4] {
        case "_ipp._tcp": isSecure = false
        case "_ipps._tcp": isSecure = true
        default: return nil
        }
        guard !parts[7].lowercased().hasPrefix("fe80:") else { return nil }
        name = Self.plain(parts[3])
        host = Self.plain(parts[6])
        address = String(parts[7])
        self.port = port
        var facts: [String: String] = [:]
        for pair in Self.quoted(parts[9]) {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            facts[halves[0].lowercased()] = String(halves[1])
        }
        self.facts = facts
    }

    /// `nil`: what it announces is no address of a printer.
    var row: FoundPrinterRow? {
        let shown = address.contains(":") ? "[\(address)]" : address
        let path = facts["rp"].map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? PrinterURI.standardPath
        guard let uri = try? PrinterURI("\(isSecure ? "ipps" : "ipp")://\(shown):\(port)\(path)") else { return nil }
        return FoundPrinterRow(
            name: name,
            uri: uri.description,
            model: facts["ty"].flatMap { $0.isEmpty ? nil : $0 },
            host: host,
            formats: (facts["pdl"] ?? "").split(separator: ",").map { String($0) },
            isColor: facts["color"].map { $0.uppercased() == "T" },
            uuid: facts["uuid"]
        )
    }

    /// Once for each printer and scheme, by name; IPv4 rather than IPv6.
    static func rows(in text: String) -> [FoundPrinterRow] {
        var best: [String: (AvahiAnswer, FoundPrinterRow)] = [:]
        for line in text.split(separator: "\n") {
            guard let answer = Self(line: line), let row = answer.row else { continue }
            let key = "\(answer.isSecure) \(answer.facts["uuid"] ?? answer.host) \(answer.name)"
            if let known = best[key], !known.0.address.contains(":") || answer.address.contains(":") { continue }
            best[key] = (answer, row)
        }
        return best.values.map(\.1).sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }

    /// `\032` is a byte by its decimal number, `\;` the letter itself.
    private static func plain(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3)
            if digits.count == 3, let number = UInt8(String(decoding: digits, as: UTF8.self)) {
                bytes.append(number)
                rest = rest.dropFirst(3)
            } else if let next = rest.popFirst() {
                bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `"a=b" "c=d e"`.
    private static func quoted(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { plain($0.element) }
    }
}
