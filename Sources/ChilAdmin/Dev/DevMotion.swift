import ChilDevMotion
import ChilMotion

/// `chiladmin dev motion`
struct DevMotion: AdminCommand {
    static let effect = Effect.reachesOut("it serves until it is ended")
    static let guide = CommandGuide(
        path: ["dev", "motion"],
        summary: "simulate a service that makes drawings move: the whole drawing shifts, nobody is found in it",
        examples: [
            .init("chiladmin dev motion --listen 127.0.0.1:8083", "until Ctrl-C or SIGTERM"),
            .init("chiladmin dev motion --listen 127.0.0.1:8083 --quirk no-humanoid", "like the real one on a bad day"),
        ],
        flags: [
            .required("--listen", "HOST:PORT", "where to serve plain HTTP: an address of this machine alone"),
            .flag("--form-field", "NAME", "what it calls the motion: \(fields) (default: motionType)"),
            .flag("--quirk", "NAME", "how it always misbehaves: \(quirks)"),
            .toggle("--in-container", "serve other addresses too: for a network that only containers are in"),
        ],
        remarks: [
            "Takes POST /motion/ with a form of image (PNG) and the motion, as AnimatedDrawings' servers do, and answers a GIF of",
            "\(MovingPicture.frameCount) frames. A simulator: for development and demonstrations, never for production.",
        ]
    )

    private static let fields = MotionForm.Field.allCases.map(\.rawValue).joined(separator: ", ")
    private static let quirks = MotionQuirk.allCases.map(\.rawValue).joined(separator: ", ")

    let draft: MotionDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        draft = MotionDraft(
            listen: try words.required("--listen"),
            field: try words.optional("--form-field") ?? .motionType,
            quirk: try words.optional("--quirk"),
            isInContainer: words.isSet("--in-container")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TokenRow> {
        try await services.serveMotion(draft)
        return .silent(notes: ["Stopped."])
    }
}

/// A simulated motion service to be served.
struct MotionDraft: Equatable, Sendable {
    let listen: HostPort
    let field: MotionForm.Field
    let quirk: MotionQuirk?
    /// Only then may it listen where others reach it.
    let isInContainer: Bool
}

extension MotionForm.Field: ArgumentChoice {}
extension MotionQuirk: ArgumentChoice {}
