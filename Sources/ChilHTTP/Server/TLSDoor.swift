import ChilCore
package import ChilCrypto
import ChilLoop

/// The certificates that a server shows, one set for all its loops. They can be changed while it serves: who is connected stays so.
package final class TLSDoor: Sendable {
    private let context: Locked<TLSServerContext>

    package init(_ context: TLSServerContext) {
        self.context = Locked(context)
    }

    /// From the next connection on.
    package func change(to context: TLSServerContext) {
        self.context.withLock { $0 = context }
    }

    func newSeal() throws(TLSFault) -> StreamSeal {
        StreamSeal(try TLSSession(context.withLock { $0 }))
    }
}
