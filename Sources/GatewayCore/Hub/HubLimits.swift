/// The limits on what a hub can make a gateway keep.
package enum HubLimits {
    /// Units: bytes of one message with its headers; a hub passes no larger ones.
    package static let messageByteCount = 24_576
    /// Units: bytes of a line of the protocol, except INFO.
    package static let lineByteCount = 4_096
    /// Units: bytes of the line INFO, by which a hub describes itself.
    package static let infoByteCount = 32_768
    /// Units: bytes of a subject.
    package static let subjectByteCount = 255
    /// The subjects of mail that one connection subscribes to.
    package static let subscriptionCount = 8_192
    /// The messages that wait in this process; at half of them the hub is read no further.
    package static let waitingCount = 8_192
    /// Units: bytes of the messages that wait in this process; at half of them the hub is read no further.
    package static let waitingByteCount = 8 << 20
    /// Units: bytes that wait until the hub reads them; more end the connection.
    package static let backlogByteCount = 4 << 20
    /// Units: bytes that are written at once; the hub must read so many in the time of a write.
    package static let chunkByteCount = 16_384
    /// The signs of life that may lack an answer.
    package static let pingCount = 2
    /// The time in which a hub answers a question.
    package static let answerTime = Duration.seconds(5)
    /// The questions of one job.
    package static let questionCount: UInt64 = 16
    /// Units: Unicode scalars of a text of a hub that people are shown.
    package static let reasonScalarCount = 200
}
