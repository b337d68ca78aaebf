public import ChatCore
public import ChatCrypto

extension ChatNode {
    /// All groups this node is or was in, or that somebody wants it in; the most recently changed first.
    ///
    /// - Throws: What the store refuses.
    public func groups() async throws(ChatError) -> [Group] {
        try await account.look { engine in engine.groupList }
    }

    /// The group that a person means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: What the person typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func group(named who: String) async throws(ChatError) -> Group {
        try await account.look { engine in try engine.group(named: who) }
    }

    /// Founds a group that this node owns, and takes its first members in.
    ///
    /// - Parameters:
    ///   - title: 1 to 128 bytes of UTF-8.
    ///   - members: At most 127; contacts of theirs join at once, others are asked.
    ///   - history: What who comes later may be given of what was said before.
    /// - Returns: The group.
    /// - Throws: `badName`, `notFound`, `refusedByTrust`, `limited`, or what the store refuses.
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

    /// Decides anew what who comes to a group that this node owns may be given of what was said before.
    ///
    /// What was given stays given.
    ///
    /// - Parameters:
    ///   - history: None, so many of the newest messages, or all.
    ///   - group: Which.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `limited`, or what the store refuses.
    @discardableResult
    public func setHistory(
        _ history: GroupPolicy.History,
        of group: GroupID
    ) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.setHistory(history, of: group)
        }
    }

    /// Takes people into a group that this node owns.
    ///
    /// - Parameters:
    ///   - peers: Who.
    ///   - group: Which.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, `refusedByTrust`, `limited`, or what the store refuses.
    @discardableResult
    public func add(_ peers: [PeerID], to group: GroupID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.add(peers, to: group)
        }
    }

    /// Puts somebody out of a group that this node owns; what is written from here on, that one cannot read.
    ///
    /// - Parameters:
    ///   - peer: Who.
    ///   - group: Which.
    /// - Returns: The group now.
    /// - Throws: `notOwner`, `notMember`, `ownsGroup`, `frozen`, `notFound`, or what the store refuses.
    @discardableResult
    public func remove(_ peer: PeerID, from group: GroupID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.remove(peer, from: group)
        }
    }

    /// Gives a group that this node owns another title.
    ///
    /// - Parameters:
    ///   - group: Which.
    ///   - title: 1 to 128 bytes of UTF-8.
    /// - Returns: The group now.
    /// - Throws: `badName`, `notOwner`, `notMember`, `frozen`, `notFound`, or what the store refuses.
    @discardableResult
    public func rename(_ group: GroupID, to title: String) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.rename(group, to: title)
        }
    }

    /// Hands a group that this node owns over to another member, as soon as that one's node has answered.
    ///
    /// - Parameters:
    ///   - group: Which.
    ///   - peer: Who is to own it.
    /// - Returns: The group now; `GroupEvent.handedOver` tells when it is done.
    /// - Throws: `notOwner`, `notMember`, `frozen`, `notFound`, or what the store refuses.
    @discardableResult
    public func handOver(_ group: GroupID, to peer: PeerID) async throws(ChatError) -> Group {
        try await account(of: group).change(group) { engine in
            try engine.handOver(group, to: peer)
        }
    }

    /// Leaves a group; its keys are destroyed here, its messages stay.
    ///
    /// - Parameter group: Which.
    /// - Returns: The group now.
    /// - Throws: `ownsGroup` for an owner who has not handed it over, `notMember`, `notFound`, or what the store refuses.
    @discardableResult
    public func leave(_ group: GroupID) async throws(ChatError) -> Group {
        guard registry.number(of: group) == nil else { throw Self.isRoom }
        return try await account.change(group, asOwner: false) { engine in
            try engine.leave(group)
        }
    }

    /// Joins a group that somebody wants this node in, or turns it down.
    ///
    /// - Parameters:
    ///   - group: Which.
    ///   - accepts: Whether to join.
    /// - Returns: The group now.
    /// - Throws: `notFound` where there is no invitation, or what the store refuses.
    @discardableResult
    public func answerInvitation(to group: GroupID, accepts: Bool) async throws(ChatError) -> Group {
        try await account.change(group, asOwner: false) { engine in
            try engine.answerInvitation(group, accepts: accepts)
        }
    }

    /// How far a message to a group has come to each of those it is for.
    ///
    /// - Parameter message: One of this node's own.
    /// - Throws: `notFound` for any other message, or what the store refuses.
    public func deliveries(of message: MessageID) async throws(ChatError) -> [GroupDelivery] {
        try await account(holding: message).look { engine in
            guard let deliveries = try engine.deliveries(of: message) else {
                throw ChatError(.notFound, "No own message to a group has this id.")
            }
            return deliveries
        }
    }
}
