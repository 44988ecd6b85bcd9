/// A request or an answer, without the document behind it (RFC 8010 §3.1).
package struct IPPMessage: Hashable, Sendable {
    package struct Version: Hashable, Sendable, CustomStringConvertible {
        package let major: UInt8
        package let minor: UInt8

        package static let v1_0 = Self(major: 1, minor: 0)
        package static let v1_1 = Self(major: 1, minor: 1)
        package static let v2_0 = Self(major: 2, minor: 0)

        package init(major: UInt8, minor: UInt8) {
            self.major = major
            self.minor = minor
        }

        package var description: String { "\(major).\(minor)" }
    }

    package enum GroupKind: Hashable, Sendable {
        case operation, job, printer, unsupported, subscription, document
        /// Another delimiter (RFC 8010 §3.5.1), by its tag.
        case other(UInt8)
    }

    package struct Group: Hashable, Sendable {
        package let kind: GroupKind
        package var attributes: [IPPAttribute]

        package init(_ kind: GroupKind, _ attributes: [IPPAttribute]) {
            self.kind = kind
            self.attributes = attributes
        }

        /// The values of an attribute; none if it is missing. A name that is there twice is read once (RFC 8011 §4.1.3).
        package func values(of name: String) -> [IPPValue] {
            attributes.first { $0.name == name }?.values ?? []
        }

        package func first(_ name: String) -> IPPValue? { values(of: name).first }
        package func strings(_ name: String) -> [String] { values(of: name).compactMap(\.string) }
    }

    package let version: Version
    /// The operation of a request, the status of an answer.
    package let code: UInt16
    package let requestID: Int32
    package let groups: [Group]

    package init(version: Version, code: UInt16, requestID: Int32, groups: [Group]) {
        self.version = version
        self.code = code
        self.requestID = requestID
        self.groups = groups
    }

    package func first(_ kind: GroupKind) -> Group? { groups.first { $0.kind == kind } }
}

extension IPPMessage.GroupKind {
    var tag: UInt8 {
        switch self {
        case .operation: 0x01
        case .job: 0x02
        case .printer: 0x04
        case .unsupported: 0x05
        case .subscription: 0x06
        case .document: 0x09
        case .other(let tag): tag
        }
    }

    init(tag: UInt8) {
        switch tag {
        case 0x01: self = .operation
        case 0x02: self = .job
        case 0x04: self = .printer
        case 0x05: self = .unsupported
        case 0x06: self = .subscription
        case 0x09: self = .document
        default: self = .other(tag)
        }
    }
}
