import ChilHTTP
import ChilLoop

/// A body of which nothing comes: the connection breaks after the head.
final class BrokenSource: BodySource {
    let byteCount: Int

    init(byteCount: Int) {
        self.byteCount = byteCount
    }

    func next() async -> [UInt8]? { nil }
}

/// A body that comes a byte a second and does not end in any patience.
final class DripSource: BodySource {
    let byteCount = 3_600
    private let loop: EventLoop

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func next() async -> [UInt8]? {
        await loop.sleep(.seconds(1))
        return [0x20]
    }
}
