import Testing

@testable import ChilAPI

@Suite struct RevocationScheduleTests {
    @Test(arguments: [0.0, 0.5, 0.999_999])
    func pausesGrowToAnHourAndEndWithinADay(_ jitter: Double) {
        var (total, before, count) = (Duration.zero, Duration.zero, 0)
        while let pause = RevocationSchedule.pause(after: count + 1, jitter: jitter) {
            #expect(pause >= before && pause <= .seconds(3_600))
            (total, before, count) = (total + pause, pause, count + 1)
        }
        #expect(count == RevocationSchedule.failuresMax - 1)
        #expect(total <= .seconds(86_400) && total > .seconds(40_000), "\(total)")
        #expect(RevocationSchedule.pause(after: 1, jitter: jitter).map { $0 >= .seconds(5) } == true)
    }

    @Test func anHoursAbsenceIsOutlived() {
        var total = Duration.zero
        for failures in 1...12 {
            total += RevocationSchedule.pause(after: failures, jitter: 0) ?? .zero
        }
        #expect(total > .seconds(3_600))
    }
}
