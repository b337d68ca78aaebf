/// The numbers that bound what sessions keep and do; PROTOCOL §12 lists them.
public enum SessionLimits {
    /// Messages that one message may be ahead of the last in its chain.
    public static let maximumGap: UInt32 = 1_000
    /// Skipped message keys that a session keeps.
    public static let maximumSkippedKeys = 2_000
    /// Finished chains of which a session keeps skipped keys; each is one more key to try on every packet.
    public static let maximumSkippedChains = 256
    /// Units: seconds that skipped keys and retired sessions are kept.
    public static let receiveOnlySeconds: UInt32 = 8 * 86_400
    /// The last message number of a chain.
    public static let maximumMessageNumber: UInt32 = 65_535
    /// Sessions with one peer.
    public static let maximumSessionsPerPeer = 4
    /// Peers with sessions, before flights from further strangers are refused.
    public static let maximumPeers = 4_096
    /// First flights of one peer that one prekey takes, whoever it is.
    public static let flightsPerPeerAndPrekey = 64
    /// First flights of strangers that one prekey takes; from half of it on, the next prekey is due.
    public static let strangerFlightsPerPrekey = 1_024
    /// Records that one step of expiry changes at most; the next step goes on.
    public static let maximumExpiriesPerStep = 1_000
    /// Units: bytes of content in the largest envelope of a session that the peer has answered.
    public static let maximumContentByteCount = 16_263
    /// Units: bytes of content in the largest envelope that carries a first flight as well.
    public static let maximumFirstContentByteCount = 16_110
}
