/// A genuine message, before anything has changed.
public struct OpenedMessage: Sendable {
    /// What the sender wrote; empty where the message ends the session.
    public let content: [UInt8]
    /// Who wrote it; certain, and nothing in the content can say otherwise.
    public let sender: PublicIdentity
    /// The session it came on.
    public let sessionID: SessionID
    /// Whether it came with a first flight that was not seen before.
    public let isFirstFlight: Bool
    /// What to publish once the message is stored; nil for kinds that nobody stores.
    public let preimage: ReleasePreimage?

    /// Whether the peer has ended this session; committing it erases the session's keys.
    public var isEnd: Bool { content.isEmpty }

    let session: Session
    let replay: ReplayCache.Entry?
    /// What the peer's sessions were when this was opened.
    let revision: UInt64?
    let packet: InboundPacket
    let openedAt: UInt32
}
