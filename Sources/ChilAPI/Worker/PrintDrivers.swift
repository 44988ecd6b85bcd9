import ChilCore
import ChilDatabase
import ChilLoop
import ChilPrint
import ChilStore

/// Makes the driver that a job's printer needs. Not `Sendable`.
struct PrintDrivers {
    private let loop: EventLoop
    private let desk: PageDesk
    private let database: DatabaseClient

    init(_ desk: PageDesk, _ database: DatabaseClient, on loop: EventLoop) {
        self.desk = desk
        self.database = database
        self.loop = loop
    }

    func driver(for task: PrintJobTask, in tenant: TenantID) async throws -> any PrintDriver {
        let name = PrintJobName(tenant: tenant, job: task.job.id, title: task.image?.title ?? "")
        let pages = DrawingPages(task, in: tenant, at: desk)
        switch task.printer.kind {
        case .ipp, .epsonV1, .epsonV2:
            let uri = try PrinterURI(task.printer.uri)
            let identity = try await PrinterIdentity.kept(for: task.printer.id, at: uri, in: tenant, database, on: loop)
            let printer = IPPPrinter(uri: uri, transport: .http(to: uri, on: loop, identity: identity))
            return IPPDriver(printer: printer, name: name, pages: pages)
        }
    }
}
