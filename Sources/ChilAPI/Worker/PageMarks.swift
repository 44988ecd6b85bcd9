import ChilCore
import ChilCrypto

/// What the mark of a printed page says: the job's number, which of its pages it is, and a proof that this service printed it.
///
/// Nothing of the child, of the drawing or of the tenant: whoever finds the page learns a number, and can make no other mark of it.
struct PageMarks {
    /// As many as the second version of QR codes holds at level M.
    static let letterCount = 26

    private let mac: HMACSHA256
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// - Parameter key: of purpose "chil/mark".
    init(key: SecretBytes) {
        mac = HMACSHA256(key: key)
    }

    /// `c`, thirteen digits of the job's number, one of the page's, eleven of the proof (55 bits).
    ///
    /// - Parameter page: from 0, less than 36.
    func text(of page: Int, of job: PrintJobID, in tenant: TenantID) -> String {
        var text = [UInt8(ascii: "c")] + Self.number(UInt64(job.rawValue), count: 13)
        text += Self.number(UInt64(page), count: 1)
        let code = proof(page, job, tenant)
        text += (0..<11).map { Self.digits[Int(code >> UInt64(5 * $0) & 31)] }
        return String(decoding: text, as: UTF8.self)
    }

    private func proof(_ page: Int, _ job: PrintJobID, _ tenant: TenantID) -> UInt64 {
        var message = Array("chil-page".utf8)
        for number in [tenant.rawValue, job.rawValue, Int64(page)] {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        return message.withUnsafeBytes { mac.code(of: $0) }.withUnsafeBytes {
            $0.loadUnaligned(as: UInt64.self).bigEndian
        }
    }

    private static func number(_ value: UInt64, count: Int) -> [UInt8] {
        var (rest, letters) = (value, [UInt8]())
        for _ in 0..<count {
            letters.append(digits[Int(rest % 36)])
            rest /= 36
        }
        return letters.reversed()
    }
}
