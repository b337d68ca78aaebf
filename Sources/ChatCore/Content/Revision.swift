package import ChatCrypto

/// Which of several versions of one thing, all by one author, is the newest.
///
/// The author counts; should it count one number twice, the ids of the messages decide, the same way everywhere.
package struct Revision: Hashable, Comparable, Sendable {
    /// Counts from 1.
    package let number: UInt32
    /// The message that brought the version.
    package let id: MessageID

    package init(_ number: UInt32, _ id: MessageID) {
        self.number = number
        self.id = id
    }

    package static func < (left: Revision, right: Revision) -> Bool {
        (left.number, left.id) < (right.number, right.id)
    }
}
