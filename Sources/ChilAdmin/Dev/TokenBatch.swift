/// Many distinct tokens, signed on all cores: a benchmark spends each once.
struct TokenBatch: Sendable {
    static let countMax: Int64 = 10_000_000
    /// Tokens that one task signs before it hands them over; bounds the memory too.
    private static let chunkLength = 2_048

    let draft: TokenDraft
    let count: Int
    /// Subjects take turns: so many, then the first again.
    let subjectCount: Int
    /// Sets this batch's token ids apart from any other's.
    let seed: UInt64

    /// Writes a token a line, in order: subjects `S-1`, `S-2`…
    ///
    /// - Parameter width: how many are signed at once; the number of cores.
    func write(to file: any LineFile, signer: any TokenSigner, width: Int) async throws(AdminFault) {
        var next = 0
        while next < count {
            let starts = Array(stride(from: next, to: count, by: Self.chunkLength).prefix(max(1, width)))
            for chunk in await signed(starts, signer: signer) {
                try file.append(try chunk.get())
            }
            next = (starts.last ?? count) + Self.chunkLength
        }
    }

    /// One token without a number: its subject is the draft's.
    func single(signer: any TokenSigner) throws(AdminFault) -> [UInt8] {
        let tokenID = String(seed, radix: 16)
        return try signer.signedToken(
            claims: draft.claims(sharing: draft.sharedClaims(), subject: draft.subject, tokenID: tokenID)
        )
    }

    private func signed(_ starts: [Int], signer: any TokenSigner) async -> [Result<[UInt8], AdminFault>] {
        await withTaskGroup(of: (Int, Result<[UInt8], AdminFault>).self) { group in
            for (place, start) in starts.enumerated() {
                group.addTask { (place, lines(from: start, signer: signer)) }
            }
            var chunks: [Int: Result<[UInt8], AdminFault>] = [:]
            for await (place, lines) in group { chunks[place] = lines }
            return starts.indices.compactMap { chunks[$0] }
        }
    }

    private func lines(from start: Int, signer: any TokenSigner) -> Result<[UInt8], AdminFault> {
        let shared = draft.sharedClaims()
        let prefix = String(seed, radix: 16) + "-"
        return Result { () throws(AdminFault) in
            var lines: [UInt8] = []
            for number in start..<min(start + Self.chunkLength, count) {
                let claims = draft.claims(
                    sharing: shared,
                    subject: "\(draft.subject)-\(number % subjectCount + 1)",
                    tokenID: prefix + String(number + 1)
                )
                lines += try signer.signedToken(claims: claims)
                lines.append(UInt8(ascii: "\n"))
            }
            return lines
        }
    }
}
