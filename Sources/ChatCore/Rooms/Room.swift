public import ChatCrypto

/// A room as this node knows it.
public struct Room: Hashable, Sendable, Identifiable {
    /// How this node stands to it.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// The host's user has not decided yet.
        case waiting
        /// This node is in it.
        case member
        /// This node is in it, and decides who else is.
        case host
    }

    /// What only its host sees.
    public struct Door: Hashable, Sendable {
        /// Who gets in.
        public let admission: RoomAdmission
        /// The code to tell others; nil while there is none.
        public let code: String?
        /// The link to show or send to others; nil while there is none.
        public let invite: String?
        /// Whether nobody gets in by a code.
        public let isShut: Bool
        /// Who waits for this node's user to decide, those who came first in front.
        public let waiting: [Applicant]
    }

    /// Somebody who waits to be let in.
    public struct Applicant: Hashable, Sendable, Identifiable {
        /// Who, in this room.
        public let id: PeerID
        /// What this one wants to be called.
        public let name: String
    }

    /// The room's name, the same for everybody.
    public let id: GroupID
    /// What it is called; the beginning of its id while this node waits.
    public let title: String
    /// How this node stands to it.
    public let standing: Standing
    /// Everybody in it, those who came first in front.
    public let members: [Group.Member]
    /// Who decides who is in it.
    public let host: PeerID?
    /// Who gets in; nil while that is not known.
    public let admission: RoomAdmission?
    /// Who this node is in it.
    public let ownID: PeerID
    /// What this node is called in it.
    public let nickname: String
    /// When it ends, by this node's clock; nil for never.
    public let endTime: Timestamp?
    /// Whether no history of it is kept by anybody.
    public let isEphemeral: Bool
    /// How many may be in it.
    public let maximumMembers: Int
    /// Its door, where this node is the host.
    public let door: Door?
}

/// What a room is to be.
public struct RoomPlan: Hashable, Sendable {
    /// What it is to be called: 1 to 128 bytes of UTF-8.
    public var title: String
    /// What this node is called in it; nil for what it is called elsewhere.
    public var nickname: String?
    /// How long it lasts: a second to 365 days.
    public var expiresAfter: Duration
    /// Who gets in.
    public var admission: RoomAdmission
    /// How many may be in it, 2 to 128.
    public var maximumMembers: Int
    /// Whether nobody keeps a history of it.
    public var isEphemeral: Bool
    /// What who comes later may be given of what was said before; none where it is ephemeral.
    public var history: GroupPolicy.History

    /// Makes a plan.
    public init(
        title: String,
        nickname: String? = nil,
        expiresAfter: Duration = .seconds(86_400),
        admission: RoomAdmission = .code,
        maximumMembers: Int = GroupLimits.maximumMembers,
        isEphemeral: Bool = false,
        history: GroupPolicy.History = .none
    ) {
        self.title = title
        self.nickname = nickname
        self.expiresAfter = expiresAfter
        self.admission = admission
        self.maximumMembers = maximumMembers
        self.isEphemeral = isEphemeral
        self.history = history
    }

    /// The life that the room's log says.
    ///
    /// - Throws: `badDuration`, `badCount`.
    package func policy() throws(ChatError) -> GroupPolicy {
        let seconds = expiresAfter.components.seconds
        guard seconds >= 1, seconds <= Int64(RoomRules.longestLife) else {
            throw ChatError(.badDuration, "A room lasts from 1 second to 365 days.")
        }
        guard maximumMembers >= 2,
            let policy = GroupPolicy(
                history: isEphemeral ? .none : history,
                memberLimit: maximumMembers,
                life: UInt32(seconds),
                isEphemeral: isEphemeral
            )
        else { throw ChatError(.badCount, "A room takes 2 to \(GroupLimits.maximumMembers) members.") }
        return policy
    }
}

/// A room that is heard on the mesh.
public struct VisibleRoom: Hashable, Sendable, Identifiable {
    /// The room's name.
    public let id: GroupID
    /// The first two digits of its codes.
    public let door: Int
    /// Who gets in.
    public let admission: RoomAdmission
    /// Whether nobody gets in by a code at the moment.
    public let isShut: Bool
    /// How long it lasted when this was told; nil for ever.
    public let remaining: Duration?

    package init(_ beacon: RoomBeacon) {
        id = beacon.room
        door = beacon.door
        admission = beacon.admission
        isShut = beacon.isShut
        remaining = beacon.remainingSeconds > 0 ? .seconds(Int64(beacon.remainingSeconds)) : nil
    }
}
