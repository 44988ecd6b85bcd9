import ChilCore
import ChilDatabase
import ChilEpson
import ChilLoop
import ChilPrint
import ChilStore

/// Has a printer drop the jobs of somebody who was deleted. Not `Sendable`.
struct CancellationCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient

    /// A printer that has not been reached after so many attempts, over some hours, has the paper out by now.
    private static let attemptsMax: Int32 = 60
    private static let pauseMax = Duration.seconds(300)

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop) {
        self.shared = shared
        self.database = database
        self.loop = loop
    }

    func work(on item: WorkItem) async throws {
        guard let cancellation = try await PrintCancellationLoad(item).first(from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        guard let failure = await failure(of: cancellation, in: item.tenant) else {
            _ = try await PrintCancellationEnd(item).answer(from: database)
            return
        }
        shared.log.write(.warning, "print job not cancelled", [("job", "\(item.subject)"), ("error", failure)])
        if item.attempts >= Self.attemptsMax {
            _ = try await PrintCancellationEnd(item).answer(from: database)
        } else {
            let pause = min(Duration.seconds(5) * Int(item.attempts), Self.pauseMax)
            _ = try await WorkPostpone(item, by: pause).run(on: database)
        }
    }

    /// `nil`: the printer has no such job in hand any more.
    private func failure(of cancellation: PrintCancellation, in tenant: TenantID) async -> String? {
        if cancellation.kind != .ipp { return await failureAtEpson(of: cancellation, in: tenant) }
        do {
            var address = cancellation.printerURI
            if let lender = cancellation.lender {
                guard let lent = try await PrinterOne(lender).first(from: database) else { return nil }
                address = lent.uri
            }
            let uri = try PrinterURI(address)
            let identity = try await PrinterIdentity.kept(
                for: cancellation.lender?.printer ?? cancellation.printer,
                at: uri,
                in: cancellation.lender?.tenant ?? tenant,
                database,
                on: loop
            )
            var printer = IPPPrinter(uri: uri, transport: .http(to: uri, on: loop, identity: identity))
            _ = try await printer.getPrinterAttributes()
            do throws(PrintFailure) {
                guard let job = RemoteJobID(rawValue: cancellation.remoteJobID) else { return nil }
                try await printer.cancelJob(job)
            } catch {
                // It is over there, or was never taken.
                guard error == .notFound || error == .notPossible else { throw error }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func failureAtEpson(of cancellation: PrintCancellation, in tenant: TenantID) async -> String? {
        guard let job = RemoteJobID(rawValue: cancellation.remoteJobID) else { return nil }
        let place = cancellation.lender ?? PrintPlace(tenant: tenant, printer: cancellation.printer)
        let vault = EpsonVault(of: place.printer, in: place.tenant, database, shared.sealer, on: loop)
        do throws(EpsonFault) {
            try await EpsonClient(try await vault.site(), vault, on: loop).cancel(job)
            return nil
        } catch {
            // It is over there, is on paper, or was never taken.
            if case .refused(let status, _) = error, [400, 403, 404, 409].contains(status), !error.isTooOften {
                return nil
            }
            return error.sentence
        }
    }
}
