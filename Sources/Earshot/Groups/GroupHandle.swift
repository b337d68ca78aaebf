public import ChatCore
public import ChatCrypto

/// The membership of a group or room.
///
/// Its owner changes it; an admin of a group proposes changes to the owner's node. The owner's node makes the change of an admin without asking, as soon as it hears of it.
public struct GroupHandle: Hashable, Identifiable, Sendable {
    /// The group's id.
    public let id: GroupID
    let node: ChatNode

    /// Whether two handles are of the same group of the same node.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.node === right.node }

    /// Hashes the group and its node.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(ObjectIdentifier(node))
    }

    /// The account that holds the group.
    private var account: Account {
        get async throws(ChatError) { try await node.account(of: node.conversationID(of: id)) }
    }

    /// The group now and after each change.
    public var updates: Updates<ChatGroup> {
        Updates(
            node.feed,
            after: { [id] event in
                switch event {
                case .group(id, _), .room(id, _): true
                default: false
                }
            },
            read: { [self] () async throws(ChatError) in try await present() }
        )
    }

    /// Returns the group as it is now.
    ///
    /// - Throws: `notFound` if this node knows no such group.
    public func present() async throws(ChatError) -> ChatGroup {
        try await account.read { engine in
            guard let view = engine.view(of: id) else { throw ChatError(.notFound, "No group has this id.") }
            return view
        }
    }

    /// Adds members.
    ///
    /// - Parameter peers: The new members. A peer that has this node as a contact joins at once; others are asked.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `refusedByTrust`, `limited`, or the store's error.
    @discardableResult
    public func add(_ peers: [PeerID]) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.add(peers, to: id) }
    }

    /// Removes a member; they cannot read what is written from now on.
    ///
    /// - Parameter peer: The member.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `ownsGroup`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func remove(_ peer: PeerID) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.remove(peer, from: id) }
    }

    /// Changes the title.
    ///
    /// - Parameter title: 1 to 128 bytes of UTF-8.
    /// - Returns: The group now.
    /// - Throws: `badName`, `notOwner`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func rename(to title: String) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.rename(id, to: title) }
    }

    /// Makes a member an admin, or an admin an ordinary member.
    ///
    /// An admin adds and removes members, and changes the title and the history for new members.
    ///
    /// - Parameters:
    ///   - isAdmin: Whether the member is an admin from now on.
    ///   - peer: The member.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `limited` for more than 8 admins, or the store's error.
    @discardableResult
    public func setAdmin(_ isAdmin: Bool, _ peer: PeerID) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.setAdmin(isAdmin, peer, of: id) }
    }

    /// Makes another member the owner, as soon as that member's node has answered.
    ///
    /// - Parameter peer: The new owner.
    /// - Returns: The group now; `GroupEvent.ownershipTransferred` tells when it is done.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func transferOwnership(to peer: PeerID) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.transferOwnership(id, to: peer) }
    }

    /// Makes a member the successor, as soon as that member's node has answered, or withdraws the right.
    ///
    /// The successor may take over the group once the owner was silent for 14 days; see ``takeOver()``.
    ///
    /// - Parameter peer: The successor; nil for none.
    /// - Returns: The group now; `GroupEvent.policyChanged` tells when it is done.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func setSuccessor(_ peer: PeerID?) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.setSuccessor(peer, of: id) }
    }

    /// Takes over the group as the successor, once the owner was silent for 14 days.
    ///
    /// Another member has to be in reach. All members get fresh secrets. If the owner changes the group at the same time, the group is frozen.
    ///
    /// - Returns: The group now.
    /// - Throws: `notOwner` if this node is not the successor, `limited` if the owner was heard of or no other member
    ///   answers, `notMember`, `frozen`,
    ///   `notFound`, or the store's error.
    @discardableResult
    public func takeOver() async throws(ChatError) -> ChatGroup {
        try await account.takeOver(id)
    }

    /// Changes which earlier messages new members may receive.
    ///
    /// Messages that members have already received stay with them.
    ///
    /// - Parameter history: None, a number of the newest messages, or all.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `limited`, or the store's error.
    @discardableResult
    public func setHistory(_ history: GroupPolicy.History) async throws(ChatError) -> ChatGroup {
        try await change { engine in try engine.setHistory(history, of: id) }
    }

    /// Leaves the group; its keys are destroyed here, its messages stay.
    ///
    /// ``RoomList/leave(_:)`` leaves a room.
    ///
    /// - Returns: The group now.
    /// - Throws: `ownsGroup` for an owner that has not handed it over, `notMember`, `notFound`, or the store's error.
    @discardableResult
    public func leave() async throws(ChatError) -> ChatGroup {
        guard await !node.conversationID(of: id).isRoom else { throw ChatNode.isRoom }
        return try await change(asOwner: false) { engine in try engine.leave(id) }
    }

    /// Joins the group that this node is invited to, or rejects the invitation.
    ///
    /// - Parameter accepts: Whether to join.
    /// - Returns: The group now.
    /// - Throws: `notFound` if there is no invitation, or the store's error.
    @discardableResult
    public func answerInvitation(accepts: Bool) async throws(ChatError) -> ChatGroup {
        try await change(asOwner: false) { engine in try engine.answerInvitation(id, accepts: accepts) }
    }

    private func change(
        asOwner: Bool = true,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> ChatGroup {
        try await account.change(id, asOwner: asOwner, body)
    }
}
