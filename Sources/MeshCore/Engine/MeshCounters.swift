/// The counters of an engine since its start: plain numbers by class, without identities.
public struct MeshCounters: Sendable, Equatable {
    /// Links that came up.
    public internal(set) var linksUp = 0
    /// Links that ended, by reason.
    public internal(set) var linksEnded: [LinkCloseReason: Int] = [:]
    /// Dials without an answer in time.
    public internal(set) var failedDials = 0
    /// Envelopes from other nodes that were new here.
    public internal(set) var newEnvelopes = 0
    /// The size of the messages that links accepted for sending, by lane.
    ///
    /// Units: bytes.
    public internal(set) var sentByteCounts: [Lane: Int] = [:]
    /// The size of the messages received on links, by lane.
    ///
    /// Units: bytes.
    public internal(set) var receivedByteCounts: [Lane: Int] = [:]
    /// Copies of other nodes' envelopes that links accepted.
    public internal(set) var relayedCopies = 0
    /// Live datagrams that links accepted for sending.
    public internal(set) var sentLive = 0
    /// Live datagrams received on links.
    public internal(set) var receivedLive = 0
    /// The counters of the router.
    public internal(set) var router = RouterCounters()
    /// Envelopes evicted to make room.
    public internal(set) var evictedEnvelopes = 0
    /// Envelopes removed because they have been delivered.
    public internal(set) var releasedEnvelopes = 0
    /// Labels of paths in use that became unreachable.
    public internal(set) var lostPaths = 0
}
