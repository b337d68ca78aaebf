import Bytes

/// What the owner has decided about a group.
///
/// Shape: history 0 none, 1 the last, 2 all (1) ‖ how many of the last (2) ‖ member limit (1) ‖ life (4) ‖ ephemeral
/// flag (1). Source: PROTOCOL §16.
public struct GroupPolicy: Hashable, Sendable {
    /// What newcomers may be given of what was said before they came.
    public enum History: Hashable, Sendable {
        /// Nothing.
        case none
        /// So many of the newest messages, 1 at least.
        case last(UInt16)
        /// Everything.
        case all
    }

    /// What newcomers may be given.
    public let history: History
    /// How many members there may be, 1 to 128.
    public let memberLimit: UInt8
    /// How long the group lasts from its founding; 0 for one without end.
    ///
    /// Units: seconds.
    public let life: UInt32
    /// Whether nobody keeps a history at all.
    public let isEphemeral: Bool

    /// The policy of a group whose owner has not decided: no end, nothing for newcomers.
    public static let standard = GroupPolicy(
        checkedHistory: .none,
        memberLimit: UInt8(GroupLimits.maximumMembers),
        life: 0,
        isEphemeral: false
    )

    /// Makes a policy; nil for a limit of no or more than 128 members, or a history of the last none.
    public init?(history: History, memberLimit: Int, life: UInt32, isEphemeral: Bool) {
        guard (1...GroupLimits.maximumMembers).contains(memberLimit), history != .last(0) else { return nil }
        self.init(checkedHistory: history, memberLimit: UInt8(memberLimit), life: life, isEphemeral: isEphemeral)
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
