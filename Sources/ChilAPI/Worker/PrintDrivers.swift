import ChilCore
import ChilLoop
import ChilPrint
import ChilStore

/// Makes the driver that a job's printer needs. Not `Sendable`.
struct PrintDrivers {
    private let loop: EventLoop
    private let desk: PageDesk

    init(_ desk: PageDesk, on loop: EventLoop) {
        self.desk = desk
        self.loop = loop
    }

    func driver(for task: PrintJobTask, in tenant: TenantID) throws -> any PrintDriver {
        let name = PrintJobName(tenant: tenant, job: task.job.id, title: task.image?.title ?? "")
        let pages = DrawingPages(task, in: tenant, at: desk)
        switch task.printer.kind {
        case .ipp, .epsonV1, .epsonV2:
            let uri = try PrinterURI(task.printer.uri)
            let printer = IPPPrinter(uri: uri, transport: .http(to: uri, on: loop))
            return IPPDriver(printer: printer, name: name, pages: pages)
        }
    }
}
