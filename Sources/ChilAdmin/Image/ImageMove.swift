import ChilCore
import ChilStore

/// `chiladmin image move`
struct ImageMove: SevereCommand {
    static let effect = Effect.reachesOut("it moves bytes to another store")
    static let guide = CommandGuide(
        path: ["image", "move"],
        summary: "move the bytes of images between PostgreSQL and an S3-compatible store",
        examples: [
            .init("chiladmin image move --to s3", "all tenants' images, while the services run"),
            .init("chiladmin image move --to postgres --tenant chillin", "one tenant's back into PostgreSQL"),
        ],
        arguments: [],
        flags: [
            .required("--to", "s3|postgres", "where they shall be"),
            .flag("--tenant", "SLUG", "one tenant's (default: all tenants')"),
            .confirm("SLUG|s3|postgres"),
        ],
        remarks: [
            "Needs CHIL_S3_URL, CHIL_S3_BUCKET and CHIL_S3_KEY_FILE, as chilapi has them; and every chilapi has to have them before the first "
                + "image is moved.",
            "Where new images go is chilapi's setting. Ended early it goes on where it stopped: run the same line again.",
        ]
    )

    let target: ImageMover.Target
    let tenant: Slug?
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let target: ImageTarget = try words.required("--to")
        self.target = target.target
        tenant = try words.optional("--tenant")
        confirmed = try words.optional("--confirm")
    }

    var word: String? { tenant?.description ?? target.rawValue }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.images(target, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageMoveRow> {
        let rows = try await services.moveImages(to: target, of: tenant)
        var notes: [String] = []
        let damaged = rows.reduce(0) { $0 + $1.damaged }
        if damaged > 0 {
            notes.append(
                "\(damaged) images are not what was given: they stay where they are. Look into a backup for them."
            )
        }
        return Listing(rows, notes: notes)
    }
}

/// `s3` or `postgres` as a word of the command line.
struct ImageTarget: ArgumentValue {
    let target: ImageMover.Target

    static let expectation = "one of s3, postgres"

    init?(argument: String) {
        guard let target = ImageMover.Target(rawValue: argument) else { return nil }
        self.target = target
    }
}

/// What was moved of a tenant's.
struct ImageMoveRow: ListingRow, Equatable {
    let slug: String
    let images: Int64
    let bytes: Int64
    /// Deleted, or moved by somebody else, meanwhile.
    let gone: Int64
    /// Not what was given, and left.
    let damaged: Int64

    static let columns: [Column<Self>] = [
        Column("tenant") { .text($0.slug) },
        Column("images") { .number($0.images) },
        Column("bytes") { .number($0.bytes) },
        Column("gone") { .number($0.gone) },
        Column("damaged") { .number($0.damaged) },
    ]
}
