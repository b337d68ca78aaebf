import MeshCore

/// The count of the bytes that wait for a stream, which tells whether one more datagram may wait.
///
/// A datagram for which there is no room is dropped, as a router does it: the link then sends more slowly. Without a
/// limit a slow line would be seconds behind, and links on it would end.
struct StreamQueue {
    /// Units: bytes.
    private(set) var byteCount = 0
    private var spanEnd = MeshInstant.zero
    private var taken = 0
    private var takenBefore = 0

    /// The bytes that may wait: those that the stream took in the better of the present and the last span.
    ///
    /// Units: bytes.
    var limit: Int {
        min(max(taken, takenBefore, StreamLimits.leastWaitingByteCount), StreamLimits.mostWaitingByteCount)
    }

    /// Adds the bytes of one frame; returns false if there is no room for them.
    mutating func add(_ count: Int, now: MeshInstant) -> Bool {
        advance(to: now)
        guard byteCount + count <= limit else { return false }
        byteCount += count
        return true
    }

    /// Notes that the stream has taken bytes.
    mutating func take(_ count: Int, now: MeshInstant) {
        advance(to: now)
        byteCount = max(0, byteCount - count)
        taken += count
    }

    private mutating func advance(to now: MeshInstant) {
        guard now >= spanEnd else { return }
        let isNext = spanEnd.duration(to: now) < StreamLimits.waitingSpan
        (takenBefore, taken) = (isNext ? taken : 0, 0)
        spanEnd = now.advanced(by: StreamLimits.waitingSpan)
    }
}
