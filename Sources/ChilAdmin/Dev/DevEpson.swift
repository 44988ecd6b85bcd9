import ChilDevEpson

/// `chiladmin dev epson`
struct DevEpson: AdminCommand {
    static let effect = Effect.reachesOut("it serves until it is ended")
    static let guide = CommandGuide(
        path: ["dev", "epson"],
        summary: "simulate Epson Connect, both generations, with a printer that has no paper but counts it",
        examples: [
            .init(
                "chiladmin dev epson --listen 127.0.0.1:8090 --upload-listen 127.0.0.1:8091",
                "until Ctrl-C or SIGTERM"
            )
        ],
        flags: [
            .required("--listen", "HOST:PORT", "where to serve plain HTTP: an address of this machine alone"),
            .required(
                "--upload-listen",
                "HOST:PORT",
                "where pages are uploaded: another port, as Epson has another host"
            ),
            .flag("--pace", "LENGTH", "how long a job waits, and then is printed (default: 2s)"),
            .flag("--sheets", "COUNT", "so much paper is loaded; else it does not run out"),
        ],
        remarks: [
            "GET /_simulator counts papers; POST /_simulator/paper?sheets=5, /jam?on=true, /connected?on=false,",
            "/quirk?operation=\(EpsonOperation.print.rawValue)&name=\(EpsonQuirk.cutAfter.rawValue) make it misbehave; /_simulator/scan pushes the JPEG in the body.",
            "Its client id, secret, API key and printer's address are shown when it begins: docs/epson.md.",
            "A simulator: for development and demonstrations, never for production.",
        ]
    )

    let draft: EpsonSimulatorDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let pace: Lifetime? = try words.optional("--pace")
        draft = EpsonSimulatorDraft(
            listen: try words.required("--listen"),
            uploadListen: try words.required("--upload-listen"),
            paceSeconds: pace?.seconds ?? 2,
            sheets: try words.optional("--sheets")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TokenRow> {
        try await services.serveEpson(draft)
        return .silent(notes: ["Stopped."])
    }
}

/// A simulated Epson Connect to be served.
struct EpsonSimulatorDraft: Equatable, Sendable {
    let listen: HostPort
    let uploadListen: HostPort
    let paceSeconds: Int64
    let sheets: Int64?
}

/// What `dev epson` needs.
protocol EpsonSimulatorServices {
    /// Serves until the program is told to stop.
    func serveEpson(_ draft: EpsonSimulatorDraft) async throws(AdminFault)
}
