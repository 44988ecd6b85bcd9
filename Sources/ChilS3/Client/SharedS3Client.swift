package import ChilCore
package import ChilLoop
package import ChilStore

/// `S3Client` for callers from outside a loop: each call hops to the loop and back.
package struct SharedS3Client: ImageObjects, Sendable {
    private let place: S3Place
    private let home: LoopHome

    package init(_ place: S3Place, on loop: EventLoop) {
        self.place = place
        home = LoopHome(loop)
    }

    package func check() async throws(ImageObjectFault) {
        try await run { client async throws(ImageObjectFault) in try await client.check() }
    }

    package func put(
        _ bytes: [UInt8],
        as object: ImageObjectID,
        of tenant: TenantID,
        hash: [UInt8],
        mediaType: String
    ) async throws(ImageObjectFault) {
        try await run { client async throws(ImageObjectFault) in
            try await client.put(bytes, as: object, of: tenant, hash: hash, mediaType: mediaType)
        }
    }

    package func bytes(_ range: Range<Int>, of object: ImageObjectID, in tenant: TenantID)
        async throws(ImageObjectFault) -> [UInt8]
    {
        try await run { client async throws(ImageObjectFault) in
            try await client.bytes(range, of: object, in: tenant)
        }
    }

    /// Commands read themselves.
    package func address(of object: ImageObjectID, in tenant: TenantID, mediaType: String) -> String? { nil }

    package func remove(_ object: ImageObjectID, of tenant: TenantID) async throws(ImageObjectFault) {
        try await run { client async throws(ImageObjectFault) in try await client.remove(object, of: tenant) }
    }

    private func run<Value: Sendable>(_ call: @Sendable (S3Client) async throws(ImageObjectFault) -> Value)
        async throws(ImageObjectFault) -> Value
    {
        let place = place
        let result = await home.run { loop -> Result<Value, ImageObjectFault> in
            do throws(ImageObjectFault) {
                return .success(try await call(S3Client(place, on: loop)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
