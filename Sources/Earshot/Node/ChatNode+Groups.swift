public import ChatCore
public import ChatCrypto

extension ChatNode {
    /// Returns all groups that this node is or was in, or is invited to; the most recently changed first.
    ///
    /// - Throws: The store's error.
    public func groups() async throws(ChatError) -> [Group] {
        try await account.look { engine in engine.groupList }
    }

    /// Returns the group that a user means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func group(named who: String) async throws(ChatError) -> Group {
        try await account.look { engine in try engine.group(named: who) }
    }

    /// Creates a group that this node owns, and adds its first members.
    ///
    /// - Parameters:
    ///   - title: 1 to 128 bytes of UTF-8.
    ///   - members: At most 127. A peer that has this node as a contact joins at once; others are asked.
    ///   - history: The earlier messages that later members may receive.
    /// - Returns: The group.
    /// - Throws: `badName`, `notFound`, `refusedByTrust`, `limited`, or the store's error.
    @discardableResult
    public func createGroup(
        title: String,
        members: [PeerID] = [],
        history: GroupPolicy.History = .none
    ) async throws(ChatError) -> Group {
        try await account.transact { engine in
            try engine.createGroup(title: title, members: members, history: history)
        }
    }

    /// Changes which earlier messages new members of a group that this node owns may receive.
    ///
    /// Messages that members have already received stay with them.
    ///
    /// - Parameters:
    ///   - history: None, a number of the newest messages, or all.
    ///   - group: The group.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `limited`, or the store's error.
    @discardableResult
    public func setHistory(
        _ history: GroupPolicy.History,
        of group: GroupID
    ) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.setHistory(history, of: group)
        }
    }

    /// Adds members to a group that this node owns.
    ///
    /// - Parameters:
    ///   - peers: The new members.
    ///   - group: The group.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `refusedByTrust`, `limited`, or the store's error.
    @discardableResult
    public func add(_ peers: [PeerID], to group: GroupID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.add(peers, to: group)
        }
    }

    /// Removes a member from a group that this node owns; they cannot read what is written from now on.
    ///
    /// - Parameters:
    ///   - peer: The member.
    ///   - group: The group.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `ownsGroup`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func remove(_ peer: PeerID, from group: GroupID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.remove(peer, from: group)
        }
    }

    /// Renames a group that this node owns.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - title: 1 to 128 bytes of UTF-8.
    /// - Returns: The group now.
    /// - Throws: `badName`, `notOwner`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func rename(_ group: GroupID, to title: String) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.rename(group, to: title)
        }
    }

    /// Hands a group that this node owns over to another member, as soon as that member's node has answered.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - peer: The new owner.
    /// - Returns: The group now; `GroupEvent.handedOver` tells when it is done.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func handOver(_ group: GroupID, to peer: PeerID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.handOver(group, to: peer)
        }
    }

    /// Leaves a group; its keys are destroyed here, its messages stay.
    ///
    /// - Parameter group: The group.
    /// - Returns: The group now.
    /// - Throws: `ownsGroup` for an owner that has not handed it over, `notMember`, `notFound`, or the store's error.
    @discardableResult
    public func leave(_ group: GroupID) async throws(ChatError) -> Group {
        guard registry.number(of: group) == nil else { throw Self.isRoom }
        return try await account.change(group, asOwner: false) { engine in
            try engine.leave(group)
        }
    }

    /// Joins a group that this node is invited to, or rejects the invitation.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - accepts: Whether to join.
    /// - Returns: The group now.
    /// - Throws: `notFound` if there is no invitation, or the store's error.
    @discardableResult
    public func answerInvitation(to group: GroupID, accepts: Bool) async throws(ChatError) -> Group {
        try await account.change(group, asOwner: false) { engine in
            try engine.answerInvitation(group, accepts: accepts)
        }
    }

    /// Returns the status of a message to a group for each of its recipients.
    ///
    /// - Parameter message: A message of this node.
    /// - Throws: `notFound` for any other message, or the store's error.
    public func deliveries(of message: MessageID) async throws(ChatError) -> [GroupDelivery] {
        try await account(holding: message).look { engine in
            guard let deliveries = try engine.deliveries(of: message) else {
                throw ChatError(.notFound, "None of your messages to groups has this id.")
            }
            return deliveries
        }
    }
}
