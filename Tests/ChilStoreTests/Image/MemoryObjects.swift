import ChilCore
import ChilStore

/// An object store in memory, which fails when told to.
final class MemoryObjects: ImageObjects, Sendable {
    struct Key: Hashable, Sendable {
        let tenant: TenantID
        let object: ImageObjectID
    }

    private struct State {
        var objects: [Key: [UInt8]] = [:]
        var fault: ImageObjectFault?
        var puts = 0
    }

    private let state = Locked(State())

    var keys: Set<Key> { state.withLock { Set($0.objects.keys) } }
    var puts: Int { state.withLock { $0.puts } }

    /// From the next call on; `nil`: all is well.
    func fail(_ code: ImageObjectFault.Code?) {
        state.withLock { $0.fault = code.map { ImageObjectFault($0, "as told") } }
    }

    func address(of object: ImageObjectID, in tenant: TenantID, mediaType: String) -> String? { nil }

    func put(
        _ bytes: [UInt8],
        as object: ImageObjectID,
        of tenant: TenantID,
        hash: [UInt8],
        mediaType: String
    ) async throws(ImageObjectFault) {
        try check()
        state.withLock {
            $0.objects[Key(tenant: tenant, object: object)] = bytes
            $0.puts += 1
        }
    }

    func bytes(_ range: Range<Int>, of object: ImageObjectID, in tenant: TenantID) async throws(ImageObjectFault)
        -> [UInt8]
    {
        try check()
        guard let bytes = state.withLock({ $0.objects[Key(tenant: tenant, object: object)] }) else {
            throw ImageObjectFault(.missing, "\(object.rawValue)")
        }
        return Array(bytes[range])
    }

    func remove(_ object: ImageObjectID, of tenant: TenantID) async throws(ImageObjectFault) {
        try check()
        state.withLock { _ = $0.objects.removeValue(forKey: Key(tenant: tenant, object: object)) }
    }

    private func check() throws(ImageObjectFault) {
        if let fault = state.withLock({ $0.fault }) { throw fault }
    }
}
