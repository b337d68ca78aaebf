/// The limits on what a hub can make a gateway keep.
enum HubLimits {
    /// Units: bytes of one message; a hub passes no larger ones.
    static let messageByteCount = 24_576
    /// The messages that wait in this process.
    static let waitingCount = 8_192
    /// Units: bytes of the messages that wait in this process.
    static let waitingByteCount = 8 << 20
    /// The time until a hub that takes no connection counts as silent.
    static let connectTime = Duration.seconds(10)
    /// The time until a hub that reads nothing counts as lost.
    ///
    /// Units: milliseconds.
    static let writeMilliseconds: Int64 = 5_000
    /// The time between two signs that the connection works; two without an answer end it.
    ///
    /// Units: milliseconds.
    static let pingMilliseconds: Int64 = 20_000
    /// The time in which a hub answers a question.
    static let answerTime = Duration.seconds(5)
    /// The questions of one job.
    static let questionCount: UInt64 = 16
    /// Units: Unicode scalars of a text of a hub that people are shown.
    static let reasonScalarCount = 200
}
