/// A hostile machine in a mesh of whole nodes.
///
/// It has as many hosts as ids, each with an address of its own, and speaks the protocol as far as that serves it. Its
/// hosts are on the first segment of the topology and hear all beacons there, or have a segment with each of the hosts
/// between which they stand.
public struct SimAdversary: Sendable, Equatable {
    /// The attack.
    public enum Behaviour: String, Sendable, CaseIterable {
        /// Offers envelopes that do not exist.
        case offercpu
        /// Announces envelopes that do not exist.
        case ihavecpu
        /// Sends payloads for labels without a path.
        case pathcpu
        /// Dials under the node ids of honest hosts.
        case linkkill
        /// Changes its status all the time.
        case statusflood
        /// Fills one store with small envelopes.
        case share
        /// Fills one store under one node id after another.
        case sybil
        /// Fills all stores with small envelopes of the longest life.
        case lifefirst
        /// Passes on every envelope at once with nearly no life left.
        case poison
        /// Searches for paths to labels that nobody has.
        case probes
        /// Links with all hosts under many ids.
        case eclipse
        /// Sends beacons that claim to come from a victim.
        case dialamp
        /// Sends beacons of nodes that do not exist.
        case fakes
        /// Pushes envelopes that nobody can open, under node ids that do not exist.
        case pushforge
        /// Misbehaves under the address of an honest host.
        case ban
        /// Sends path challenges under the address of a victim.
        case reflect
        /// Dials from an address that is not on the segment.
        case offlink
        /// Dials without the key of the mesh.
        case outsider
        /// Offers as many envelopes as it can, and sends those that are requested.
        case sync
        /// Takes envelopes and passes none on.
        case holes
        /// Sends all that a new link may send, and then dials again under another node id.
        case reconnect
        /// Passes posts on between its neighbours, and nothing that goes along ways.
        case waysink
        /// Passes on what goes between its neighbours, and names labels of its own in the place of theirs.
        case trailsteal
        /// Shows shelves and sums that are those of no store.
        case depthliar
        /// Floods envelopes whose places are all on one shelf.
        case shelfgrind
    }

    /// The attack.
    public var behaviour: Behaviour
    /// The number of honest hosts with which each hostile host links: those with the lowest numbers.
    public var links: Int
    /// The rate of the attack: messages, datagrams or handshakes, by behaviour.
    ///
    /// Units: per second, of all hostile hosts together.
    public var rate: Double
    /// The number of hostile hosts.
    public var ids: Int
    /// The time for which the attack lasts, from the moment at which the mesh is linked and warm.
    ///
    /// The links stay after that.
    public var duration: Duration

    /// Creates a hostile machine.
    public init(
        _ behaviour: Behaviour,
        links: Int = 1,
        rate: Double = 0,
        ids: Int = 1,
        for duration: Duration = .seconds(10)
    ) {
        self.behaviour = behaviour
        self.links = links
        self.rate = rate
        self.ids = ids
        self.duration = duration
    }

    /// Whether the hostile hosts begin with the honest ones, and not when the mesh is linked.
    var isThereFirst: Bool { behaviour == .holes || behaviour == .depthliar || isBetween }
    /// Whether the hostile hosts stand between their targets, which do not hear each other.
    var isBetween: Bool { behaviour == .waysink || behaviour == .trailsteal }
    /// Whether hostile hosts send beacons of their own, so that honest ones dial them.
    var isVisible: Bool { [.holes, .eclipse, .depthliar].contains(behaviour) }
    /// Whether hostile hosts dial all the time under their own ids.
    var dialsSteadily: Bool { ![.dialamp, .fakes, .linkkill, .reconnect, .depthliar].contains(behaviour) }
    /// Whether the cost of the attack is processor time, which is measured and differs from run to run.
    var costsTime: Bool { [.offercpu, .ihavecpu, .pathcpu].contains(behaviour) }
    /// The key of the hostile hosts' mesh: that of the simulated mesh, except for an outsider.
    var meshKey: UInt64 { behaviour == .outsider ? 999 : 0 }
}
