/// A genuine message whose effect is not committed yet.
public struct OpenedMessage: Sendable {
    /// The contents from the sender, in their order; none if the message ends the session.
    public let contents: [[UInt8]]
    /// The sender of the message; it is certain: nothing in the content can contradict it.
    public let sender: PublicIdentity
    /// The session on which the message arrived.
    public let sessionID: SessionID
    /// Whether the message arrived with a prekey message that this node has not seen before.
    public let isPrekeyMessage: Bool
    /// The delivery proof to publish once the message is stored; nil for kinds that no node stores.
    public let deliveryProof: DeliveryProof?

    /// Whether the peer has ended this session.
    ///
    /// `commit` then erases the session's keys.
    public var isEnd: Bool { contents.isEmpty }

    let session: Session
    let replay: ReplayCache.Entry?
    /// The revision of the peer's sessions at the time of opening.
    let revision: UInt64?
    let packet: InboundPacket
    let openedAt: UInt32
}
