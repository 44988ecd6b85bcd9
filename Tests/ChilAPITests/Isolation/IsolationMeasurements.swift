import ChilTestSupport
import Testing

/// What a stranger could read from the time that a refusal takes: measured when nothing else runs.
@Suite(.testBed(), .ownThread)
struct IsolationMeasurements {
    @Test("I-02 whether a number is another tenant's or nobody's does not show in the time")
    func theTimeTellsNothing() throws {
        let bed = try TestBed.required
        let owner = try App(bed.service(), .north, bed.issuer)
        let drawing = try owner.makeDrawing()
        let other = try App(owner.service, .south, bed.issuer)
        let connection = try Connection(to: other.service.port)
        // Another tenant's, and nobody's. The catalogue has 5,000 (CHIL_TEST_ROUNDS).
        let pairs = min(Rounds.count(otherwise: 800), 5_000)
        var times: [[Double]] = [[], []]
        let requests = [drawing, drawing + 7 * 1_024].map { other.request("GET", "drawings/\($0)") }
        for number in -50..<pairs {
            // Either goes first as often.
            for which in number.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let answer = try connection.send(requests[which])
                #expect(answer.status == 404)
                let elapsed = answer.elapsed.components
                if number >= 0 {
                    times[which].append(Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9)
                }
            }
        }
        #expect(Welch.t(times[0], times[1]) < 4.5)
        let medians = times.map { $0.sorted()[pairs / 2] }
        #expect((0.9...1.1).contains(medians[0] / medians[1]), "\(medians)")
    }
}
