/// A row's number: positive, at most 53 bits, so that JSON readers that keep numbers as doubles lose nothing.
///
/// The phantom `Kind` makes a user's number and a drawing's number two types; nothing is stored for it.
package struct Identifier<Kind>: Hashable, Comparable, Sendable {
    package let rawValue: Int64

    @inlinable
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

package enum TenantKind {}
package enum UserKind {}
package enum SessionKind {}
package enum DrawingKind {}
package enum PrinterKind {}
package enum PrintJobKind {}
package enum ProviderKind {}
package enum WorkKind {}
package enum ScannerKind {}
package enum ScanKind {}
package enum ImageObjectKind {}

package typealias TenantID = Identifier<TenantKind>
package typealias UserID = Identifier<UserKind>
package typealias SessionID = Identifier<SessionKind>
package typealias DrawingID = Identifier<DrawingKind>
package typealias PrinterID = Identifier<PrinterKind>
package typealias PrintJobID = Identifier<PrintJobKind>
package typealias ProviderID = Identifier<ProviderKind>
package typealias WorkID = Identifier<WorkKind>
package typealias ScannerID = Identifier<ScannerKind>
package typealias ScanID = Identifier<ScanKind>
package typealias ImageObjectID = Identifier<ImageObjectKind>
