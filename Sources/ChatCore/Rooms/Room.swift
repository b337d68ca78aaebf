public import ChatCrypto

/// A room as this node knows it.
public struct Room: Hashable, Identifiable, Codable, Sendable {
    /// The role of this node in the room.
    public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
        /// This node waits for the decision of the host's user.
        case waiting
        /// This node is a member.
        case member
        /// This node is a member and decides on the admission of others.
        case host
    }

    /// The admission data that only the host sees.
    public struct AdmissionState: Hashable, Codable, Sendable {
        /// The rule of admission.
        public let admission: RoomAdmission
        /// The code to give to others; nil while there is none.
        public let code: String?
        /// The link to show or send to others; nil while there is none.
        public let invite: String?
        /// Whether codes admit nobody.
        public let isAdmissionClosed: Bool
        /// The peers that wait for the decision of this node's user, in the order of their requests.
        public let waiting: [Applicant]

        /// Makes the admission data from its parts.
        public init(
            admission: RoomAdmission,
            code: String? = nil,
            invite: String? = nil,
            isAdmissionClosed: Bool = false,
            waiting: [Applicant] = []
        ) {
            self.admission = admission
            self.code = code
            self.invite = invite
            self.isAdmissionClosed = isAdmissionClosed
            self.waiting = waiting
        }
    }

    /// A peer that waits to be admitted.
    public struct Applicant: Hashable, Identifiable, Codable, Sendable {
        /// The peer's id in this room.
        public let id: PeerID
        /// The name that the peer has chosen.
        public let name: String

        /// Makes an applicant from its parts.
        public init(id: PeerID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The room's id, the same for all members.
    public let id: GroupID
    /// The title; the beginning of its id while this node waits.
    public let title: String
    /// The role of this node in the room.
    public let role: Role
    /// The members, in the order in which they joined.
    public let members: [ChatGroup.Member]
    /// The member who decides on the membership.
    public let host: PeerID?
    /// The rule of admission; nil while it is not known.
    public let admission: RoomAdmission?
    /// This node's id in the room.
    public let ownID: PeerID
    /// This node's name in the room.
    public let nickname: String
    /// The end of the room, by this node's clock; nil for a room without end.
    public let endTime: Timestamp?
    /// Whether no member keeps a history of it.
    public let isEphemeral: Bool
    /// The most members of the room.
    public let maximumMembers: Int
    /// The admission data, if this node is the host.
    public let admissionState: AdmissionState?

    /// Makes a room from its parts.
    public init(
        id: GroupID,
        title: String,
        role: Role = .member,
        members: [ChatGroup.Member] = [],
        host: PeerID? = nil,
        admission: RoomAdmission? = nil,
        ownID: PeerID,
        nickname: String,
        endTime: Timestamp? = nil,
        isEphemeral: Bool = false,
        maximumMembers: Int = RoomLimits.standardMembers,
        admissionState: AdmissionState? = nil
    ) {
        self.id = id
        self.title = title
        self.role = role
        self.members = members
        self.host = host
        self.admission = admission
        self.ownID = ownID
        self.nickname = nickname
        self.endTime = endTime
        self.isEphemeral = isEphemeral
        self.maximumMembers = maximumMembers
        self.admissionState = admissionState
    }
}

/// The properties of a room to create.
public struct RoomPlan: Hashable, Codable, Sendable {
    /// The title: 1 to 128 bytes of UTF-8.
    public var title: String
    /// This node's name in the room; nil for its usual name.
    public var nickname: String?
    /// The duration: a second to 365 days.
    public var expiresAfter: Duration
    /// The rule of admission.
    public var admission: RoomAdmission
    /// The most members, 2 to 4,096.
    public var maximumMembers: Int
    /// Whether no member keeps a history of it.
    public var isEphemeral: Bool
    /// The earlier messages that later members may be given; none if the room is ephemeral.
    public var history: GroupPolicy.History

    /// Makes a plan.
    public init(
        title: String,
        nickname: String? = nil,
        expiresAfter: Duration = .seconds(86_400),
        admission: RoomAdmission = .code,
        maximumMembers: Int = RoomLimits.standardMembers,
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

    /// Returns the policy for the room's log.
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

/// A room that is discovered on the mesh.
public struct VisibleRoom: Hashable, Identifiable, Codable, Sendable {
    /// The room's id.
    public let id: GroupID
    /// The first two digits of its codes.
    public let door: Int
    /// The rule of admission.
    public let admission: RoomAdmission
    /// Whether codes admit nobody at the moment.
    public let isAdmissionClosed: Bool
    /// The remaining time when the host announced the room; nil for a room without end.
    public let remaining: Duration?

    /// Makes a room from its parts.
    public init(
        id: GroupID,
        door: Int,
        admission: RoomAdmission = .code,
        isAdmissionClosed: Bool = false,
        remaining: Duration? = nil
    ) {
        self.id = id
        self.door = door
        self.admission = admission
        self.isAdmissionClosed = isAdmissionClosed
        self.remaining = remaining
    }

    package init(_ beacon: RoomBeacon) {
        id = beacon.room
        door = beacon.door
        admission = beacon.admission
        isAdmissionClosed = beacon.isAdmissionClosed
        remaining = beacon.remainingSeconds > 0 ? .seconds(Int64(beacon.remainingSeconds)) : nil
    }
}
