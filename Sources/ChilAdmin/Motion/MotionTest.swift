import ChilCore
import ChilMotion

/// `chiladmin motion test`
struct MotionTest: AdminCommand {
    static let effect = Effect.reachesOut("it has a drawing moved, which may cost money")
    static let guide = CommandGuide(
        path: ["motion", "test"],
        summary: "have a service move a drawing, from this machine, and wait for it",
        examples: [
            .init(
                "chiladmin motion test chillin 391234567890123 --image cat.png",
                "exit status 1 when it makes no GIF"
            ),
            .init(
                "chiladmin motion test chillin 391234567890123 --image cat.png --motion jump --out cat.gif",
                "and look at it"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ],
        flags: [
            .required(
                "--image",
                "FILE",
                "the drawing: PNG or JPEG, sent as it is, at most \(MotionPictureLimit.sideMax) pixels a side"
            ),
            .flag("--motion", "NAME", "dance (default), hello, jump or zombie"),
            .flag("--out", "FILE", "where to put the GIF; it must not be there yet"),
        ],
        remarks: [
            "Nothing is kept, and no quota is taken. chilapi may stand elsewhere, and reach what this machine does not."
        ]
    )

    let tenant: Slug
    let number: ImageEndpointNumber
    let draft: MotionTestDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        number = try words.next()
        draft = MotionTestDraft(
            image: try words.required("--image"),
            motion: try words.optional("--motion") ?? .dance,
            out: try words.optional("--out")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<MotionTestRow> {
        Listing(one: try await services.testMotion(number, of: tenant, draft))
    }
}

extension MotionType: ArgumentChoice {}

/// What is tried.
struct MotionTestDraft: Equatable, Sendable {
    let image: String
    let motion: MotionType
    let out: String?
}

/// What came of a test.
struct MotionTestRow: ListingRow, Equatable {
    let id: Int64
    let milliseconds: Int64
    let width: Int64
    let height: Int64
    let frames: Int64
    let byteCount: Int64

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("milliseconds") { .number($0.milliseconds) },
        Column("width") { .number($0.width) },
        Column("height") { .number($0.height) },
        Column("frames") { .number($0.frames) },
        Column("byteCount") { .number($0.byteCount) },
    ]
}

/// What the motion commands need beside the services themselves.
protocol MotionServices {
    /// Has a drawing moved, from this machine: a fault unless a GIF comes of it.
    func testMotion(_ number: ImageEndpointNumber, of slug: Slug, _ draft: MotionTestDraft) async throws(AdminFault)
        -> MotionTestRow
}
