import Bytes

/// The settings that the owner has chosen for a group.
///
/// Shape: history 0 none, 1 the last, 2 all (1) ‖ how many of the last (2) ‖ member limit (2) ‖ life (4) ‖ ephemeral
/// flag (1) ‖ writers 0 all, 1 admins (1) ‖ receipts 0 by the size of the group, 1 none (1) ‖ admin count (1), slots
/// (2 each, rising) ‖ successor flag (1), slot (2) and signing key (32) if 1. Source: PROTOCOL §16.
public struct GroupPolicy: Hashable, Sendable {
    /// The earlier messages that new members may get.
    public enum History: Hashable, Codable, Sendable {
        /// No earlier messages.
        case none
        /// At most this number of the newest messages; the number is at least 1.
        case last(UInt16)
        /// All messages.
        case all
    }

    /// The member that may take over the group, and the key that signs the takeover.
    public struct Successor: Hashable, Sendable {
        /// The slot of the member.
        public let slot: UInt16
        /// The member's key for the group.
        ///
        /// Shape: 32 bytes.
        public let signingKey: [UInt8]

        /// Names a successor; nil for any count but 32 bytes.
        public init?(slot: UInt16, signingKey: [UInt8]) {
            guard signingKey.count == Ed25519.publicKeyByteCount else { return nil }
            self.slot = slot
            self.signingKey = signingKey
        }
    }

    /// The earlier messages that new members may get.
    public let history: History
    /// The largest number of members, 1 to 4,096.
    public let memberLimit: UInt16
    /// The lifetime of the group from its creation; 0 for a group without end.
    ///
    /// Units: seconds.
    public let life: UInt32
    /// Whether no member keeps a history.
    public let isEphemeral: Bool
    /// Whether only the owner and the admins write.
    public let onlyAdminsWrite: Bool
    /// Whether members send receipts.
    public let hasReceipts: Bool
    /// The slots of the members that may propose changes, in rising order.
    public private(set) var admins: [UInt16]
    /// The member that may take over; nil if there is none.
    public private(set) var successor: Successor?

    /// The policy of a new group until its owner decides: no end, and no earlier messages for new members.
    public static let standard = GroupPolicy(
        checkedHistory: .none,
        memberLimit: UInt16(GroupLimits.maximumMembers),
        flags: (life: 0, isEphemeral: false, onlyAdminsWrite: false, hasReceipts: true),
        admins: [],
        successor: nil
    )

    /// Makes a policy; nil for a limit outside 1 to 4,096 members, for ``GroupPolicy/History/last(_:)`` with 0, and for
    /// more than 8 admins.
    public init?(
        history: History,
        memberLimit: Int,
        life: UInt32,
        isEphemeral: Bool,
        onlyAdminsWrite: Bool = false,
        hasReceipts: Bool = true,
        admins: Set<UInt16> = [],
        successor: Successor? = nil
    ) {
        guard (1...GroupLimits.maximumMembers).contains(memberLimit), history != .last(0),
            admins.count <= GroupLimits.maximumAdmins
        else { return nil }
        self.init(
            checkedHistory: history,
            memberLimit: UInt16(memberLimit),
            flags: (life, isEphemeral, onlyAdminsWrite, hasReceipts),
            admins: admins.sorted(),
            successor: successor
        )
    }

    private init(
        checkedHistory: History,
        memberLimit: UInt16,
        flags: (life: UInt32, isEphemeral: Bool, onlyAdminsWrite: Bool, hasReceipts: Bool),
        admins: [UInt16],
        successor: Successor?
    ) {
        history = checkedHistory
        self.memberLimit = memberLimit
        (life, isEphemeral, onlyAdminsWrite, hasReceipts) = flags
        self.admins = admins
        self.successor = successor
    }

    /// Makes the same policy with another rule for new members; nil for ``History/last(_:)`` with 0.
    public func with(_ history: History) -> GroupPolicy? {
        GroupPolicy(
            history: history,
            memberLimit: Int(memberLimit),
            life: life,
            isEphemeral: isEphemeral,
            onlyAdminsWrite: onlyAdminsWrite,
            hasReceipts: hasReceipts,
            admins: Set(admins),
            successor: successor
        )
    }

    /// Makes the same policy with other admins; nil for more than 8.
    public func with(admins: Set<UInt16>) -> GroupPolicy? {
        guard admins.count <= GroupLimits.maximumAdmins else { return nil }
        var changed = self
        changed.admins = admins.sorted()
        return changed
    }

    /// Makes the same policy with another successor.
    public func with(successor: Successor?) -> GroupPolicy {
        var changed = self
        changed.successor = successor
        return changed
    }

    /// Withdraws the rights of a slot whose member is removed, so that its next member does not inherit them.
    mutating func withdraw(_ slot: UInt16) {
        admins.removeAll { $0 == slot }
        if successor?.slot == slot { successor = nil }
    }

    /// Withdraws the right to take over.
    mutating func withdrawSuccessor() { successor = nil }

    var encoded: [UInt8] {
        let (kind, count): (UInt8, UInt16) =
            switch history {
            case .none: (0, 0)
            case .last(let count): (1, count)
            case .all: (2, 0)
            }
        var bytes = [kind] + count.bigEndianBytes + memberLimit.bigEndianBytes + life.bigEndianBytes
        bytes += [isEphemeral ? 1 : 0, onlyAdminsWrite ? 1 : 0, hasReceipts ? 0 : 1, UInt8(admins.count)]
        bytes += admins.flatMap(\.bigEndianBytes) + [successor == nil ? 0 : 1]
        return bytes + (successor.map { $0.slot.bigEndianBytes + $0.signingKey } ?? [])
    }

    init?(decoding reader: inout ByteReader) {
        guard let kind = reader.integer(UInt8.self), let count = reader.integer(UInt16.self),
            let memberLimit = reader.integer(UInt16.self), let life = reader.integer(UInt32.self),
            let isEphemeral = reader.flag(), let onlyAdminsWrite = reader.flag(), let hasNoReceipts = reader.flag(),
            let admins = Self.admins(&reader), let hasSuccessor = reader.flag()
        else { return nil }
        let history: History
        switch (kind, count) {
        case (0, 0): history = .none
        case (1, _): history = .last(count)
        case (2, 0): history = .all
        default: return nil
        }
        var successor: Successor?
        if hasSuccessor {
            guard let slot = reader.integer(UInt16.self), let key = reader.bytes(32) else { return nil }
            successor = Successor(slot: slot, signingKey: key)
        }
        self.init(
            history: history,
            memberLimit: Int(memberLimit),
            life: life,
            isEphemeral: isEphemeral,
            onlyAdminsWrite: onlyAdminsWrite,
            hasReceipts: !hasNoReceipts,
            admins: admins,
            successor: successor
        )
    }

    /// Reads slots in rising order; nil for too many.
    private static func admins(_ reader: inout ByteReader) -> Set<UInt16>? {
        guard let count = reader.integer(UInt8.self), count <= GroupLimits.maximumAdmins else { return nil }
        var slots: [UInt16] = []
        for _ in 0..<count {
            guard let slot = reader.integer(UInt16.self), slots.last.map({ $0 < slot }) ?? true else { return nil }
            slots.append(slot)
        }
        return Set(slots)
    }
}
