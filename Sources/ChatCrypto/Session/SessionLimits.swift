/// The limits of session state and session work.
///
/// PROTOCOL §12 lists them.
public enum SessionLimits {
    /// The number of messages by which one message may be ahead of the last one in its chain.
    public static let maximumGap: UInt32 = 1_000
    /// Skipped message keys that a session keeps.
    public static let maximumSkippedKeys = 2_000
    /// Finished chains of which a session keeps skipped keys; each is one more key to try on every packet.
    public static let maximumSkippedChains = 256
    /// Units: seconds that skipped keys and retired sessions are kept.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// The last message number of a chain.
    public static let maximumMessageNumber: UInt32 = 65_534
    /// Units: seconds after which a session is replaced, so that a thief of its keys loses what is sent, and the mailboxes.
    public static let renewalSeconds: UInt32 = 30 * 86_400
    /// Units: seconds after which a key exchange that does not get through takes messages of its own size.
    public static let slowExchangeSeconds: UInt32 = 7 * 86_400
    /// Units: seconds between two such messages.
    public static let wideMessageSeconds: UInt32 = 86_400
    /// Sessions with one peer.
    public static let maximumSessionsPerPeer = 4
    /// Peers with sessions, before prekey messages from further unknown peers are refused.
    public static let maximumPeers = 4_096
    /// Prekey messages of one peer, known or unknown, that one prekey accepts.
    public static let messagesPerPeerAndPrekey = 64
    /// Prekey messages of unknown peers that one prekey accepts.
    ///
    /// From half of this number on, the next prekey is due.
    public static let unknownPeerMessagesPerPrekey = 1_024
    /// Records that one step of expiry changes at most; the next step continues.
    public static let maximumExpiriesPerStep = 1_000
    /// Units: bytes of all items in the largest envelope of a session that the peer has answered.
    public static let maximumItemsByteCount = 16_262
    /// Units: bytes of all items in the largest envelope that also carries a prekey message.
    public static let maximumFirstItemsByteCount = 15_005
    /// Units: bytes of one content in the largest envelope; the item begins with 2 bytes of length.
    public static let maximumContentByteCount = maximumItemsByteCount - 2
    /// Units: bytes of one content in the largest envelope that also carries a prekey message.
    public static let maximumFirstContentByteCount = maximumFirstItemsByteCount - 2
}
