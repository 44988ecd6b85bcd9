import ChilCore
import Testing

@testable import ChilAPI
@testable import ChilStore

@Suite struct LiveMemoryTests {
    private static let start = Timestamp(seconds: 1_780_315_200)

    private static func event(_ second: Double, _ low: Int64 = 7) -> UserEvent {
        let id = UserEventID(before: start + .milliseconds(Int64(second * 1_000))).rawValue + low
        return UserEvent(id: UserEventID(rawValue: id), type: "drawing.created", data: "\"drawingId\":1")
    }

    /// What a database would answer.
    private static func page(_ events: [UserEvent], _ memory: LiveMemory) -> [UserEvent] {
        Array(events.filter { $0.id > memory.nextPage }.sorted { $0.id < $1.id }.prefix(LiveMemory.pageMax))
    }

    @Test func eachIsSentOnceAlsoWhatIsCommittedLate() {
        var memory = LiveMemory(from: Self.start)
        var committed = [Self.event(-11), Self.event(-9), Self.event(1)]
        func look(_ second: Double) -> [UserEvent] {
            memory.take(Self.page(committed, memory), readAt: Self.start + .milliseconds(Int64(second * 1_000)))
        }
        // What came ten seconds before the stream may have been missed by whoever listed a moment ago.
        #expect(look(1) == [Self.event(-9), Self.event(1)])
        #expect(look(2).isEmpty)
        committed.append(Self.event(0.5))
        #expect(look(10) == [Self.event(0.5)])
        committed.append(Self.event(12))
        #expect(look(12) == [Self.event(12)])
        #expect(look(30).isEmpty)
        // By then it is too late.
        committed.append(Self.event(19))
        #expect(look(31).isEmpty)
        committed.append(Self.event(25))
        #expect(look(32) == [Self.event(25)])
    }

    @Test func aBacklogComesPageByPage() {
        var memory = LiveMemory(from: Self.start)
        var committed = (0..<250).map { Self.event(Double($0) / 10) }
        var sent: [UserEvent] = []
        let now = Self.start + .seconds(26)
        repeat {
            sent += memory.take(Self.page(committed, memory), readAt: now)
            // Committed late, behind the page that is being read.
            if sent.count == 100 { committed.append(Self.event(18, 9)) }
        } while memory.isPaging
        #expect(sent.count == 251 && Set(sent.map(\.id)).count == 251)
        committed.append(Self.event(17, 9))
        #expect(memory.take(Self.page(committed, memory), readAt: now + .seconds(1)) == [Self.event(17, 9)])
        #expect(memory.take(Self.page(committed, memory), readAt: now + .seconds(2)).isEmpty)
    }

    struct Place: Sendable, CustomTestStringConvertible {
        let name: String
        let last: String?
        let isGap: Bool
        /// Seconds from now.
        let from: Int64
        var testDescription: String { name }
    }

    static let places = [
        Place(name: "a new stream", last: nil, isGap: false, from: 0),
        Place(name: "one that goes on", last: "\(event(-100).id.rawValue)", isGap: false, from: -100),
        Place(name: "almost a day ago", last: "\(event(-86_389).id.rawValue)", isGap: false, from: -86_389),
        Place(name: "too long ago", last: "\(event(-86_390).id.rawValue)", isGap: true, from: 0),
        Place(name: "a moment ahead: clocks differ", last: "\(event(5).id.rawValue)", isGap: false, from: 0),
        Place(name: "a time to come", last: "\(event(11).id.rawValue)", isGap: true, from: 0),
        Place(name: "nothing", last: "", isGap: true, from: 0),
        Place(name: "no number", last: "12 or 1=1", isGap: true, from: 0),
        Place(name: "negative", last: "-5", isGap: true, from: 0),
        Place(name: "zero", last: "0", isGap: true, from: 0),
        Place(name: "54 bits", last: "9007199254740992", isGap: true, from: 0),
        Place(name: "more digits than a number has", last: String(repeating: "9", count: 400), isGap: true, from: 0),
    ]

    @Test(arguments: places)
    func aStreamBeginsWhereTheClientWas(_ place: Place) {
        let found = LivePlace(last: place.last.map { Array($0.utf8) }, at: Self.start)
        #expect(found.isGap == place.isGap)
        #expect(found.moment == Self.start + .seconds(place.from))
        #expect(place.isGap || place.last == nil || "\(found.id.rawValue)" == place.last)
    }

    @Test func eventsAreWrittenAsTheStandardHasThem() {
        let text = String(decoding: LiveText.bytes([Self.event(1), Self.event(2)]), as: UTF8.self)
        #expect(
            text == """
                id: \(Self.event(1).id.rawValue)
                event: drawing.created
                data: {"drawingId":1,"at":"2026-06-01T12:00:01.000Z"}

                id: \(Self.event(2).id.rawValue)
                event: drawing.created
                data: {"drawingId":1,"at":"2026-06-01T12:00:02.000Z"}


                """
        )
        let id = UserEventID(rawValue: 5)
        #expect(LiveText.greeting(id, isGap: false) == Array("retry: 3000\nid: 5\n\n".utf8))
        #expect(LiveText.greeting(id, isGap: true) == Array("retry: 3000\nid: 5\nevent: reset\ndata: {}\n\n".utf8))
    }

    @Test func aPersonHasSoManyStreamsAndNoMore() {
        let people = LivePeople()
        let person = Person(tenant: TenantID(rawValue: 1), user: UserID(rawValue: 1))
        let namesake = Person(tenant: TenantID(rawValue: 2), user: UserID(rawValue: 1))
        for _ in 0..<LivePeople.streamsMax { #expect(people.enter(person)) }
        #expect(!people.enter(person))
        #expect(people.enter(namesake))
        people.leave(person)
        #expect(people.enter(person))
        #expect(!people.enter(person))
    }
}
