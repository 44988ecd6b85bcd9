import ChilAuth
import ChilCore
import ChilCrypto

/// What the mark of a printed page says: the job's number, which of its pages it is, and a proof that this service printed it.
///
/// Nothing of the child, of the drawing or of the tenant: whoever finds the page learns a number, and can make no other mark of it.
struct PageMarks {
    /// As many as the second version of QR codes holds at level M.
    static let letterCount = 26

    /// By which marks are made, and by which they were.
    private let mac: HMACSHA256
    private let elder: [HMACSHA256]
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// - Parameters:
    ///   - key: of purpose "chil/mark".
    ///   - elder: those before it: a page may lie in a drawer for years.
    init(key: SecretBytes, elder: [SecretBytes] = []) {
        mac = HMACSHA256(key: key)
        self.elder = elder.map { HMACSHA256(key: $0) }
    }

    init(_ ring: KeyRing) {
        self.init(key: ring.currentSubkey(.mark), elder: Array(ring.allSubkeys(.mark).dropFirst()))
    }

    /// `c`, thirteen digits of the job's number, one of the page's, eleven of the proof (55 bits).
    ///
    /// - Parameter page: from 0, less than 36.
    func text(of page: Int, of job: PrintJobID, in tenant: TenantID) -> String {
        var text = [UInt8(ascii: "c")] + Self.number(UInt64(job.rawValue), count: 13)
        text += Self.number(UInt64(page), count: 1)
        return String(decoding: text + proof(page, job, tenant, by: mac), as: UTF8.self)
    }

    /// What a mark says, if this service made it for this tenant.
    func page(of text: String, in tenant: TenantID) -> Page? {
        let letters = Array(text.utf8)
        guard letters.count == Self.letterCount, letters[0] == UInt8(ascii: "c"),
            let job = Self.number(in: letters[1..<14]), let page = Self.number(in: letters[14..<15]),
            let id = Int64(exactly: job), id > 0
        else { return nil }
        let found = Page(job: PrintJobID(rawValue: id), place: Int(page))
        let isOurs = ([mac] + elder).contains { mac in
            ConstantTime.areEqual(Array(letters[15...]), proof(found.place, found.job, tenant, by: mac))
        }
        return isOurs ? found : nil
    }

    struct Page: Hashable {
        let job: PrintJobID
        /// From 0.
        let place: Int
    }

    private func proof(_ page: Int, _ job: PrintJobID, _ tenant: TenantID, by mac: HMACSHA256) -> [UInt8] {
        var message = Array("chil-page".utf8)
        for number in [tenant.rawValue, job.rawValue, Int64(page)] {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        let code = message.withUnsafeBytes { mac.code(of: $0) }.withUnsafeBytes {
            $0.loadUnaligned(as: UInt64.self).bigEndian
        }
        return (0..<11).map { Self.digits[Int(code >> UInt64(5 * $0) & 31)] }
    }

    private static func number(_ value: UInt64, count: Int) -> [UInt8] {
        var (rest, letters) = (value, [UInt8]())
        for _ in 0..<count {
            letters.append(digits[Int(rest % 36)])
            rest /= 36
        }
        return letters.reversed()
    }

    private static func number(in letters: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for letter in letters {
            guard let digit = digits.firstIndex(of: letter) else { return nil }
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 36)
            let (sum, isMore) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooMuch, !isMore else { return nil }
            value = sum
        }
        return value
    }
}
