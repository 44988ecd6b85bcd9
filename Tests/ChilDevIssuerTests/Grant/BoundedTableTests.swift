import Testing

@testable import ChilDevIssuer

@Suite struct BoundedTableTests {
    @Test func theOldestIsForgotten() {
        var table = BoundedTable<Int>(countMax: 3)
        for number in 0..<10 { table.add(number, for: "\(number)") }
        #expect(table.all == [7, 8, 9])
        #expect(table["6"] == nil)
        #expect(table["7"] == 7)
    }

    @Test func removedOnesLeaveNoTrace() {
        var table = BoundedTable<Int>(countMax: 3)
        for number in 0..<3 { table.add(number, for: "\(number)") }
        table.removeAll { $0 == 1 }
        table.change("1") { $0 = 5 }
        #expect(table.all == [0, 2])
        table.add(3, for: "3")
        #expect(table.all == [2, 3])
    }
}
