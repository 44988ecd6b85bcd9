import Testing

@testable import ChilAPI

@Suite struct DescriptorLimitTests {
    @Test(arguments: [
        ("plenty", 1_048_576, 2, 8_192), ("the usual soft limit", 1_024, 2, 432), ("one loop", 1_024, 1, 896),
        ("too few for comfort", 128, 4, 16), ("no limit", Int.max, 62, 8_192),
    ])
    func connectionsLeaveRoom(_ name: String, _ limit: Int, _ loops: Int, _ connections: Int) {
        #expect(DescriptorLimit.connectionsPerLoop(of: limit, loops: loops, atMost: 8_192) == connections, "\(name)")
    }
}
