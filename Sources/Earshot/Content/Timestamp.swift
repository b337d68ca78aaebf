package import Foundation

/// A moment of a wall clock between 1970 and the end of the year 9999.
///
/// A number from a peer, an archive or a disk is clamped into this span, so that neither a conversion nor a sum traps.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// The last moment of the year 9999, beyond which RFC 3339 has no text.
    package static let latest = Timestamp(clamping: 253_402_300_799_999)

    /// Units: milliseconds since 1970.
    package let milliseconds: UInt64

    /// Takes the nearest moment of the span.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970.
    package init(clamping milliseconds: UInt64) {
        self.milliseconds = min(milliseconds, 253_402_300_799_999)
    }

    /// Takes the nearest millisecond of the span; 1970 for a date that is not a number.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.init(clamping: milliseconds > 0 ? UInt64(exactly: min(milliseconds, 1e15)) ?? 0 : 0)
    }

    /// The moment as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// The moment as RFC 3339 with milliseconds in UTC.
    package var text: String {
        // The half millisecond keeps a binary fraction just below from being cut down to the one before.
        Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
