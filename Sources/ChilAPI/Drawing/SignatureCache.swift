import CLinux
import ChilCore
import Glibc

/// Signatures made within the hour, by drawing: lists show the same drawings again and again, and a signature costs as much as the
/// rest of its row. A table of fixed places, the newer signature taking the place of the older; its memory is touched place by
/// place, so that an idle service has none of it. Not `Sendable`; one per loop.
final class SignatureCache {
    /// What a signature was made of, whole: two drawings never share one.
    private struct Place {
        var tenant: Int64
        var drawing: Int64
        var expiry: Int64
        var hash: (UInt64, UInt64, UInt64, UInt64)
        /// 22 letters of base64url.
        var text: (UInt64, UInt64, UInt64)
    }

    static let textBytes = 22
    private static let placeCount = 1 << 15
    private let places: UnsafeMutablePointer<Place>

    init?() {
        guard let memory = calloc(Self.placeCount, MemoryLayout<Place>.stride) else { return nil }
        places = memory.bindMemory(to: Place.self, capacity: Self.placeCount)
    }

    deinit {
        free(places)
    }

    /// Has a drawing's place fetched: the table is larger than what a core keeps near it, and all places of a list come sooner when
    /// they are asked for together than one by one.
    func expect(tenant: TenantID, drawing: DrawingID) {
        let place = UnsafeRawPointer(place(tenant, drawing))
        chil_prefetch(place)
        chil_prefetch(place + MemoryLayout<Place>.size - 1)
    }

    private func place(_ tenant: TenantID, _ drawing: DrawingID) -> UnsafeMutablePointer<Place> {
        let mixed = UInt64(bitPattern: drawing.rawValue &+ tenant.rawValue &* 31) &* 0x9e37_79b9_7f4a_7c15
        return places + Int(mixed >> (64 - 15))
    }

    /// Appends the signature's text: the one kept, else what `make` answers.
    func append(
        to bytes: inout ByteCursor,
        tenant: TenantID,
        drawing: DrawingID,
        hash: UnsafeRawBufferPointer,
        expiry: Int64,
        _ make: () -> [UInt8]
    ) {
        guard hash.count == 32 else { return bytes.append(bytes: make()) }
        let content = hash.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
        let place = place(tenant, drawing)
        if place.pointee.drawing != drawing.rawValue || place.pointee.expiry != expiry
            || place.pointee.tenant != tenant.rawValue || place.pointee.hash != content
        {
            let text = make()
            guard text.count == Self.textBytes else { return bytes.append(bytes: text) }
            place.pointee = Place(
                tenant: tenant.rawValue,
                drawing: drawing.rawValue,
                expiry: expiry,
                hash: content,
                text: (0, 0, 0)
            )
            withUnsafeMutableBytes(of: &place.pointee.text) { $0.copyBytes(from: text) }
        }
        withUnsafeBytes(of: &place.pointee.text) {
            bytes.append(raw: UnsafeRawBufferPointer(rebasing: $0[..<Self.textBytes]))
        }
    }
}
