import ChilLoop
import Glibc
import Testing

@Suite struct ListenerTests {
    @Test func portZeroIsTheKernelsChoice() throws {
        let listener = try Listener(on: .anyLoopbackPort)
        defer { listener.close() }
        #expect(listener.address.port > 0)
        #expect(listener.address.host == "127.0.0.1")
        guard case .noneWaiting = listener.accept() else {
            Issue.record("nobody has knocked")
            return
        }
    }

    @Test func aTakenPortIsRefusedWithTheRemedy() throws {
        let first = try Listener(on: .anyLoopbackPort)
        defer { first.close() }
        let error = try #require(throws: LoopError.self) { try Listener(on: first.address) }
        #expect(error.code == EADDRINUSE)
        #expect(error.call == "bind \(first.address)")
        #expect(error.remedy == "another program listens there: stop it or choose another port")
    }

    @Test func aForeignAddressIsRefusedWithTheRemedy() throws {
        let foreign = SocketAddress(family: .ipv4, octets: [192, 0, 2, 1], port: 0)
        let error = try #require(throws: LoopError.self) { try Listener(on: foreign) }
        #expect(error.code == EADDRNOTAVAIL)
        #expect(error.remedy == "this machine has no such address: listen on one that it has")
    }
}
