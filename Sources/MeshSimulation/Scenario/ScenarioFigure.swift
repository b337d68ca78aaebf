/// A measured figure of a scenario.
///
/// Figures concern honest hosts alone.
public enum ScenarioFigure: String, Sendable, CaseIterable {
    /// The fraction of all due copies of messages that arrived.
    case delivered
    /// The fraction of the messages to hosts in their absence that arrived within a minute of their return.
    case returned
    /// The fraction of all due receipts that arrived at the authors.
    case acknowledged
    /// The number of copies of messages that the mesh handed to a host as it had handed one before: by a post, or along a
    /// way.
    ///
    /// A message that comes once by each of them is shown once all the same, as chat knows its id.
    case repeats
    /// The longest time in which no message came along a way, from the first message until the last was written.
    ///
    /// Units: seconds.
    case wayGap
    /// The time that half of the copies took; a copy that never came counts as the time until the end.
    ///
    /// Units: seconds.
    case latencyP50
    /// The time that 99 of 100 copies did not exceed, counted in the same way.
    ///
    /// Units: seconds.
    case latencyP99
    /// The 99th percentile of the latency, as a multiple of that without the attack.
    case latencyRatio
    /// The number of transmissions of an envelope for each host that receives it.
    case transmissions
    /// The number of envelopes that hosts wrote, receipts and delivery proofs included, for each message that arrived at
    /// all its recipients.
    case envelopesPerMessage
    /// The number of these that went to everybody, counted in the same way.
    case postsPerMessage
    /// The number of messages that arrived at all their recipients, for each minute from the first to the last arrival.
    ///
    /// With a rising load it is the highest load at which 99 of 100 copies arrived within five seconds.
    case messagesPerMinute
    /// The largest number of hosts, besides author and recipients, that held one piece of an object when its first
    /// recipient asked for it.
    case copiesPerPiece
    /// The smallest such number.
    case fewestCopies
    /// The longest time that a recipient needed for a whole object, from its message or from the recipient's start.
    ///
    /// Units: seconds.
    case objectTime
    /// The fraction of the time for which the channel was used; of several channels that of the busiest.
    case airtime
    /// The fraction of the time for which the channel was used by anything but beacons.
    case airtimeWithoutBeacons
    /// The number of datagrams that a host sent in the whole run.
    ///
    /// Units: datagrams per second.
    case datagrams
    /// The number of datagrams that a host sent in the last ten seconds.
    ///
    /// Units: datagrams per second.
    case restDatagrams
    /// The traffic of honest hosts, as a multiple of that without the attack.
    case trafficRatio
    /// The traffic of honest hosts with which the adversary does not link, as a multiple of that without the attack.
    case trafficElsewhere
    /// The number of beacons of honest hosts in the last minute, as a multiple of that without the attack.
    case beaconRatio
    /// The fraction of the hosts that links connect at the moment at which messages begin.
    case connected
    /// The number of connected components at the end.
    case pieces
    /// The number of links between two hosts that ended at least once.
    case linksLost
    /// The time from the start of all hosts until links connected them.
    ///
    /// Units: seconds.
    case linkTime
    /// The longest time that a host which started late needed for its first link with an honest host that was there
    /// before; until the end if it never had one.
    ///
    /// Units: seconds.
    case joinTime
    /// The time from the last crash, or change of links, until every earlier message had arrived.
    ///
    /// Units: seconds.
    case recovery
    /// The fraction of all copies of messages, one for each host, that stores hold at the end.
    case heldCopies
    /// The fraction of the messages that a store other than the author's holds at the end.
    case heldMessages
    /// The number of hosts that kept another shelf than the attacked one when the attack began.
    case elsewhere
    /// The fraction of these hosts whose shelf is as deep at the end as without the attack.
    case keptShelves
    /// The fraction of the messages in the stores of these hosts without the attack that they hold with it too.
    case keptMail
    /// The largest number of comparisons of stores that one host began in the last five minutes.
    case comparisons
    /// The largest number of envelopes that one host accepted from others in one second.
    case peakAccepted
    /// The largest number of envelopes that one host accepted from others, for each second of the attack.
    case accepted
    /// The number of messages, datagrams or handshakes that the adversary sent.
    case hostileMessages
    /// The number of payloads along ways that came to the adversary instead of their ends.
    case intercepted
    /// The number of datagrams to an address that the adversary only claimed to have.
    case reflected
    /// The size of these datagrams, as a multiple of the size of what the adversary sent.
    case amplification
    /// The number of envelopes that hosts wrote for readers in another mesh, receipts included.
    case farEnvelopes
    /// The fraction of these that came to their readers, each exactly once.
    case farDelivered
    /// The number of other envelopes that came into another mesh, or to the hub.
    case strayEnvelopes
    /// The number of publications at the hub for each envelope for another mesh.
    ///
    /// Envelopes that were written while the hub was gone, or in the 75 s after, do not count; nor do publications of what
    /// the hub had confirmed before it was gone.
    case publishesPerEnvelope
    /// The same number for the envelopes that were written while the hub was gone, or in the 75 s after.
    case publishesAfterLoss
    /// The number of publications of envelopes that the hub had already.
    case duplicates
    /// The number of envelopes that the hub keeps at the end.
    case storedAtHub
    /// The number of envelopes that came from the hub into the first mesh.
    case injectedIntoFirst
    /// The number of envelopes that came from the hub into the second mesh.
    case injectedIntoSecond
    /// The time that half of the envelopes took to their readers in another mesh; one that never came counts as the time
    /// until the end.
    ///
    /// Units: seconds.
    case crossingP50
    /// The time that 99 of 100 did not exceed, counted in the same way.
    ///
    /// Units: seconds.
    case crossingP99
    /// The processor time that one hostile message cost the attacked host; it differs from run to run.
    ///
    /// Units: microseconds.
    case processorTime

