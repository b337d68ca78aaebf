/// The limits of the earlier messages of groups; PROTOCOL §12 lists them with their reasons.
package enum NewcomerLimits {
    /// Records in one page.
    package static let recordCount = 256
    /// Units: bytes of all records of one page, which with the rest of it fits a handshake message.
    package static let recordsByteCount = 16_000
    /// Messages that are read for one page.
    package static let scanCount = 512
    /// Pages of so many messages that are read to find whether a new member may have a file.
    package static let giveScanCount = 8
    /// Pages that a new member takes, of all members and for one group.
    package static let pageCount = 2_048
    /// Units: bytes of all pages that a new member takes for one group.
    package static let pullByteCount = 16 << 20
    /// New members whose requests wait for an answer; beyond them none is kept.
    package static let waitingCount = 256
    /// New members that a node remembers to have answered; the one answered longest ago makes room.
    package static let answerCount = 1_024
    /// Pages that one new member is given, however often it asks: twice as many as it takes.
    package static let answerPageCount = 2 * UInt32(pageCount)
    /// The least time between two pages that a node gives, to all new members together.
    package static let answerInterval = Duration.milliseconds(100)
    /// The time after joining, and after a start, at which a new member asks.
    package static let askDelay = Duration.seconds(1)
    /// The time for which a new member waits for its first answer; each further wait is twice as long.
    package static let firstPause = Duration.seconds(15)
    /// The longest time between two requests.
    package static let longestPause = Duration.seconds(600)
    /// Requests without an answer after which another member is asked.
    package static let silenceCount = 2
    /// Units: milliseconds for which a new member asks, and is given messages that come late; keys are kept as long.
    package static let age: UInt64 = 8 * 86_400_000
    /// Positions left free below the first message of a new member, for the earlier ones.
    package static let placeCount: UInt64 = 1 << 32
}
