import Bytes

/// The settings that the owner has chosen for a group.
///
/// Shape: history 0 none, 1 the last, 2 all (1) ‖ how many of the last (2) ‖ member limit (1) ‖ life (4) ‖ ephemeral
/// flag (1). Source: PROTOCOL §16.
public struct GroupPolicy: Hashable, Codable, Sendable {
    /// The earlier messages that new members may get.
    public enum History: Hashable, Codable, Sendable {
        /// No earlier messages.
        case none
        /// At most this number of the newest messages; the number is at least 1.
        case last(UInt16)
        /// All messages.
        case all
    }

    /// The earlier messages that new members may get.
    public let history: History
    /// The largest number of members, 1 to 128.
    public let memberLimit: UInt8
    /// The lifetime of the group from its creation; 0 for a group without end.
    ///
    /// Units: seconds.
    public let life: UInt32
    /// Whether no member keeps a history.
    public let isEphemeral: Bool

    /// The policy of a new group until its owner decides: no end, and no earlier messages for new members.
    public static let standard = GroupPolicy(
        checkedHistory: .none,
        memberLimit: UInt8(GroupLimits.maximumMembers),
        life: 0,
        isEphemeral: false
    )

    /// Makes a policy; nil for a limit outside 1 to 128 members, and for ``History/last(_:)`` with 0.
    public init?(history: History, memberLimit: Int, life: UInt32, isEphemeral: Bool) {
        guard (1...GroupLimits.maximumMembers).contains(memberLimit), history != .last(0) else { return nil }
        self.init(checkedHistory: history, memberLimit: UInt8(memberLimit), life: life, isEphemeral: isEphemeral)
    }

    /// Decodes a policy; one outside the limits is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let policy = GroupPolicy(
            history: try container.decode(History.self, forKey: .history),
            memberLimit: Int(try container.decode(UInt8.self, forKey: .memberLimit)),
            life: try container.decode(UInt32.self, forKey: .life),
            isEphemeral: try container.decode(Bool.self, forKey: .isEphemeral)
        )
        self = try decoder.checked(policy, "The policy is outside its limits.")
    }

    private init(checkedHistory: History, memberLimit: UInt8, life: UInt32, isEphemeral: Bool) {
        history = checkedHistory
        self.memberLimit = memberLimit
        self.life = life
        self.isEphemeral = isEphemeral
    }

    var encoded: [UInt8] {
        let (kind, count): (UInt8, UInt16) =
            switch history {
            case .none: (0, 0)
            case .last(let count): (1, count)
            case .all: (2, 0)
            }
        return [kind] + count.bigEndianBytes + [memberLimit] + life.bigEndianBytes + [isEphemeral ? 1 : 0]
    }

    init?(decoding reader: inout ByteReader) {
        guard let kind = reader.integer(UInt8.self), let count = reader.integer(UInt16.self),
            let memberLimit = reader.integer(UInt8.self), let life = reader.integer(UInt32.self),
            let isEphemeral = reader.flag()
        else { return nil }
        let history: History
        switch (kind, count) {
        case (0, 0): history = .none
        case (1, _): history = .last(count)
        case (2, 0): history = .all
        default: return nil
        }
        self.init(history: history, memberLimit: Int(memberLimit), life: life, isEphemeral: isEphemeral)
    }
}
