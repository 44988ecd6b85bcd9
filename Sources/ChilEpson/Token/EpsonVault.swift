package import ChilAuth
package import ChilCore
import ChilCrypto
package import ChilDatabase
package import ChilLoop
import ChilStore

/// The tokens of one printer's account, kept in the database for all processes. Not `Sendable`: it works on its loop.
///
/// A refresh token of generation 2 is good for one use, so a new one is stored before anybody uses what came with it, and of all
/// processes one asks at a time: whoever has the row's lease. Who comes second waits, and reads what the first has stored.
package struct EpsonVault: EpsonTokens {
    /// One request and what it takes to store its answer fit into it several times.
    private static let lease = Duration.seconds(75)
    /// A lease that is older is not acted on: something has stood still meanwhile.
    private static let leaseUsed = Duration.seconds(15)
    /// For how long another process's token is waited for.
    private static let waitMax = Duration.seconds(25)
    private static let storesMax = 6
    /// A token is not used in its last two minutes.
    private static let margin = Duration.seconds(120)

    private let tenant: TenantID
    private let printer: PrinterID
    private let database: any Database
    private let sealer: EpsonSealer
    private let loop: EventLoop

    package init(
        of printer: PrinterID,
        in tenant: TenantID,
        _ database: any Database,
        _ sealer: Sealer,
        on loop: EventLoop
    ) {
        self.printer = printer
        self.tenant = tenant
        self.database = database
        self.sealer = EpsonSealer(sealer, tenant)
        self.loop = loop
    }

    /// Where the service is, and by whom it is asked.
    package func site() async throws(EpsonFault) -> EpsonSite {
        try sealer.site(of: try await account())
    }

    package func token(insteadOf refused: EpsonToken?) async throws(EpsonFault) -> EpsonToken {
        let deadline = loop.monotonicNow + Self.waitMax.wholeMicroseconds * 1_000
        var pause = Duration.milliseconds(50)
        while true {
            let account = try await account()
            if let token = usable(account, insteadOf: refused) { return token }
            if account.kind == .epsonV2,
                account.fault == EpsonFault.reauthorizationRequired || account.sealedRefresh == nil
            {
                throw .notAllowed(account.fault ?? "its owner has not given permission yet")
            }
            let begun = loop.monotonicNow
            let lease = EpsonTokenLease(of: printer, in: tenant, known: account.tokenNumber, for: Self.lease)
            if let lease = try await stored({ database throws(DatabaseError) in try await lease.first(from: database) })
            {
                return try await renew(account, under: lease, since: begun)
            }
            guard loop.monotonicNow < deadline else { throw .busy }
            await loop.sleep(pause)
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// The stored token, if it is good for a while yet.
    private func usable(_ account: EpsonAccount, insteadOf refused: EpsonToken?) -> EpsonToken? {
        if let refused, account.tokenNumber <= refused.number { return nil }
        guard let until = account.accessUntil, loop.wallClock + Self.margin < until,
            let access = sealer.open(account.sealedAccess, EpsonAccount.accessColumn)
        else { return nil }
        return EpsonToken(number: account.tokenNumber, access: access, deviceID: account.deviceID)
    }

    private func renew(_ account: EpsonAccount, under lease: Int64, since begun: Int64) async throws(EpsonFault)
        -> EpsonToken
    {
        let grant: EpsonGrant
        do throws(EpsonFault) {
            guard loop.monotonicNow - begun < Self.leaseUsed.wholeMicroseconds * 1_000 else { throw .busy }
            grant = try await granted(account)
        } catch {
            let fault: String? =
                switch error {
                case .notAllowed: account.kind == .epsonV2 ? EpsonFault.reauthorizationRequired : "not-allowed"
                case .badClient: EpsonFault.clientRefused
                case .unreachable, .answerLost, .refused, .misconfigured, .noStore, .busy: nil
                }
            let end = EpsonTokenGiveUp(under: lease, of: printer, in: tenant, fault: fault, at: loop.wallClock)
            _ = try await stored { database throws(DatabaseError) in try await end.touched(on: database) }
            throw error
        }
        return try await keep(grant, account, under: lease)
    }

    private func granted(_ account: EpsonAccount) async throws(EpsonFault) -> EpsonGrant {
        let granting = EpsonGranting(try sealer.site(of: account), on: loop)
        if account.kind == .epsonV1 { return try await granting.password() }
        guard let refresh = sealer.open(account.sealedRefresh, EpsonAccount.refreshColumn) else {
            throw .notAllowed("the refresh token does not open: CHIL_KEY_FILE must be one for all")
        }
        return try await granting.refreshed(refresh)
    }

    /// Nobody has the token before it is stored: were it used and then lost, the printer would have none any more.
    private func keep(_ grant: EpsonGrant, _ account: EpsonAccount, under lease: Int64) async throws(EpsonFault)
        -> EpsonToken
    {
        let now = loop.wallClock
        var sealedRefresh: [UInt8]?
        if account.kind == .epsonV2, let refresh = grant.refresh {
            sealedRefresh = try sealer.seal(refresh, EpsonAccount.refreshColumn)
        }
        let store = EpsonTokenStore(
            under: lease,
            of: printer,
            in: tenant,
            sealedRefresh: sealedRefresh,
            sealedAccess: try sealer.seal(grant.access, EpsonAccount.accessColumn),
            until: now + grant.lifetime,
            deviceID: grant.deviceID,
            at: now
        )
        for attempt in 1... {
            do throws(EpsonFault) {
                let number = try await stored { database throws(DatabaseError) in try await store.first(from: database)
                }
                // Somebody authorized the printer anew meanwhile: theirs is the one that counts.
                guard let number else { throw .busy }
                return EpsonToken(number: number, access: grant.access, deviceID: grant.deviceID ?? account.deviceID)
            } catch {
                guard case .noStore = error, attempt < Self.storesMax else { throw error }
                await loop.sleep(.milliseconds(250) * (1 << attempt))
            }
        }
        throw .busy
    }

    private func account() async throws(EpsonFault) -> EpsonAccount {
        let load = EpsonAccountLoad(of: printer, in: tenant)
        let account = try await stored { database throws(DatabaseError) in try await load.first(from: database) }
        guard let account else { throw .misconfigured("The printer has no account at Epson Connect; add it again.") }
        return account
    }

    private func stored<Value>(_ body: (any Database) async throws(DatabaseError) -> Value) async throws(EpsonFault)
        -> Value
    {
        do throws(DatabaseError) {
            return try await body(database)
        } catch {
            throw .noStore(error.code.rawValue)
        }
    }
}
