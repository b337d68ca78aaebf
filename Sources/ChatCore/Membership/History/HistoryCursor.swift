/// A place in the history of a group, as one member keeps it: a newcomer gives it back to go on from there.
///
/// It goes down: the newest message comes first, and of each message its records.
package struct HistoryCursor: Hashable, Sendable {
    /// Above all messages.
    package static let newest = HistoryCursor(place: .max, part: 0)
    /// The message without fields, which asks from the top as ``newest`` does; no page ends with it.
    package static let empty = HistoryCursor(place: 0, part: 0)

    /// The place of the message in the conversation of who is asked, or the first below it that has one.
    package let place: UInt64
    /// How many records of the message at that very place were given already.
    package let part: UInt32

    package init(place: UInt64, part: UInt32) {
        self.place = place
        self.part = part
    }

    /// Whether it is further than another, towards what is older.
    package func isBeyond(_ other: HistoryCursor) -> Bool {
        place == other.place ? part > other.part : place < other.place
    }
}
