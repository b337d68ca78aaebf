/// The limits of the earlier messages of groups; PROTOCOL §12 lists them with their reasons.
package enum EarlierMessageLimits {
    /// The most records in one page.
    package static let recordCount = 256
    /// The most bytes of all records of one page; with the rest of the page they fit into a handshake message.
    ///
    /// Units: bytes.
    package static let recordsByteCount = 14_800
    /// The number of messages that are read for one page.
    package static let scanCount = 512
    /// The number of pages of that size that are read to find whether a new member may have a file.
    package static let shareScanCount = 8
    /// The most pages that a new member accepts, from all members and for one group.
    package static let pageCount = 2_048
    /// The most bytes of all pages that a new member accepts for one group.
    ///
    /// Units: bytes.
    package static let pullByteCount = 16 << 20
    /// The most new members whose requests wait for an answer; beyond them none is kept.
    package static let waitingCount = 256
    /// The most new members that a node remembers to have answered; the one answered longest ago makes room.
    package static let answerCount = 1_024
    /// The most pages that one new member is given, however often it asks: twice as many as it accepts.
    package static let answerPageCount = 2 * UInt32(pageCount)
    /// The least time between two pages that a node gives, to all new members together.
    package static let answerInterval = Duration.milliseconds(100)
    /// The time after joining, and after a start, at which a new member sends its first request.
    package static let askDelay = Duration.seconds(1)
    /// The time for which a new member waits for its first answer; each further wait is twice as long.
    package static let firstPause = Duration.seconds(15)
    /// The longest time between two requests.
    package static let longestPause = Duration.seconds(600)
    /// The number of requests without an answer after which another member is asked.
    package static let silenceCount = 2
    /// The time for which a new member sends requests, and is given late messages; keys are kept as long.
    ///
    /// Units: milliseconds.
    package static let age: UInt64 = 8 * 86_400_000
    /// The number of positions left free below the first message of a new member, for the earlier ones.
    package static let placeCount: UInt64 = 1 << 32
}
