package import Foundation

/// The state of one hub, for people and programs.
package struct HubStatus: Encodable, Equatable, Sendable {
    /// The kinds of state.
    package enum State: String, Encodable, Sendable {
        /// Nothing has begun.
        case idle
        /// The connection is being made.
        case connecting
        /// A canary examines the hub.
        case checking
        /// Mail that was missed is fetched.
        case catchingUp
        /// All mail is exchanged as it comes.
        case live
        /// The connection was lost; it is made again soon.
        case waiting
        /// Login, certificate or address do not fit; the hub is tried each hour.
        case refused
    }

    /// A finding about the hub.
    package struct Problem: Encodable, Equatable, Sendable {
        /// The machine-readable name.
        package let code: String
        /// The state and the remedy, in sentences.
        package let text: String
    }

    /// The name of the hub, without a login.
    package let host: String
    /// The address of the hub, without a login.
    package let address: String
    /// The state.
    package let state: State
    /// The beginning of the state.
    package let since: Date
    /// The time from a message to its acknowledgement.
    ///
    /// Units: seconds.
    package let rtt: Double?
    /// The tags that nodes of this network watch.
    package let tags: Int
    /// The envelopes that the hub has acknowledged.
    package let sent: Int
    /// The envelopes fetched from the hub.
    package let fetched: Int
    /// The envelopes that wait for the hub; nil without a connection, for then the mesh keeps them.
    package let waiting: Int?
    /// The envelopes that the hub has refused.
    package let refused: Int
    /// The last finding; nil if all is well.
    package let error: Problem?
}

/// The events at one hub, counted for metrics.
package struct HubCounters: Equatable, Sendable {
    /// The envelopes that the hub acknowledged as new.
    package internal(set) var published = 0
    /// The envelopes that the hub had.
    package internal(set) var duplicates = 0
    /// The envelopes that the hub refused.
    package internal(set) var refused = 0
    /// The questions that the hub did not answer.
    package internal(set) var timeouts = 0
    /// The envelopes that came from the hub and went into the mesh.
    package internal(set) var fetched = 0
    /// The messages of the hub that were of no use, or exceeded a rate.
    package internal(set) var dropped = 0
    /// The connections after the first.
    package internal(set) var reconnects = 0
    /// The times that the hub had lost mail.
    package internal(set) var lost = 0
}

extension HubStatus.Problem {
    init(_ error: HubError) {
        self.init(code: error.code.rawValue, text: error.description)
    }

    /// Whether the hub or a mailbox is full.
    var isFullness: Bool { code == HubError.Code.full.rawValue || code == Self.mailboxFullCode }

    /// Whether the hub had lost mail.
    var isLoss: Bool { code == Self.mailLostCode }

    /// Whether the clocks differ too much.
    var isOfClocks: Bool { code == HubError.Code.clock.rawValue }

    private static let mailLostCode = "hubMailLost"
    private static let mailboxFullCode = "hubMailboxFull"

    static func mailboxFull(_ hub: HubURL) -> Self {
        Self(
            code: mailboxFullCode,
            text: "A mailbox at \(hub) is full; somebody may be filling it. A new one begins at 00:00 UTC."
        )
    }

    static func limitReached(_ byteCount: Int) -> Self {
        Self(
            code: "hubLimit",
            text: "The \(byteCount >> 20) MiB of the day are used up: only your own mail goes until 00:00 UTC. "
                + "--hub-limit allows more."
        )
    }

    static func mailLost(_ hub: HubURL) -> Self {
        Self(
            code: mailLostCode,
            text: "\(hub) lost mail that it had confirmed. What this network keeps was sent again."
        )
    }
}
