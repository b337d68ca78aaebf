public import ChatCore
public import ChatCrypto

extension ChatNode {
    /// All groups this node is or was in, or that somebody wants it in; the most recently changed first.
    ///
    /// - Throws: What the store refuses.
    public func groups() throws(ChatError) -> [Group] {
        try look { engine, _ in engine.groupList }
    }

    /// The group that a person means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: What the person typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func group(named who: String) throws(ChatError) -> Group {
        try look { engine, _ in try engine.group(named: who) }
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
        try await transact { engine, transaction in
            try engine.createGroup(title: title, members: members, history: history, in: &transaction)
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
        try await changeAsOwner(group) { engine, transaction in
            try engine.setHistory(history, of: group, in: &transaction)
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
        try await changeAsOwner(group) { engine, transaction in try engine.add(peers, to: group, in: &transaction) }
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
        try await changeAsOwner(group) { engine, transaction in try engine.remove(peer, from: group, in: &transaction) }
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
        try await changeAsOwner(group) { engine, transaction in try engine.rename(group, to: title, in: &transaction) }
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
        try await changeAsOwner(group) { engine, transaction in try engine.handOver(group, to: peer, in: &transaction) }
    }

    /// Leaves a group; its keys are destroyed here, its messages stay.
    ///
    /// - Parameter group: Which.
    /// - Returns: The group now.
    /// - Throws: `ownsGroup` for an owner who has not handed it over, `notMember`, `notFound`, or what the store refuses.
    @discardableResult
    public func leave(_ group: GroupID) async throws(ChatError) -> Group {
        try checkNoRoom(group)
        return try await change(group) { engine, transaction in try engine.leave(group, in: &transaction) }
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
        try await change(group) { engine, transaction in
            try engine.answerInvitation(group, accepts: accepts, in: &transaction)
        }
    }

    /// How far a message to a group has come to each of those it is for.
    ///
    /// - Parameter message: One of this node's own.
    /// - Throws: `notFound` for any other message, or what the store refuses.
    public func deliveries(of message: MessageID) async throws(ChatError) -> [GroupDelivery] {
        if let room = await room(holding: message) { return try await room.deliveries(of: message) }
        return try look { engine, transaction in
            guard let deliveries = try engine.deliveries(of: message, in: transaction) else {
                throw ChatError(.notFound, "No own message to a group has this id.")
            }
            return deliveries
        }
    }

    /// The same for what the owner alone does, once it is sure that it has lost no operation.
    ///
    /// The home may be an earlier copy. It takes a member's answer, once after each start, or 45 seconds.
    private func changeAsOwner(
        _ group: GroupID,
        _ body: @Sendable (inout ChatEngine, inout ChatTransaction) throws -> Void
    ) async throws(ChatError) -> Group {
        if !engine.isSure(of: group) { try await confirm(group) }
        return try await change(group, body)
    }

    private func confirm(_ group: GroupID) async throws(ChatError) {
        // The answer may come before this is heard of again.
        let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
        confirming[group, default: []].append(continuation)
        do {
            try await transact { engine, transaction in try engine.confirm(group, in: &transaction) }
        } catch {
            endConfirming(group)
            throw error
        }
        for await _ in answers {}
    }

    /// Wakes whoever waits for the owner of a group to be sure.
    func endConfirming(_ group: GroupID) {
        for continuation in confirming.removeValue(forKey: group) ?? [] { continuation.finish() }
    }

    private func change(
        _ group: GroupID,
        _ body: @Sendable (inout ChatEngine, inout ChatTransaction) throws -> Void
    ) async throws(ChatError) -> Group {
        if let room = try await room(group) { return try await room.change(group, body) }
        return try await transact { engine, transaction in
            var view = engine.view(of: group)
            try body(&engine, &transaction)
            // Of an invitation that was turned down nothing is left.
            view?.standing = .out
            guard let view = engine.view(of: group) ?? view else {
                throw ChatError(.notFound, "No group has this id.")
            }
            return view
        }
    }
}
