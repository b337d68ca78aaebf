/// One method of the interface: its parameters, and what it does with a node.
///
/// The same type is what a server reads and what a client sends, so the two cannot drift apart.
package protocol RPCMethod: Codable, Sendable {
    /// What the method answers.
    associatedtype Reply: Codable & Sendable
    /// The method's name on the wire.
    static var name: String { get }
    /// The names of its parameters; any other is refused rather than passed over.
    static var parameters: [String] { get }
    /// Whether its answer may depend on somebody far away, so that the client's other requests go on meanwhile.
    static var waitsForPeer: Bool { get }
    /// Whether a locked node refuses it.
    static var needsKeys: Bool { get }
    /// Whether it is an act of a person, after which the time until a node locks itself begins anew.
    var isAct: Bool { get }

    /// Does it.
    func perform(on node: any RPCNode) async throws(RPCError) -> Reply
}

extension RPCMethod {
    /// Most methods are answered by the node alone.
    package static var waitsForPeer: Bool { false }
    /// Most methods are about what is in the home.
    package static var needsKeys: Bool { true }
    /// The table decides.
    package var isAct: Bool { RPCMethods.acts.contains(Self.name) }
}

/// The methods of this release.
enum RPCMethods {
    static let all: [any RPCMethod.Type] = [
        StatusCall.self, ProfileCall.self, ContactsCall.self, SafetyNumberCall.self, VerifyCall.self, TrustCall.self,
        ConversationsCall.self, SendCall.self, HistoryCall.self, HistoryWindowCall.self, MarkReadCall.self,
        MuteCall.self, UnmuteCall.self, MediaCall.self, HistoryCheckCall.self, HistoryDeleteCall.self,
        RetentionCall.self, DraftCall.self,
        PinCall.self, UnpinCall.self,
        ReactCall.self, EditCall.self, DeleteCall.self, PollCreateCall.self, PollVoteCall.self, PollCloseCall.self,
        TimerCall.self, TypingCall.self, FetchMediaCall.self, CancelMediaCall.self, CancelCall.self,
        DeliveriesCall.self,
        GroupsCall.self, CreateGroupCall.self, GroupHistoryCall.self, AddToGroupCall.self,
        RemoveFromGroupCall.self, RenameGroupCall.self, HandOverGroupCall.self, LeaveGroupCall.self,
        AnswerInvitationCall.self,
        RoomsCall.self, VisibleRoomsCall.self, CreateRoomCall.self, JoinRoomCall.self, ApproveCall.self, DoorCall.self,
        RenameRoomCall.self, RemoveFromRoomCall.self, HandOverRoomCall.self, LeaveRoomCall.self,
        SetPassphraseCall.self, ChangePassphraseCall.self, RemovePassphraseCall.self,
        LockCall.self, UnlockCall.self, EraseCall.self, BackUpIdentityCall.self,
        RotationPlanCall.self, RotateIdentityCall.self, RevocationCertificateCall.self, RevokeIdentityCall.self,
        ExportRoomsCall.self, ImportRoomsCall.self,
        SearchCall.self, SearchProgressCall.self, ExportCall.self, ImportCall.self,
        PingCall.self, MapCall.self, MetricsCall.self, PageCall.self, SubscribeCall.self, ShutdownCall.self,
        PresentCall.self, EndPageCall.self,
    ]

    /// The methods that clients call for a person alone, and never by themselves, at an event or at intervals.
    ///
    /// `profile`, `retention` and `draft` are acts where they set something.
    static let acts: Set<String> = [
        "present", "send", "cancel", "react", "edit", "delete", "typing", "poll.create", "poll.vote", "poll.close",
        "verify", "trust", "mute", "unmute", "pin", "unpin", "timer", "search", "fetchMedia", "cancelMedia",
        "history.delete", "history.export", "history.import",
        "group.create", "group.history", "group.add", "group.remove", "group.rename", "group.handover", "group.leave",
        "group.answer",
        "room.create", "room.join", "room.approve", "room.door", "room.rename", "room.remove", "room.handover",
        "room.leave", "room.export", "room.import",
        "passphrase.set", "passphrase.change", "passphrase.remove",
        "identity.rotate", "identity.revoke", "identity.backup", "identity.certificate",
    ]

    static let named: [String: any RPCMethod.Type] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// The answer of a method that has nothing to tell but that it is done.
package struct EmptyReply: Codable, Hashable, Sendable {
    /// Makes it.
    package init() {}
}
