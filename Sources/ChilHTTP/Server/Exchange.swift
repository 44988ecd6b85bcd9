import ChilCore
package import ChilLoop

/// One request, its body as it comes, and who sent it. Valid until its answer; not `Sendable`.
package final class Exchange {
    package let head: RequestHead
    package let peer: SocketAddress?
    let connection: HTTPConnection
    private var framing: BodyFraming
    private(set) var bodyFault: Rejection?
    private var isAtEnd = false
    var isBodyLeft: Bool { !isAtEnd }
    private var mustContinue: Bool
    /// Monotonic nanoseconds; set when the body is first read.
    private var bodyDeadline: Int64 = 0

    init(_ head: RequestHead, on connection: HTTPConnection) {
        self.head = head
        self.connection = connection
        peer = connection.peer
        framing = BodyFraming(head.framing, bytesMax: Int.max)
        mustContinue = head.expectsContinue
        isAtEnd = head.framing == .none
    }

    /// The loop that serves this request.
    package var loop: EventLoop { connection.loop }

    /// What the head says of the body's length; `nil` when it comes in chunks.
    package var announcedBodyBytes: Int? {
        switch head.framing {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose: nil
        }
    }

    /// The whole body.
    ///
    /// - Throws: `.bodyTooLarge` before a byte is read if the head announces more than `bytesMax`, else at the first byte over it.
    package func body(atMost bytesMax: Int) async throws(Rejection) -> [UInt8] {
        if isAtEnd { return [] }
        if let announced = announcedBodyBytes, announced > bytesMax { throw fault(.bodyTooLarge) }
        var body: [UInt8] = []
        if let announced = announcedBodyBytes { body.reserveCapacity(announced) }
        while try await readPiece({ body.append(contentsOf: $0) }) {
            if body.count > bytesMax { throw fault(.bodyTooLarge) }
        }
        return body
    }

    /// Gives the next piece of the body to `take`. False at the end of the body.
    package func readPiece(_ take: (UnsafeRawBufferPointer) -> Void) async throws(Rejection) -> Bool {
        if let bodyFault { throw bodyFault }
        while !isAtEnd {
            if framing.isWhole {
                isAtEnd = true
                break
            }
            if mustContinue {
                mustContinue = false
                guard await connection.sendContinue() else { throw fault(.truncated) }
            }
            if bodyDeadline == 0 { bodyDeadline = connection.bodyDeadline }
            var took = false
            var refused: Rejection?
            let isOpen = await connection.withInput(deadline: connection.pieceDeadline(within: bodyDeadline)) { bytes in
                let (consumed, step) = framing.receive(bytes)
                switch step {
                case .needMoreBytes: break
                case .bytes(let range):
                    take(UnsafeRawBufferPointer(rebasing: bytes[range]))
                    took = true
                case .end: isAtEnd = true
                case .reject(_, let rejection): refused = rejection
                }
                return consumed
            }
            if let refused { throw fault(refused) }
            if took { return true }
            if !isOpen, !isAtEnd { throw fault(.truncated) }
        }
        return false
    }

    /// Reads and drops what is left of the body, up to `bytesMax`. False if the connection cannot be used for another request.
    func drain(_ bytesMax: Int) async -> Bool {
        if isAtEnd { return true }
        // A client that waits for `100 Continue` sends no body after another answer, or sends it: unknown, so close.
        if mustContinue || bodyFault != nil { return false }
        if let announced = announcedBodyBytes, announced - framing.deliveredBytes > bytesMax { return false }
        var dropped = 0
        do {
            while try await readPiece({ dropped += $0.count }) {
                if dropped > bytesMax { return false }
            }
            return true
        } catch {
            return false
        }
    }

    private func fault(_ rejection: Rejection) -> Rejection {
        bodyFault = rejection
        return rejection
    }
}
