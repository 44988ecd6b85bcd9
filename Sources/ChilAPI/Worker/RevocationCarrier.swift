import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilProvider
import ChilStore

/// Gives a provider's token back: asks the provider to revoke it, until it has or a day is over; then the token is wiped. Not `Sendable`.
///
/// The person is deleted already, whatever comes of it. A revocation that happened and was not stored is asked for again: the
/// provider answers the same (RFC 7009 §2.2).
struct RevocationCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let credentials: CredentialReport

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ ids: IDSource) {
        credentials = CredentialReport(database: database, ids: ids, loop: loop, log: shared.log)
        self.shared = shared
        self.database = database
        self.loop = loop
    }

    func work(on item: WorkItem) async throws {
        guard let revocation = try await TokenRevocationLoad(item).first(from: database),
            revocation.state == .pending, let sealed = revocation.sealedToken
        else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        let outcome = await outcome(of: revocation, sealed, item)
        guard try await TokenRevocationEnd(item, outcome, at: loop.wallClock).answer(from: database) else { return }
        let fault: String
        switch outcome {
        case .revoked: return
        case .again(_, let why): fault = why
        case .failed(let why): fault = "given up: \(why)"
        }
        shared.log.write(
            .warning,
            "token not revoked",
            [("tenant", "\(item.tenant.rawValue)"), ("revocation", "\(item.subject)"), ("fault", fault)]
        )
    }

    private func outcome(of revocation: TokenRevocation, _ sealed: [UInt8], _ item: WorkItem) async
        -> TokenRevocationEnd.Outcome
    {
        let fault: String
        do {
            let opened = try shared.sealer.open(sealed, tenant: item.tenant, column: TokenRevocation.sealedColumn)
            guard let token = opened else { return .failed("the token was sealed by another key") }
            guard
                let record = try await ProviderList(of: item.tenant).rows(from: database)
                    .first(where: { $0.id == revocation.provider })
            else { return .failed("the provider record is gone") }
            let provider = ProviderContext(record, of: item.tenant, sealer: shared.sealer)
            let remote = try provider.remote(on: loop).get()
            switch await remote.revoke(token: token, clientID: revocation.clientID, at: loop.wallClock) {
            case .success:
                await credentials.tell(nil, of: provider, in: item.tenant)
                return .revoked
            case .failure(let refused):
                if case .refusedCredentials(let said) = refused {
                    await credentials.tell(said, of: provider, in: item.tenant)
                }
                // What it refuses today it refuses tomorrow; the operator may mend the rest within the day.
                switch refused {
                case .refusedGrant, .refusedRequest: return .failed("\(refused)")
                case .refusedCredentials, .away: fault = "\(refused)"
                }
            }
        } catch {
            fault = "\(error)"
        }
        let failures = Int(revocation.attempts) + 1
        let jitter = Double.random(in: 0..<1)
        return RevocationSchedule.pause(after: failures, jitter: jitter).map { .again(after: $0, fault) }
            ?? .failed(fault)
    }
}
