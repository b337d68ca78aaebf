/// The limits of hosts and joiners.
///
/// PROTOCOL §12 lists them.
public enum RoomLimits {
    /// Members of a room whose creator states no other limit.
    public static let standardMembers = 128
    /// The number of guesses after which a code ends.
    public static let maximumFailures = 20
    /// Failures after which answers are slow.
    public static let slowFailures = 5
    /// Units: seconds between two answers once they are slow.
    public static let slowInterval: UInt32 = 5
    /// Units: seconds of a code's lifetime.
    public static let codeLife: UInt32 = 600
    /// The number of codes that end with failures before the admission stops.
    public static let maximumExhaustedCodes = 3
    /// The number of joins that may be in progress at a host at once.
    public static let maximumRuns = 32
    /// Units: seconds that an answer waits for its request.
    public static let runLife: UInt32 = 60
    /// The number of joiners that may wait for the user's approval.
    public static let maximumPending = 16
    /// The number of runs of a joiner with one typed code.
    public static let runsPerCode = 3
    /// Units: bytes of the largest content of a reply.
    static let maximumReplyByteCount =
        Padding.buckets[Padding.buckets.count - 1]
        - Padding.envelopeHeaderByteCount - JoinReply.overheadByteCount - Padding.lengthByteCount
}
