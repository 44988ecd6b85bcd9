import ChilCore
import Testing

@testable import ChilMedia

@Suite struct ImageJobMachineTests {
    private let start = Timestamp(seconds: 1_780_315_200)

    @Test func aPictureIsMadeAtTheFirstAttempt() {
        var machine = ImageJobMachine(at: start)
        #expect(machine.received(.taken, at: start) == .attempt(number: 1))
        #expect(machine.received(.made, at: start + .seconds(3)) == .settle)
        #expect(machine.history.map(\.state) == [.queued, .running, .ready])
        #expect(machine.received(.taken, at: start + .seconds(4)) == .settle)
    }

    @Test func attemptsAreCountedAndTheLastWordIsTold() {
        var machine = ImageJobMachine(at: start)
        var now = start
        for number in 1...ImageJobMachine.attemptsMax {
            #expect(machine.received(.taken, at: now) == .attempt(number: number))
            let step = machine.received(.attemptFailed("away", retryAfter: nil), at: now)
            if number < ImageJobMachine.attemptsMax {
                let until = now + ImageJobMachine.pauses[number - 1]
                #expect(step == .wait(until: until))
                #expect(machine.received(.taken, at: until + .milliseconds(-1)) == .wait(until: until))
                now = until
            } else {
                #expect(step == .fail("away"))
            }
        }
        #expect(machine.state == .failed && machine.received(.made, at: now) == .fail("away"))
    }

    @Test func aRefusalIsFinal() {
        var machine = ImageJobMachine(at: start)
        #expect(machine.received(.taken, at: start) == .attempt(number: 1))
        #expect(machine.received(.refused("wish-refused"), at: start) == .fail("wish-refused"))
    }

    /// The process died: what it began counts, and the next waits a little.
    @Test func anAttemptThatNeverEndedCounts() {
        var machine = ImageJobMachine(at: start)
        var now = start
        var begun = 0
        while begun < 10 {
            switch machine.received(.taken, at: now) {
            case .attempt(let number):
                begun += 1
                #expect(number == begun)
                now = now + .seconds(45)
            case .wait(let until): now = until
            case .fail(let code):
                #expect(code == ImageJobMachine.interrupted && begun == ImageJobMachine.attemptsMax)
                return
            case .settle: Issue.record("settled")
            }
        }
        Issue.record("it went on for ever")
    }

    @Test(arguments: [(Duration.seconds(60), 60), (.seconds(3_600), 120), (.zero, 2)])
    func whatAServiceSaysIsBelievedWithinBounds(_ said: Duration, _ seconds: Int) {
        var machine = ImageJobMachine(at: start)
        _ = machine.received(.taken, at: start)
        let step = machine.received(.attemptFailed("away", retryAfter: said), at: start)
        #expect(step == .wait(until: start + .seconds(seconds)))
    }

    @Test func nothingIsBegunAfterItsLife() {
        var machine = ImageJobMachine(at: start)
        #expect(machine.received(.taken, at: start + ImageJobMachine.lifetime) == .fail(ImageJobMachine.interrupted))
    }

    @Test func itIsReadAsItWasWritten() {
        var machine = ImageJobMachine(at: start)
        #expect(ImageJobMachine(text: machine.text) == machine)
        _ = machine.received(.taken, at: start + .seconds(1))
        #expect(ImageJobMachine(text: machine.text) == machine)
        _ = machine.received(.attemptFailed("away", retryAfter: .seconds(9)), at: start + .seconds(2))
        #expect(ImageJobMachine(text: machine.text) == machine)
    }

    @Test(arguments: [
        "", "1", "2 0 1 2 -\nqueued 1 -", "1 -1 1 2 -\nqueued 1 -", "1 0 1 2 -", "1 0 1 2 -\nlost 1 -",
        "1 0 x 2 -\nqueued 1 -",
    ])
    func otherTextsAreRefused(_ text: String) {
        #expect(ImageJobMachine(text: text) == nil)
    }
}
