package import Earshot

/// The parameters of a method in the order of the reference, each with its meaning.
package typealias RPCParameters = KeyValuePairs<String, String>

/// A method of the interface: its parameters as a value, and its execution on a node.
///
/// A server decodes the type that a client encodes, so the two cannot differ. The dispatcher turns the errors of
/// `perform` into errors of the wire. A method translates nothing.
package protocol RPCMethod: Codable, Sendable {
    /// The result.
    associatedtype Reply: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
    /// One sentence for the reference.
    static var summary: String { get }
    /// The parameters; any other parameter is an error.
    static var parameters: RPCParameters { get }
    /// A call for the reference, which a test replays; the test replaces `{NAME}`.
    static var example: Self { get }
    /// Whether the answer may depend on a distant peer; the client's other requests then continue in the meantime.
    static var waitsForPeer: Bool { get }
    /// Whether a locked node refuses the call.
    static var needsKeys: Bool { get }
    /// Whether the call is an act of the user; the time until the node locks itself then starts again.
    var isAct: Bool { get }

    /// Performs the call.
    ///
    /// - Throws: `ChatError` for calls that the node refuses, `RPCError` for invalid parameters.
    func perform(on node: ChatNode) async throws -> Reply
}

extension RPCMethod {
    package static var parameters: RPCParameters { [:] }
    package static var waitsForPeer: Bool { false }
    package static var needsKeys: Bool { true }
    package var isAct: Bool { RPCMethods.acts.contains(Self.name) }

    static var parameterNames: [String] { parameters.map(\.key) }
}

/// The methods of this release.
enum RPCMethods {
    /// The methods by the chapters of the reference.
    static let chapters: KeyValuePairs<String, [any RPCMethod.Type]> = [
        "The node": [
            StatusCall.self, MetricsCall.self, SubscribeCall.self, PresentCall.self, DeliveryCall.self, PageCall.self,
            EndPageCall.self, ShutdownCall.self,
        ],
        "Hubs": [HubsCall.self, AddHubCall.self, RemoveHubCall.self, ReloadHubsCall.self],
        "The mesh": [MapCall.self, PingCall.self],
        "Contacts": [
            ContactsCall.self, SafetyNumberCall.self, VerifyCall.self, TrustCall.self, RenameContactCall.self,
            FollowCall.self,
        ],
        "Groups": [
            CreateGroupCall.self, GroupsCall.self, GroupHistoryCall.self, AddToGroupCall.self,
            RemoveFromGroupCall.self, RenameGroupCall.self, SetAdminCall.self, SetSuccessorCall.self,
            TakeOverGroupCall.self, HandOverGroupCall.self,
            LeaveGroupCall.self, AnswerInvitationCall.self, GroupInvitersCall.self,
        ],
        "Rooms": [
            CreateRoomCall.self, RoomsCall.self, VisibleRoomsCall.self, JoinRoomCall.self, ApproveCall.self,
            DoorCall.self, RenameRoomCall.self, RemoveFromRoomCall.self, HandOverRoomCall.self, LeaveRoomCall.self,
            ExportRoomsCall.self, ImportRoomsCall.self,
        ],
        "Messages": [
            SendCall.self, EditCall.self, ReactCall.self, DeleteCall.self, CancelCall.self, DeliveriesCall.self,
            TypingCall.self,
        ],
        "Polls": [PollCreateCall.self, PollVoteCall.self, PollCloseCall.self],
        "Attachments": [MediaCall.self, FetchMediaCall.self, CancelMediaCall.self],
        "Conversations": [
            ConversationsCall.self, MarkReadCall.self, MuteCall.self, UnmuteCall.self, PinCall.self, UnpinCall.self,
            DraftCall.self, TimerCall.self, RetentionCall.self,
        ],
        "History": [
            HistoryCall.self, HistoryWindowCall.self, SearchCall.self, SearchProgressCall.self, HistoryCheckCall.self,
            ExportCall.self, ImportCall.self, HistoryDeleteCall.self,
        ],
        "The identity": [
            ProfileCall.self, InviteCall.self, EndInvitesCall.self,
            BackUpIdentityCall.self, RevocationCertificateCall.self, RotationPlanCall.self,
            RotateIdentityCall.self, RevokeIdentityCall.self,
        ],
        "The vault": [
            SetPassphraseCall.self, ChangePassphraseCall.self, RemovePassphraseCall.self, LockCall.self,
            UnlockCall.self, EraseCall.self,
        ],
    ]

    static let all = chapters.flatMap(\.value)

    static let named: [String: any RPCMethod.Type] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The methods that clients call only for a user, and never by themselves, at an event or at intervals.
    ///
    /// `delivery`, `profile`, `retention`, `draft` and `group.inviters` are acts if they set a value.
    static let acts: Set<String> = [
        "present", "send", "cancel", "react", "edit", "delete", "typing", "poll.create", "poll.vote", "poll.close",
        "verify", "trust", "contact.rename", "follow", "mute", "unmute", "pin", "unpin", "timer", "search",
        "fetchMedia", "cancelMedia",
        "history.delete", "history.export", "history.import", "hubs.add", "hubs.remove",
        "group.create", "group.history", "group.add", "group.remove", "group.rename", "group.admin", "group.successor",
        "group.takeOver", "group.handover",
        "group.leave", "group.answer",
        "room.create", "room.join", "room.approve", "room.door", "room.rename", "room.remove", "room.handover",
        "room.leave", "room.export", "room.import",
        "passphrase.set", "passphrase.change", "passphrase.remove",
        "identity.invite", "identity.endInvites", "identity.rotate", "identity.revoke",
        "identity.backup", "identity.certificate",
    ]
}

/// The result of a method that only reports its completion.
package struct EmptyReply: Codable, Hashable, Sendable {
    package init() {}
}

/// Descriptions that several parameters share.
enum Meaning {
    static let peer = "A peer id, its first eight or more digits, or the name that is shown."
    static let conversation =
        """
        A peer id, its first eight or more digits, or a nickname; the id of a group or room; or `group:` or `room:` \
        and a title.
        """
    static let group = "The group's id, its first eight or more digits, or its title."
    static let room = "The room's id, its first eight or more digits, or its title."
    static let member = "A member's peer id, its first eight or more digits, or their name there."
    static let message = "The message's id, 32 hexadecimal digits."
    static let poll = "The id of the poll's message, 32 hexadecimal digits."
    static let index = "The place of the attachment in the message, from 0; 0 by default."
    static let replyTo = "The id of the message that this one answers."
    static let expiresAfter =
        "Seconds after which a read message disappears, 0 for never; the timer of the conversation by default."
    static let limit = "The largest number of messages; 50 by default."
    static let history = "The earlier messages that new members get: `none`, `last:` and a number, or `all`."
    static let passphrase = "The passphrase of the data directory."
}
