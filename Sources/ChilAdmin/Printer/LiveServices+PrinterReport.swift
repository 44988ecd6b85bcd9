import ChilHTTP
import ChilLoop
import ChilPrint

extension LiveServices {
    /// Asks the printer itself, from this machine.
    func report(on printer: PrinterRow) async throws(AdminFault) -> PrinterReport {
        let uri: PrinterURI
        do {
            uri = try PrinterURI(printer.uri)
        } catch {
            throw AdminFault(.dataRefused, "'\(printer.uri)' is no printer's address", remedy: error.sentence)
        }
        let answer = await LoopHome(try loop()).run { loop in
            let transport = IPPTransport.http(to: uri, on: loop, patience: .seconds(10))
            var asked = IPPPrinter(uri: uri, userName: "chiladmin", transport: transport)
            do throws(PrintFailure) {
                return Result<PrinterSnapshot, PrintFailure>.success(try await asked.getPrinterAttributes())
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let snapshot):
            return PrinterReport(printer, snapshot)
        case .failure(let failure):
            throw AdminFault(
                .failed,
                "printer '\(printer.name)' at \(uri) did not answer as it should",
                remedy: failure.sentence
            )
        }
    }
}

extension PrinterURI {
    /// What HTTP calls it (RFC 3510 §4).
    fileprivate var httpAddress: String {
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(shown):\(port)\(path)"
    }
}

extension PrinterReport {
    fileprivate init(_ printer: PrinterRow, _ snapshot: PrinterSnapshot) {
        let state =
            switch snapshot.state {
            case 3: "idle"
            case 4: "processing"
            case 5: "stopped"
            default: "unknown"
            }
        self.init(
            name: printer.name,
            uri: printer.uri,
            model: snapshot.makeAndModel,
            state: state,
            stateReasons: snapshot.stateReasons,
            isAcceptingJobs: snapshot.isAcceptingJobs,
            formats: snapshot.documentFormats,
            media: snapshot.mediaReady.isEmpty ? snapshot.mediaSupported : snapshot.mediaReady
        )
    }
}
