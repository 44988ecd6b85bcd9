import ChilCore

/// Images that are asked for often, shared by all loops: bytes by tenant and content hash, the least recently used dropped first.
///
/// A hit saves the bytes' way through PostgreSQL, never the check of the drawing's row: that is asked for each time.
final class ImageCache: Sendable {
    struct Key: Hashable, Sendable {
        let tenant: Int64
        /// SHA-256 of the bytes.
        let hash: [UInt8]
    }

    private struct Entry {
        let pieces: [[UInt8]]
        let byteCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var uses: UInt64 = 0
        var gatheringBytes = 0
    }

    private let bytesMax: Int
    private let state = Locked(State())

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    func pieces(_ key: Key) -> [[UInt8]]? {
        state.withLock { state in
            guard state.entries[key] != nil else { return nil }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return state.entries[key]?.pieces
        }
    }

    /// One piece of an image, if all of it is kept.
    func piece(_ position: Int, of key: Key) -> [UInt8]? {
        guard let pieces = pieces(key), pieces.indices.contains(position) else { return nil }
        return pieces[position]
    }

    /// Whether a large image may be gathered for `insert` while it is sent: so much memory may wait on slow clients, and no more.
    func beginGathering(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard state.gatheringBytes + byteCount <= bytesMax / 4 else { return false }
            state.gatheringBytes += byteCount
            return true
        }
    }

    func endGathering(_ byteCount: Int) {
        state.withLock { $0.gatheringBytes -= byteCount }
    }

    /// Keeps the pieces, unless one image would take more than a quarter of the cache.
    func insert(_ pieces: [[UInt8]], _ key: Key) {
        let byteCount = pieces.reduce(0) { $0 + $1.count }
        guard byteCount <= bytesMax / 4 else { return }
        state.withLock { state in
            guard state.entries[key] == nil else { return }
            state.uses += 1
            state.entries[key] = Entry(pieces: pieces, byteCount: byteCount, lastUse: state.uses)
            state.byteCount += byteCount
            if state.byteCount > bytesMax { Self.evict(&state, downTo: bytesMax - bytesMax / 8) }
        }
    }

    /// An eighth at once, so that the order is sorted rarely.
    private static func evict(_ state: inout State, downTo bytesMax: Int) {
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.byteCount > bytesMax else { return }
            state.entries[key] = nil
            state.byteCount -= entry.byteCount
        }
    }
}
