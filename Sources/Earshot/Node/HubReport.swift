public import ChatCore

/// The state of one hub of this node, for people and programs.
public struct HubReport: Hashable, Codable, Sendable {
    /// The name of the hub; never its login.
    public let host: String
    /// The address of the hub, such as `tls://hub.example.org`; never its login.
    public let address: String
    /// `idle`, `connecting`, `checking`, `catchingUp`, `live`, `waiting` until the next attempt, or `refused` if login,
    /// certificate or address do not fit.
    public let state: String
    /// The beginning of the state.
    public let since: Timestamp
    /// The time from a message to its acknowledgement; nil before the first.
    public let roundTrip: Duration?
    /// The mailboxes that nodes of this mesh watch.
    public let tagCount: Int
    /// The envelopes that the hub has acknowledged.
    public let sentCount: Int
    /// The envelopes that came from the hub.
    public let fetchedCount: Int
    /// The envelopes that wait for the hub; nil without a connection, for then the mesh keeps them.
    public let waitingCount: Int?
    /// The envelopes that the hub has refused.
    public let refusedCount: Int
    /// The machine-readable name of the last finding; nil if all is well.
    public let problem: String?
    /// The finding and its remedy, in sentences.
    public let advice: String?

    /// Makes a report from its parts.
    public init(
        host: String,
        address: String,
        state: String,
        since: Timestamp,
        roundTrip: Duration? = nil,
        tagCount: Int = 0,
        sentCount: Int = 0,
        fetchedCount: Int = 0,
        waitingCount: Int? = nil,
        refusedCount: Int = 0,
        problem: String? = nil,
        advice: String? = nil
    ) {
        (self.host, self.address, self.state) = (host, address, state)
        (self.since, self.roundTrip) = (since, roundTrip)
        (self.tagCount, self.sentCount, self.fetchedCount) = (tagCount, sentCount, fetchedCount)
        (self.waitingCount, self.refusedCount) = (waitingCount, refusedCount)
        (self.problem, self.advice) = (problem, advice)
    }
}
