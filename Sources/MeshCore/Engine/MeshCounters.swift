/// What an engine has counted since its start: plain numbers by classes that name nobody.
public struct MeshCounters: Sendable, Equatable {
    /// Links that came up.
    public internal(set) var linksUp = 0
    /// Links that ended, by reason.
    public internal(set) var linksEnded: [LinkEnd: Int] = [:]
    /// Dials that nobody answered in time.
    public internal(set) var failedDials = 0
    /// Envelopes of others that were never here before.
    public internal(set) var newEnvelopes = 0
    /// Units: bytes of messages that links took to be sent, by lane.
    public internal(set) var sentByteCounts: [Lane: Int] = [:]
    /// Units: bytes of messages that came by links, by lane.
    public internal(set) var receivedByteCounts: [Lane: Int] = [:]
    /// How often the component was found to be another than before, or to have lost its root.
    public internal(set) var componentChanges = 0
    /// Copies of others' envelopes that links took.
    public internal(set) var relayedCopies = 0
    /// Live datagrams that links took to be sent.
    public internal(set) var sentLive = 0
    /// Live datagrams that came by links.
    public internal(set) var receivedLive = 0
    /// What the spreading of envelopes has counted.
    public internal(set) var router = RouterCounters()
    /// Envelopes that had to go for want of room.
    public internal(set) var evictedEnvelopes = 0
    /// Envelopes that went since they have arrived.
    public internal(set) var releasedEnvelopes = 0
    /// Labels of paths in use that there was suddenly no way to any more.
    public internal(set) var lostPaths = 0
}
