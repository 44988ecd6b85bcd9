import ChilAuth
import ChilCore
import ChilDatabase
import ChilEpson
import ChilLoop
import ChilPrint
import ChilStore

/// Makes the driver that a job's printer needs. Not `Sendable`.
struct PrintDrivers {
    private let loop: EventLoop
    private let desk: PageDesk
    private let sealer: Sealer
    private let database: DatabaseClient

    init(_ desk: PageDesk, _ sealer: Sealer, _ database: DatabaseClient, on loop: EventLoop) {
        self.desk = desk
        self.sealer = sealer
        self.database = database
        self.loop = loop
    }

    func driver(for task: PrintJobTask, in tenant: TenantID) async throws -> any PrintDriver {
        let name = PrintJobName(tenant: tenant, job: task.job.id, title: task.image?.title ?? "")
        let pages = DrawingPages(task, in: tenant, at: desk)
        switch task.printer.kind {
        case .ipp:
            let uri = try PrinterURI(task.printer.uri)
            let place = task.place
            let identity = try await PrinterIdentity.kept(
                for: place.printer,
                at: uri,
                in: place.tenant,
                database,
                on: loop
            )
            let framing = try await PrinterFraming.kept(for: place.printer, in: place.tenant, database)
            let transport = IPPTransport.http(to: uri, on: loop, identity: identity, framing: framing)
            let printer = IPPPrinter(uri: uri, transport: transport)
            return IPPDriver(printer: printer, name: name, pages: pages)
        case .epsonV1, .epsonV2:
            do throws(EpsonFault) {
                return EpsonDriver(try await epson(task.place.printer, in: task.place.tenant), name: name, pages: pages)
            } catch {
                return UnusableDriver(failure: PrintFailure(error))
            }
        }
    }

    /// Epson Connect, as it is asked about a printer.
    func epson(_ printer: PrinterID, in tenant: TenantID) async throws(EpsonFault) -> EpsonClient {
        let vault = EpsonVault(of: printer, in: tenant, database, sealer, on: loop)
        return EpsonClient(try await vault.site(), vault, on: loop)
    }
}

/// Of a printer that nothing can be asked of, for what is stored of it is of no use.
private struct UnusableDriver: PrintDriver {
    let failure: PrintFailure

    func perform(_ step: PrintStep) async -> PrintEvent? { .stepFailed(failure) }
}
