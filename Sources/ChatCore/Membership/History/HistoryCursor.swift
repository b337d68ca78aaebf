/// A position in the earlier messages of a group, as one member counts them.
///
/// A new member returns it to continue from there. Cursors go down: the newest message comes first, and of each message
/// its records.
package struct HistoryCursor: Hashable, Sendable {
    /// The cursor above all messages.
    package static let newest = HistoryCursor(place: .max, part: 0)
    /// The cursor of a message without fields, which requests from the top as ``newest`` does; no page ends with it.
    package static let empty = HistoryCursor(place: 0, part: 0)

    /// The position of the message in the asked member's conversation, or the first below it that is taken.
    package let place: UInt64
    /// The number of records of the message at exactly this position that were given already.
    package let part: UInt32

    package init(place: UInt64, part: UInt32) {
        self.place = place
        self.part = part
    }

    /// Whether it is further than another, towards older messages.
    package func isBeyond(_ other: HistoryCursor) -> Bool {
        place == other.place ? part > other.part : place < other.place
    }
}
