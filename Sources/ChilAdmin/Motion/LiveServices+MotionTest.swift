import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilMotion
import ChilStore
import Glibc

extension LiveServices: MotionServices {
    func testMotion(_ number: ImageEndpointNumber, of slug: Slug, _ draft: MotionTestDraft) async throws(AdminFault)
        -> MotionTestRow
    {
        let tenant = try await record(of: slug)
        let endpoint = try await storedEndpoint(number, .motion, of: tenant)
        let (drawing, mediaType) = try drawing(in: draft.image)
        guard let url = MotionService.address(of: endpoint.url) else {
            throw AdminFault(.dataRefused, "'\(endpoint.url)' is no base of a service", remedy: "Give another --url.")
        }
        let key = try openedKey(of: endpoint, in: tenant)
        let field = MotionOptions(parsing: endpoint.options)?.field ?? .motionType
        let begun = now()
        let outcome = await LoopHome(try loop()).run { loop in
            let service = MotionService(
                at: url,
                allowing: endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) },
                field: field,
                key: key,
                patience: endpoint.timeout,
                on: loop
            )
            do throws(MotionFault) {
                return Result<MotionGIF, MotionFault>.success(
                    try await service.gif(of: drawing, mediaType, draft.motion)
                )
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .failure(let fault):
            throw AdminFault(
                .failed,
                "no GIF: \(fault)",
                remedy: fault.code.isOfDrawing
                    ? "Try another --image: one figure, from the front." : "Its log may say more."
            )
        case .success(let gif):
            if let out = draft.out, !(try SecretFile(path: out).place(SecretBytes(copying: gif.bytes))) {
                throw AdminFault(.outputNotMade, "there is a file '\(out)' already", remedy: "Name another --out.")
            }
            return MotionTestRow(
                id: endpoint.id.rawValue,
                milliseconds: (now() - begun).wholeMicroseconds / 1_000,
                width: Int64(gif.facts.width),
                height: Int64(gif.facts.height),
                frames: Int64(gif.facts.frameCount),
                byteCount: Int64(gif.bytes.count)
            )
        }
    }

    private func drawing(in path: String) throws(AdminFault) -> ([UInt8], ChilMedia.MediaType) {
        let bytes = try contents(of: path)
        do throws(ImageFault) {
            return (bytes, try ImageProbe.facts(of: bytes).mediaType)
        } catch {
            throw AdminFault(.dataRefused, "'\(path)' is no drawing: \(error)", remedy: "Name a PNG or JPEG.")
        }
    }

    /// A file of at most as many bytes as a drawing may have.
    private func contents(of path: String) throws(AdminFault) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw AdminFault(
                .dataRefused,
                "'\(path)' cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Name a drawing: --image FILE."
            )
        }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        let bytesMax = ImageLimits.standard.byteCountMax
        while bytes.count <= bytesMax {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        throw AdminFault(.dataRefused, "'\(path)' has more than \(bytesMax) bytes", remedy: "Name a smaller drawing.")
    }
}
