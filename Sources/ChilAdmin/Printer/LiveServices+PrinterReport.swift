import ChilCore
import ChilCrypto
import ChilLoop
import ChilPrint
import ChilStore

extension LiveServices {
    /// Asks the printer itself, from this machine.
    func report(on printer: PrinterRow, _ certificate: PrinterCertificate?) async throws(AdminFault) -> PrinterReport {
        let uri = try address(of: printer)
        let pin = certificate?.pin
        let answer = await LoopHome(try loop()).run { loop in
            let identity = PrinterIdentity.passing(pin: pin, at: loop.wallClock)
            let transport = IPPTransport.http(
                to: uri,
                on: loop,
                patience: Self.printerPatience,
                identity: identity
            )
            var asked = IPPPrinter(uri: uri, userName: "chiladmin", transport: transport)
            do throws(PrintFailure) {
                let snapshot = try await asked.getPrinterAttributes()
                return Result<(PrinterSnapshot, PeerCertificate?), PrintFailure>.success((snapshot, identity.seen))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let (snapshot, shown)):
            return PrinterReport(printer, snapshot, shown.map { $0.words(besides: pin) })
        case .failure(let failure): throw .noAnswer(of: printer, uri, failure)
        }
    }
}

extension PrinterCertificate {
    var pin: PeerPin? {
        guard let key, let keyAt else { return nil }
        return PeerPin(keyDigest: key, at: keyAt)
    }
}

extension PeerCertificate {
    /// Its key, and why it is trusted.
    fileprivate func words(besides pin: PeerPin?) -> String {
        let reason =
            if objection == nil {
                "an authority vouches for it"
            } else if let pin {
                "trusted since \(pin.at)"
            } else {
                "not met yet: the first print trusts it"
            }
        return "\(PeerPin.text(of: keyDigest)) (\(reason))"
    }
}

extension PrinterReport {
    fileprivate init(_ printer: PrinterRow, _ snapshot: PrinterSnapshot, _ certificate: String?) {
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
            media: snapshot.mediaReady.isEmpty ? snapshot.mediaSupported : snapshot.mediaReady,
            paper: snapshot.mediaColReady.map(\.words),
            resolutions: snapshot.resolutions,
            colorModes: snapshot.colorModes,
            rasterTypes: snapshot.rasterTypes,
            versions: snapshot.versions,
            uuid: snapshot.uuid,
            certificate: certificate
        )
    }
}

extension MediaReady {
    /// As in `210x297 mm, margins 3 3 3 3`.
    fileprivate var words: String {
        func millimetres(_ hundredths: Int) -> String {
            let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
            if rest == 0 { return "\(whole)" }
            return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
        }
        let size = "\(millimetres(width))x\(millimetres(height)) mm"
        guard let margins else { return size }
        let edges = [margins.left, margins.top, margins.right, margins.bottom].map(millimetres)
        return "\(size), margins \(edges.joined(separator: " "))"
    }
}
