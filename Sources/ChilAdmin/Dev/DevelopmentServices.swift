import ChilCore

/// What the development commands need.
protocol DevelopmentServices {
    func now() -> Timestamp

    /// Makes the keys that are missing and serves their public halves until the program is told to stop (SIGTERM, SIGINT).
    func serveIssuer(_ draft: IssuerDraft) async throws(AdminFault)

    /// Serves a simulated motion service until the program is told to stop.
    func serveMotion(_ draft: MotionDraft) async throws(AdminFault)

    /// The private key of that algorithm in the folder, which `serveIssuer` made; made now if it is missing.
    func tokenSigner(keys folder: String, algorithm: TokenAlgorithm) throws(AdminFault) -> any TokenSigner

    /// A file for its owner alone, to come in the place of an older one. Throws with status `.outputNotMade` when it cannot be made.
    func makeFile(at path: String) throws(AdminFault) -> any LineFile
}

/// Signs tokens from any thread.
protocol TokenSigner: Sendable {
    /// The token in compact form (RFC 7515 §7.1).
    func signedToken(claims: [UInt8]) throws(AdminFault) -> [UInt8]
}

/// A file that is written from its beginning to its end. Let go before it has its place, it was never there.
protocol LineFile {
    func append(_ bytes: [UInt8]) throws(AdminFault)
    /// After the last bytes: it takes its place, whole.
    func place() throws(AdminFault)
}