    /// The unit of the values; nil for plain numbers.
    public var unit: Unit? {
        switch self {
        case .delivered, .returned, .acknowledged, .airtime, .airtimeWithoutBeacons, .connected, .heldCopies,
            .heldMessages, .keptShelves, .keptMail, .farDelivered:
            .fraction
        case .latencyP50, .latencyP99, .objectTime, .linkTime, .joinTime, .recovery, .wayGap, .crossingP50,
            .crossingP99:
            .seconds
        case .latencyRatio, .trafficRatio, .trafficElsewhere, .beaconRatio, .amplification: .times
        case .processorTime: .microseconds
        case .transmissions, .envelopesPerMessage, .postsPerMessage, .copiesPerPiece, .fewestCopies,
            .messagesPerMinute, .datagrams, .restDatagrams, .pieces, .linksLost, .peakAccepted, .accepted,
            .hostileMessages, .reflected, .repeats, .intercepted, .comparisons, .elsewhere, .farEnvelopes,
            .strayEnvelopes, .publishesPerEnvelope, .publishesAfterLoss, .duplicates, .storedAtHub,
            .injectedIntoFirst, .injectedIntoSecond:
            nil
        }
    }

    /// The unit of a figure.
    public enum Unit: Sendable {
        /// A fraction from 0 to 1.
        case fraction
        /// Seconds.
        case seconds
        /// Microseconds.
        case microseconds
        /// A multiple of another value.
        case times
    }
}

/// A limit of one figure: a part of the bar of a scenario.
public struct ScenarioLimit: Sendable, Equatable {
    /// The side on which values are good.
    public enum Side: Sendable {
        /// Values must not be smaller.
        case atLeast
        /// Values must not be larger.
        case atMost
    }

    /// The limited figure.
    public let figure: ScenarioFigure
    /// The side on which values are good.
    public let side: Side
    /// The limit itself, which is a good value.
    public let value: Double

    /// Creates a lower limit.
    public static func atLeast(_ figure: ScenarioFigure, _ value: Double) -> ScenarioLimit {
        ScenarioLimit(figure: figure, side: .atLeast, value: value)
    }

    /// Creates an upper limit.
    public static func atMost(_ figure: ScenarioFigure, _ value: Double) -> ScenarioLimit {
        ScenarioLimit(figure: figure, side: .atMost, value: value)
    }

    /// Returns whether a figure is within the limit; one that was not measured is not.
    public func allows(_ measured: Double?) -> Bool {
        guard let measured else { return false }
        return side == .atLeast ? measured >= value : measured <= value
    }
}

extension ScenarioResult {
    /// The limits of the bar that the run missed.
    public var missedLimits: [ScenarioLimit] { scenario.bar.filter { !$0.allows(figures[$0.figure]) } }

    /// Whether the run is within the bar of its scenario.
    public var isWithinBar: Bool { missedLimits.isEmpty }
}
