import ChilDevEpson
import ChilHTTP
import ChilLoop

/// What `dev scan` needs.
protocol ScanPushServices {
    /// A file's bytes, at most as many as a page may have.
    func readPage(_ path: String) throws(AdminFault) -> [UInt8]
    /// Throws with status `.failed` when the answer is not 200.
    func push(_ push: EpsonPush, to url: HTTPURL) async throws(AdminFault) -> ScanPushRow
}

extension LiveServices: ScanPushServices {
    private static var patience: Duration { .seconds(60) }

    func readPage(_ path: String) throws(AdminFault) -> [UInt8] { try PageFile.read(path) }

    func push(_ push: EpsonPush, to url: HTTPURL) async throws(AdminFault) -> ScanPushRow {
        var request = ClientRequest(.post, url, fields: [("Content-Type", EpsonPush.contentType)], body: [push.body])
        request.patience = Self.patience
        let outcome = await LoopHome(try loop()).run { [request] loop in
            let client = HTTPClient(on: loop, AddressGuard(allowing: [.init(host: url.host, port: url.port)]))
            do throws(ClientFailure) {
                return Result<ClientResponse, ClientFailure>.success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let response):
            let answer = String(decoding: response.body.prefix(2_000), as: UTF8.self)
            guard response.statusCode == 200 else {
                throw AdminFault(
                    .failed,
                    "the service answered \(response.statusCode): \(answer)",
                    remedy:
                        "404: the address is not (or no longer) a scanner's; `chiladmin scanner rotate` prints a new one."
                )
            }
            return ScanPushRow(status: Int64(response.statusCode), answer: answer)
        case .failure(let failure):
            throw AdminFault(
                .failed,
                "the service did not answer: \(failure)",
                remedy: "Look whether chilapi runs, and whether the address is its own."
            )
        }
    }
}
