import ChilCore
import Foundation
import Testing

/// What a signed-in request costs: the signature of its token once.
@Suite(.testBed([]), .ownThread)
struct SignatureCheckTests {
    @Test("a signed-in request costs no signature check after the first")
    func aTokenIsCheckedOnce() async throws {
        let bed = try TestBed.required
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        try await StillService.with(bed, at: now) { service in
            let answers = try (0..<2).map { try service.signIn(.north, bed.issuer, subject: "checked-\($0)") }
            let before = await service.signatureChecks()
            #expect(before == 0)
            let connection = try Connection(to: service.port)
            for (number, answer) in answers.enumerated() {
                let request = Request("GET", "/north/me", bearer: try answer.string("accessToken"))
                for _ in 0..<100 { #expect(try connection.send(request).status == 200) }
                let checks = await service.signatureChecks()
                #expect(checks == number + 1)
            }
        }
    }
}
