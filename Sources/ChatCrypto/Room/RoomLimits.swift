/// The numbers that bound what hosts and joiners do; PROTOCOL §12 lists them.
public enum RoomLimits {
    /// Guesses that one code stands.
    public static let maximumFailures = 20
    /// Failures after which answers are slow.
    public static let slowFailures = 5
    /// Units: seconds between two answers once they are slow.
    public static let slowInterval: UInt32 = 5
    /// Units: seconds that a code lives.
    public static let codeLife: UInt32 = 600
    /// Codes that end with failures before the door shuts.
    public static let maximumBurntCodes = 3
    /// Joins that a host has under way at once.
    public static let maximumRuns = 32
    /// Units: seconds that an answer waits for its request.
    public static let runLife: UInt32 = 60
    /// Joiners who wait for the user's approval.
    public static let maximumPending = 16
    /// Runs of a joiner with one typed code.
    public static let runsPerCode = 3
    /// Units: bytes of the largest content of a reply.
    static let maximumReplyByteCount =
        Padding.buckets[Padding.buckets.count - 1]
        - Padding.envelopeHeaderByteCount - JoinReply.overheadByteCount - 1
}
