/// `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2): no user name, no comma, no empty host, no zone id.
enum HostSyntax {
    /// Whether `bytes` name a host, with a port at most 65,535 (which may be empty after the colon, unless it is required).
    static func isValid(_ bytes: UnsafeRawBufferPointer, portRequired: Bool = false) -> Bool {
        guard bytes.count > 0, bytes.count <= 300 else { return false }
        var hostEnd = 0
        if bytes[0] == ASCII.openBracket {
            guard let close = bytes.firstIndex(of: ASCII.closeBracket) else { return false }
            guard isAddress6(UnsafeRawBufferPointer(rebasing: bytes[1..<close])) else { return false }
            hostEnd = close + 1
        } else {
            let table = ByteTable.shared.masks
            while hostEnd < bytes.count, table[Int(bytes[hostEnd])] & ByteTable.hostName != 0 { hostEnd += 1 }
            let host = UnsafeRawBufferPointer(rebasing: bytes[..<hostEnd])
            guard hostEnd > 0, PercentCoding.isWellFormed(host) else { return false }
        }
        if hostEnd == bytes.count { return !portRequired }
        guard bytes[hostEnd] == ASCII.colon else { return false }
        return isPort(UnsafeRawBufferPointer(rebasing: bytes[(hostEnd + 1)...]), required: portRequired)
    }

    private static func isPort(_ digits: UnsafeRawBufferPointer, required: Bool) -> Bool {
        guard digits.count <= 5 else { return false }
        var port = 0
        for digit in digits {
            guard ASCII.isDigit(digit) else { return false }
            port = port * 10 + Int(digit - ASCII.zero)
        }
        return port <= 65_535 && (!required || !digits.isEmpty)
    }

    /// RFC 3986 `IPv6address`: eight groups, at most one `::`, the last two groups may be an IPv4 address.
    static func isAddress6(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var groups = 0
        var gapSeen = false
        var index = 0
        if bytes.count >= 2, bytes[0] == ASCII.colon {
            guard bytes[1] == ASCII.colon else { return false }
            gapSeen = true
            index = 2
        }
        while index < bytes.count {
            let start = index
            while index < bytes.count, ASCII.hexValue(bytes[index]) != nil { index += 1 }
            if index < bytes.count, bytes[index] == ASCII.dot {
                guard isAddress4(UnsafeRawBufferPointer(rebasing: bytes[start...])) else { return false }
                groups += 2
                break
            }
            guard 1...4 ~= index - start else { return false }
            groups += 1
            if index == bytes.count { break }
            guard bytes[index] == ASCII.colon, index + 1 < bytes.count else { return false }
            index += 1
            if bytes[index] == ASCII.colon {
                guard !gapSeen else { return false }
                gapSeen = true
                index += 1
            }
        }
        return gapSeen ? groups <= 7 : groups == 8
    }

    private static func isAddress4(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let parts = bytes.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard 1...3 ~= part.count, part.allSatisfy(ASCII.isDigit) else { return false }
                guard part.count == 1 || part.first != ASCII.zero else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 255
            }
    }
}
