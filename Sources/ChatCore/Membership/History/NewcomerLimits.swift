/// The limits of what newcomers to groups are given; PROTOCOL §12 lists them with their reasons.
package enum NewcomerLimits {
    /// Records in one page.
    package static let recordCount = 256
    /// Units: bytes of all records of one page, which with the rest of it fits a first flight.
    package static let recordsByteCount = 16_000
    /// Messages looked at for one page.
    package static let scanCount = 512
    /// So many times as many are looked at to find whether a newcomer may have a file.
    package static let giveScanCount = 8
    /// Pages that a newcomer takes, of all members and for one group.
    package static let pageCount = 2_048
    /// Units: bytes of all pages that a newcomer takes for one group.
    package static let pullByteCount = 16 << 20
    /// Newcomers whose requests wait to be answered; beyond them none is kept.
    package static let waitingCount = 256
    /// Newcomers that a node remembers having answered; the one answered longest ago makes room.
    package static let answerCount = 1_024
    /// Pages that one newcomer is given, as often as it asks: twice what it takes.
    package static let answerPageCount = 2 * UInt32(pageCount)
    /// The least time between two pages that a node gives, whoever asks.
    package static let answerInterval = Duration.milliseconds(100)
    /// How long after joining, and after a start, a newcomer asks.
    package static let askDelay = Duration.seconds(1)
    /// How long a newcomer waits for an answer at first; doubling.
    package static let firstPause = Duration.seconds(15)
    /// The longest time between two requests.
    package static let longestPause = Duration.seconds(600)
    /// Requests without an answer after which another member is asked.
    package static let silenceCount = 2
    /// Units: milliseconds for which a newcomer asks, and is told what comes late (8 days, as long as keys are kept).
    package static let age: UInt64 = 8 * 86_400_000
    /// Places left free below the first message of a newcomer, for those from before it came.
    package static let placeCount: UInt64 = 1 << 32
}
