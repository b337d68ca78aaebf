import MeshCore

/// The limits of streams.
///
/// Source: PROTOCOL §3.6, §12.
enum StreamLimits {
    /// The largest datagram in a frame.
    ///
    /// Units: bytes.
    static let datagramByteCount = LinkProtocol.maximumDatagramByteCount
    /// The size of the length before each datagram.
    ///
    /// Units: bytes.
    static let headerByteCount = 2
    /// The largest number of streams that this node opens.
    static let openedCount = 8
    /// The largest number of streams that others opened, and of carriers on which this node listens.
    static let acceptedCount = 8
    /// The largest number of streams that one other machine opened.
    static let acceptedPerAddress = 2
    /// The bytes that are read from a stream in one turn of the event loop.
    static let readByteCount = 8 << 10
    /// The bytes that may always wait for a stream.
    static let leastWaitingByteCount = 4 << 10
    /// The bytes that may wait for the fastest stream.
    static let mostWaitingByteCount = 256 << 10
    /// The time within which a stream should take all that waits, by its latest speed.
    static let waitingSpan = Duration.milliseconds(250)
    /// The bytes that the system may keep back for a connection or a command.
    ///
    /// Units: bytes; the least of what a pipe has.
    static let systemByteCount: CInt = 4 << 10
    /// The time for which a stream may be without a link, and one that this node opened before its first link.
    static let acceptedPatience = Duration.seconds(10)
    static let openedPatience = Duration.seconds(60)
    /// The time within which a connection is made.
    static let connectionTime = Duration.seconds(10)
    /// The wait before a stream is opened again, which doubles up to the longest.
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)
    /// The time that a command has to end by itself after its streams are closed, and after the request to end.
    static let endingTime = Duration.milliseconds(500)
}
