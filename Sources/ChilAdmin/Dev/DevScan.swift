import ChilDevEpson
import ChilHTTP

/// `chiladmin dev scan`
struct DevScan: AdminCommand {
    static let effect = Effect.reachesOut("it pushes a page as a scanner does")
    static let guide = CommandGuide(
        path: ["dev", "scan"],
        summary: "push pages to a scanner's address as Epson's service would",
        examples: [
            .init(
                "chiladmin dev scan --url http://127.0.0.1:8080/chillin/scan/TOKEN --file page.jpg",
                "its odd form and all; exit status 1 when the answer is not 200"
            )
        ],
        flags: [
            .required("--url", "URL", "the address that `scanner add` printed"),
            .required("--file", "FILE", repeats: true, "a page: JPEG or PDF; again for further pages"),
            .flag("--serial", "TEXT", "what the printer calls itself (default: X5YZ012345)"),
        ],
        remarks: ["A simulator: no printer and none of Epson's servers are asked."]
    )

    let url: PageAddress
    let files: [String]
    let serial: SerialNumber?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        url = try words.required("--url")
        files = try words.all("--file")
        serial = try words.optional("--serial")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScanPushRow> {
        var pages: [(name: String, content: [UInt8])] = []
        for file in files {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            pages.append((name, try services.readPage(file)))
        }
        let push = EpsonPush(serial: serial?.text ?? "X5YZ012345", pages: pages)
        return Listing(one: try await services.push(push, to: url.url))
    }
}

/// Where pages are pushed to.
struct PageAddress: ArgumentValue, Sendable {
    static let expectation = "an http:// or https:// address, as `scanner add` prints it"

    let url: HTTPURL

    init?(argument: String) {
        guard let url = HTTPURL(argument) else { return nil }
        self.url = url
    }
}

/// What the service said to a push.
struct ScanPushRow: ListingRow, Equatable {
    let status: Int64
    let answer: String

    static let columns: [Column<Self>] = [
        Column("status") { .number($0.status) },
        Column("answer") { .text($0.answer) },
    ]
}
