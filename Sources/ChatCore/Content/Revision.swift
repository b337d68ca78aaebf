package import ChatCrypto

/// The order of several versions of one thing, all by one author; the greatest is the newest.
///
/// The author counts. If the author uses a number twice, the ids of the messages decide, the same way everywhere.
package struct Revision: Hashable, Comparable, Sendable {
    /// The number of the version, counted from 1.
    package let number: UInt32
    /// The message that carried the version.
    package let id: MessageID

    package init(_ number: UInt32, _ id: MessageID) {
        self.number = number
        self.id = id
    }

    package static func < (left: Revision, right: Revision) -> Bool {
        (left.number, left.id) < (right.number, right.id)
    }
}
