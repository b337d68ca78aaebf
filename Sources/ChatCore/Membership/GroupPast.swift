import Bytes
import ChatCrypto

/// The facts of a group's past that its log has dropped: the policies that counted, and the members that have left.
///
/// A member decides by them which earlier messages it may give a new member. Source: PROTOCOL §16.6.
struct GroupPast: Hashable, Sendable {
    /// A policy and the epoch from which on it counted.
    struct Policy: Hashable, Sendable {
        let epoch: UInt32
        let history: GroupPolicy.History
        let isEphemeral: Bool
    }

    /// A member that has left.
    struct FormerMember: Hashable, Sendable {
        let peer: PeerID
        /// The epochs of the member's add and removal.
        let joined, left: UInt32
    }

    private(set) var policies: [Policy] = []
    private(set) var former: [FormerMember] = []

    init() {}

    /// Begins with the state of a group at an epoch.
    init(_ policy: GroupPolicy, at epoch: UInt32) { note(policy, at: epoch) }

    /// Notes a policy that counts from an epoch on.
    mutating func note(_ policy: GroupPolicy, at epoch: UInt32) {
        policies.append(Policy(epoch: epoch, history: policy.history, isEphemeral: policy.isEphemeral))
        policies.removeFirst(max(0, policies.count - ChatLimits.pastPolicyCount))
    }

    /// Notes a member that has left at an epoch.
    mutating func note(_ peer: PeerID, joined: UInt32, left: UInt32) {
        former.append(FormerMember(peer: peer, joined: joined, left: left))
        former.removeFirst(max(0, former.count - ChatLimits.formerMemberCount))
    }

    /// The policy that counted in an epoch, or else the oldest known one.
    func policy(in epoch: UInt32) -> Policy? { policies.last { $0.epoch <= epoch } ?? policies.first }

    // MARK: - Storing

    init(restoring record: ProtoGroupRecord) {
        policies = record.policies.suffix(ChatLimits.pastPolicyCount).compactMap { stored in
            let history: GroupPolicy.History? =
                switch stored.history {
                case 0: GroupPolicy.History.none
                case 1: UInt16(exactly: stored.count).flatMap { $0 > 0 ? .last($0) : nil }
                case 2: .all
                default: nil
                }
            return history.map { Policy(epoch: stored.epoch, history: $0, isEphemeral: stored.ephemeral) }
        }
        former = record.former.suffix(ChatLimits.formerMemberCount).compactMap { bytes in
            guard bytes.count == PeerID.byteCount + 8, let peer = PeerID(bytes: bytes.prefix(PeerID.byteCount)) else {
                return nil
            }
            let epochs = [UInt8](bytes.suffix(8))
            return FormerMember(peer: peer, joined: Self.number(epochs[..<4]), left: Self.number(epochs[4...]))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Writes the facts into the record of a group.
    func store(in record: inout ProtoGroupRecord) {
        record.policies = policies.map { policy in
            var stored = ProtoPastPolicy()
            stored.epoch = policy.epoch
            switch policy.history {
            case .none: stored.history = 0
            case .last(let count): (stored.history, stored.count) = (1, UInt32(count))
            case .all: stored.history = 2
            }
            stored.ephemeral = policy.isEphemeral
            return stored
        }
        record.former = former.map { .bytes($0.peer.bytes + $0.joined.bigEndianBytes + $0.left.bigEndianBytes) }
    }
}
