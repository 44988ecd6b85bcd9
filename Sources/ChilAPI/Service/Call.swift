import ChilCore
import ChilHTTP
import ChilStore

/// One request on its way through a route: what was sent, to which tenant, when.
struct Call {
    let exchange: Exchange
    let id: RequestID
    let tenant: TenantContext
    let captures: RouteCaptures
    let now: Timestamp
    /// Where it came from.
    let address: NetworkAddress
    let admission: Admission

    var head: RequestHead { exchange.head }

    /// For the audit.
    var caller: Caller {
        Caller(
            requestID: id.text,
            address: exchange.peer == nil ? nil : address.text,
            userAgent: userAgent
        )
    }

    /// The number in the path.
    ///
    /// - Throws: `Problem.notFound` for anything that cannot be a row's number.
    func number<Kind>(_ index: Int, _ kind: Identifier<Kind>.Type = Identifier<Kind>.self) throws(Problem)
        -> Identifier<Kind>
    {
        guard let number = captures.number(index, of: head), number < 1 << 53 else { throw .notFound }
        return Identifier(rawValue: number)
    }

    /// Without what nobody sees, and cut by bytes: one character may have thousands.
    private var userAgent: String? {
        guard let text = head.text(.userAgent)?.plain, text.utf8.count > Self.userAgentBytesMax else {
            return head.text(.userAgent)?.plain
        }
        var cut = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > Self.userAgentBytesMax { break }
            cut.append(scalar)
        }
        return String(cut)
    }

    private static let userAgentBytesMax = 200
}
