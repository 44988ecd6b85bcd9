import ChilCore
import Testing

@testable import ChilAPI

@Suite struct TenantRoomTests {
    private let north = TenantID(rawValue: 1)
    private let south = TenantID(rawValue: 2)
    private let west = TenantID(rawValue: 3)

    @Test func aTenantFillsItsOwnRoomAlone() {
        var room = TenantRoom(placesMax: 5, placesOfTenantMax: 2)
        #expect((0..<4).map { _ in room.take(for: north) } == [true, true, false, false])
        #expect(room.isFull(for: north) && !room.isFull(for: south))
        #expect((0..<3).map { _ in room.take(for: south) } == [true, true, false])
        // All of it, whoever has it.
        #expect((0..<2).map { _ in room.take(for: west) } == [true, false])
        #expect(room.isFull(for: west) && room.isFull(for: TenantID(rawValue: 4)))
    }

    @Test func whatIsGivenBackIsFree() {
        var room = TenantRoom(placesMax: 2, placesOfTenantMax: 2)
        for _ in 0..<100 {
            #expect(room.take(for: north) && room.take(for: south) && !room.take(for: north))
            room.giveBack(of: north)
            #expect(room.take(for: south) && room.isFull(for: south))
            for _ in 0..<2 { room.giveBack(of: south) }
        }
        // What nobody took cannot be given back.
        room.giveBack(of: west)
        #expect((0..<3).map { _ in room.take(for: west) } == [true, true, false])
    }
}
