import ChilCore
import ChilDatabase
import ChilEpson
import ChilLoop
import ChilStore

/// Keeps permissions alive that owners of printers have given: Epson lets one end that was not renewed for thirty days. Not `Sendable`.
struct EpsonKeeper {
    /// Days enough for a service that stands still for a while to be in time.
    static let idleMax = Duration.seconds(10 * 86_400)
    private static let countMax = 100

    private let shared: SharedState
    private let database: DatabaseClient
    private let loop: EventLoop
    private let stopping: StopFlag

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ stopping: StopFlag) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.stopping = stopping
    }

    /// What fails is tried again with the next round, and with the next print.
    func renew(at now: Timestamp) async {
        do {
            for tenant in try await database.run(TenantList(), .read, of: nil) where !stopping.isRaised {
                let idle = EpsonIdleAccounts(of: tenant.id, since: now - Self.idleMax, countMax: Self.countMax)
                for printer in try await idle.rows(from: database) where !stopping.isRaised {
                    await renew(printer, of: tenant.id)
                }
            }
        } catch {
            shared.log.write(.warning, "renewing at Epson interrupted", [("error", String(reason: error))])
        }
    }

    private func renew(_ printer: PrinterID, of tenant: TenantID) async {
        let vault = EpsonVault(of: printer, in: tenant, database, shared.sealer, on: loop)
        do throws(EpsonFault) {
            _ = try await vault.token(insteadOf: nil)
        } catch {
            shared.log.write(
                .warning,
                "a printer's permission was not renewed",
                [("tenant", "\(tenant.rawValue)"), ("printer", "\(printer.rawValue)"), ("error", error.sentence)]
            )
        }
    }
}
