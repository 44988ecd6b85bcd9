/// A moment: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time). Never read from a clock here.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    @inlinable
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    @inlinable
    package init(seconds: Int64) {
        self.microseconds = seconds * 1_000_000
    }

    /// Whole seconds, rounded down: the `NumericDate` of RFC 7519 §2.
    @inlinable
    package var seconds: Int64 {
        microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    @inlinable
    package static func + (moment: Self, length: Duration) -> Self {
        Self(microseconds: moment.microseconds + length.wholeMicroseconds)
    }

    @inlinable
    package static func - (moment: Self, length: Duration) -> Self {
        Self(microseconds: moment.microseconds - length.wholeMicroseconds)
    }

    @inlinable
    package static func - (later: Self, earlier: Self) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    /// The length in microseconds, rounded towards zero.
    @inlinable
    package var wholeMicroseconds: Int64 {
        Int64(attoseconds / 1_000_000_000_000)
    }
}
