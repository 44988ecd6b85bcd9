import ChilCore
package import ChilHTTP
import ChilLoop
package import ChilMedia
package import ChilPrint

extension EpsonClient {
    /// What may be uploaded.
    package static let pageBytesMax = 20 << 20
    /// Attempts to upload a page: nothing is printed by it, and a page that is there already is told by the service.
    private static let uploadsMax = 3

    package func device() async throws(EpsonFault) -> EpsonDevice {
        let members: JSONObject
        switch site.generation {
        case .v1:
            members = try EpsonWire.members(try await call(.get, { "/api/1/printing/printers/\($0)" }))
            return EpsonDevice(
                model: members["printer_name"]?.string,
                serial: members["serial_no"]?.string,
                isConnected: Self.flag(members["ec_connected"]) ?? false
            )
        case .v2:
            members = try EpsonWire.members(try await call(.get, { _ in "/api/2/printing/devices/info" }))
            return EpsonDevice(
                model: members["productName"]?.string,
                serial: members["serialNumber"]?.string,
                isConnected: Self.flag(members["connected"]) ?? false
            )
        }
    }

    package func capability() async throws(EpsonFault) -> EpsonCapability {
        switch site.generation {
        case .v1:
            let answer = try await call(.get, { "/api/1/printing/printers/\($0)/capability/document" })
            return EpsonCapability(v1: try EpsonWire.members(answer))
        case .v2:
            let answer = try await call(.get, { _ in "/api/2/printing/capability/document" })
            return EpsonCapability(v2: try EpsonWire.members(answer))
        }
    }

    /// Prints nothing yet, and never will without `upload` and `print`.
    package func createJob(named name: String, _ settings: EpsonPrintSettings) async throws(EpsonFault) -> EpsonJob {
        let response: ClientResponse
        switch site.generation {
        case .v1: response = try await call(.post, { "/api/1/printing/printers/\($0)/jobs" }, settings.v1(named: name))
        case .v2: response = try await call(.post, { _ in "/api/2/printing/jobs" }, settings.v2(named: name))
        }
        let members = try EpsonWire.members(response)
        let names = site.generation == .v1 ? ("id", "upload_uri") : ("jobId", "uploadUri")
        guard let id = members[names.0]?.string, EpsonText.isWord(id), let job = RemoteJobID(rawValue: id) else {
            throw .answerLost("its answer has no \(names.0)")
        }
        guard let upload = members[names.1]?.string.flatMap({ HTTPURL($0) }), site.guardingUpload(to: upload) != nil
        else {
            throw .refused(status: response.statusCode, code: "unusable_\(names.1)")
        }
        return EpsonJob(id: job, upload: upload)
    }

    /// - Parameter deadline: on the loop's clock.
    package func upload(_ page: [UInt8], _ format: ChilMedia.MediaType, to place: HTTPURL, until deadline: Int64)
        async throws(EpsonFault)
    {
        guard let guarding = site.guardingUpload(to: place),
            let url = HTTPURL("\(place)\(place.target.contains("?") ? "&" : "?")File=1.\(format.fileExtension)")
        else { throw .refused(status: 0, code: "unusable_upload_uri") }
        let type = site.generation == .v1 ? "application/octet-stream" : format.rawValue
        let request = ClientRequest(.post, url, fields: [("Content-Type", type)], body: [page])
        var attempt = 1
        while true {
            let left = Duration.nanoseconds(deadline - loop.monotonicNow)
            guard left > .zero else { throw .unreachable("the page was not uploaded in time") }
            do throws(EpsonFault) {
                _ = try await wire.send(request, guarding, patience: left)
                return
            } catch {
                switch error {
                // An earlier attempt has done it.
                case .refused(409, _): return
                case .unreachable, .answerLost, .refused(500, _), .refused(503, _):
                    // A printer that stands still for it is told that nothing was printed.
                    guard attempt < Self.uploadsMax else { throw .unreachable("the page was not uploaded") }
                default: throw error
                }
            }
            await loop.sleep(.milliseconds(500) * attempt)
            attempt += 1
        }
    }

    /// The point of no return.
    package func print(_ job: RemoteJobID) async throws(EpsonFault) {
        switch site.generation {
        case .v1:
            _ = try await call(.post, { "/api/1/printing/printers/\($0)/jobs/\(job.rawValue)/print" })
        case .v2: _ = try await call(.post, { _ in "/api/2/printing/jobs/\(job.rawValue)/print" })
        }
    }

    package func job(_ job: RemoteJobID) async throws(EpsonFault) -> EpsonJobReport {
        let members: JSONObject
        switch site.generation {
        case .v1:
            members = try EpsonWire.members(
                try await call(.get, { "/api/1/printing/printers/\($0)/jobs/\(job.rawValue)" })
            )
        case .v2: members = try EpsonWire.members(try await call(.get, { _ in "/api/2/printing/jobs/\(job.rawValue)" }))
        }
        guard let status = members["status"]?.string else { throw .answerLost("its answer has no status") }
        return EpsonJobReport(
            status: status,
            reason: members["status_reason"]?.string,
            name: (members["job_name"] ?? members["jobName"])?.string,
            totalPages: (members["total_pages"] ?? members["totalPages"])?.int64
        )
    }

    package func cancel(_ job: RemoteJobID) async throws(EpsonFault) {
        switch site.generation {
        case .v1:
            _ = try await call(
                .post,
                { "/api/1/printing/printers/\($0)/jobs/\(job.rawValue)/cancel" },
                EpsonText.json([("operated_by", .text("operator"))])
            )
        case .v2: _ = try await call(.post, { _ in "/api/2/printing/jobs/\(job.rawValue)/cancel" })
        }
    }
}

extension ChilMedia.MediaType {
    /// As Epson Connect has it in `File=1.…`.
    var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .pdf: "pdf"
        // Never sent: the driver does not say that it is taken.
        case .pwgRaster: "pwg"
        }
    }
}
