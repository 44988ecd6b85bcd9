import ChilDatabase
import ChilExport
import ChilStore
import Foundation

/// Every statement that the programs can send: all types of our modules that conform to `Statement`, private ones too, found in this
/// executable's own protocol conformances (`swift/docs/ABI/TypeMetadata.rst`, "Protocol Conformance Records"). A new one is in it by
/// itself; nobody can forget to enter it.
enum StatementRegister {
    struct Entry: Sendable {
        /// `ChilStore.SignIn`.
        let name: String
        let text: String
        /// For several callers at once: sent in the implicit form alone.
        let gathered: String?
    }

    static let all: [Entry] = conforming.compactMap { type in
        let name = String(reflecting: type).replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
        let module = name.prefix { $0 != "." }
        guard module.hasPrefix("Chil"), !module.hasSuffix("Tests"), !module.hasSuffix("TestSupport") else { return nil }
        return Entry(name: name, text: type.sql.text, gathered: type.gathered?.text)
    }.sorted { $0.name < $1.name }

    /// Generic statements cannot be made without their parameters; there are none, and `StatementRegisterTests` says so.
    static let genericCount = records.count { $0.isStatement && $0.type == nil && !$0.module.hasSuffix("Tests") }

    private static var conforming: [any Statement.Type] {
        records.compactMap { record in record.isStatement ? record.type as? any Statement.Type : nil }
    }

    private static var records: [ConformanceRecord] {
        typealias Visit = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool
        typealias Enumerate = @convention(c) (Visit, UnsafeMutableRawPointer) -> Void
        guard let symbol = dlsym(nil, "swift_enumerateAllMetadataSections") else { return [] }
        let enumerate = unsafeBitCast(symbol, to: Enumerate.self)
        var sections: [UnsafeRawBufferPointer] = []
        withUnsafeMutablePointer(to: &sections) { sections in
            enumerate(
                { image, found in
                    // MetadataSections: version, base address, two unused words, then ranges: protocols, protocol conformances, …
                    let words = image.assumingMemoryBound(to: Int.self)
                    let start = UnsafeRawPointer(bitPattern: words[6])
                    found.assumingMemoryBound(to: [UnsafeRawBufferPointer].self).pointee
                        .append(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : words[7]))
                    return true
                },
                sections
            )
        }
        return sections.flatMap { section in
            stride(from: 0, to: section.count, by: 4).map { offset in
                ConformanceRecord(ConformanceRecord.follow(section.baseAddress! + offset))
            }
        }
    }
}

/// A type and a protocol that it conforms to.
private struct ConformanceRecord {
    let isStatement: Bool
    /// `nil`: generic, or not described here.
    let type: Any.Type?
    /// Which has the type.
    let module: String

    init(_ descriptor: UnsafeRawPointer) {
        let isOurs = Self.followIndirectly(descriptor).map { Self.name(of: $0) == "Statement" } ?? false
        let referenceKind = descriptor.load(fromByteOffset: 12, as: UInt32.self) >> 3 & 7
        isStatement = isOurs
        let isDescribed = isOurs && referenceKind <= 1
        type = isDescribed ? Self.type(descriptor + 4, isIndirect: referenceKind == 1) : nil
        module = isDescribed ? Self.module(of: Self.described(descriptor + 4, isIndirect: referenceKind == 1)) : ""
    }

    private static func described(_ field: UnsafeRawPointer, isIndirect: Bool) -> UnsafeRawPointer {
        isIndirect ? follow(field).load(as: UnsafeRawPointer.self) : follow(field)
    }

    /// The outermost context: its kind, the lowest five bits of the flags, is 0.
    private static func module(of descriptor: UnsafeRawPointer) -> String {
        var context = descriptor
        while context.load(as: UInt32.self) & 0x1f != 0, let parent = followIndirectly(context + 4) { context = parent }
        return name(of: context)
    }

    private static func type(_ field: UnsafeRawPointer, isIndirect: Bool) -> Any.Type? {
        let described = described(field, isIndirect: isIndirect)
        let isGeneric = described.load(as: UInt32.self) & 0x80 != 0
        guard !isGeneric else { return nil }
        typealias Access = @convention(c) (Int) -> UnsafeRawPointer
        let access = unsafeBitCast(follow(described + 12), to: Access.self)
        return unsafeBitCast(access(0), to: Any.Type.self)
    }

    /// The name in a context descriptor, behind flags and parent.
    private static func name(of descriptor: UnsafeRawPointer) -> String {
        String(cString: follow(descriptor + 8).assumingMemoryBound(to: CChar.self))
    }

    /// A 32-bit offset from where it stands.
    static func follow(_ field: UnsafeRawPointer) -> UnsafeRawPointer {
        field + Int(field.load(as: Int32.self))
    }

    /// The same, whose lowest bit says that a pointer lies there. `nil`: to nothing.
    private static func followIndirectly(_ field: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = Int(field.load(as: Int32.self))
        guard offset & 1 != 0 else { return field + offset }
        return (field + (offset & ~1)).load(as: UnsafeRawPointer?.self)
    }
}
