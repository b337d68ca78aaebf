public import ChatCore
public import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Everybody this node knows: those the user talks to first, then by name.
    public func contacts() async -> [Contact] {
        (try? await account.look { engine in engine.contacts(at: engine.step.time) }) ?? []
    }

    /// The contact that a person means by a nickname, a peer id or its first eight or more digits.
    ///
    /// - Parameter who: What the person typed.
    /// - Throws: `notFound`, or `ambiguous` with the candidates.
    public func contact(named who: String) async throws(ChatError) -> Contact {
        try await account.look { engine in try engine.contact(named: who, at: engine.step.time) }
    }

    /// The number both sides compare; the same on both.
    ///
    /// - Parameter peer: The other side.
    /// - Returns: 60 digits.
    /// - Throws: `notFound` if the peer's keys are not known.
    public func safetyNumber(with peer: PeerID) async throws(ChatError) -> String {
        try await account.look { engine in try engine.safetyNumber(with: peer).digits }
    }

    /// Compares a safety number and, if it is the right one, makes the peer verified.
    ///
    /// - Parameters:
    ///   - peer: The other side.
    ///   - number: 60 digits, spaces allowed.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`, and then nothing has changed.
    @discardableResult
    public func verify(_ peer: PeerID, number: String) async throws(ChatError) -> TrustState {
        try await account.transact { engine in
            try engine.verify(peer, number: number)
            return engine.trust.state(of: peer)
        }
    }

    /// Compares a code that the user scanned from the other side's screen and, if it is of this peer, and is meant for this
    /// node or for anybody, makes the peer verified.
    ///
    /// - Parameters:
    ///   - peer: The other side.
    ///   - code: What its node shows.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`, and then nothing has changed.
    @discardableResult
    public func verify(_ peer: PeerID, scanned code: IdentityCode) async throws(ChatError) -> TrustState {
        try await account.transact { engine in
            try engine.verify(peer, scanned: code)
            return engine.trust.state(of: peer)
        }
    }

    /// Carries out the user's decision about a peer.
    ///
    /// - Parameters:
    ///   - peer: Whom it is about.
    ///   - decision: Accept, block or unblock.
    /// - Returns: The contact now.
    /// - Throws: `notFound`, or `refusedByTrust` where the state does not allow it.
    @discardableResult
    public func trust(_ peer: PeerID, _ decision: TrustDecision) async throws(ChatError) -> Contact {
        try await account.transact { engine in
            try engine.decide(decision, about: peer)
            guard let contact = engine.contact(peer, at: engine.step.time) else {
                throw ChatError(.notFound, "No contact has this id.")
            }
            return contact
        }
    }

    /// All conversations: what is pinned first, of that and of the others rooms first, then the most recently changed.
    ///
    /// - Throws: What the store refuses.
    public func conversations() async throws(ChatError) -> [Conversation] {
        var all: [Conversation] = []
        for room in registry.accounts {
            guard let id = await room.roomView()?.id else { continue }
            // A room that ends meanwhile is not listed.
            let own = try? await room.look { engine in try engine.conversationList() }
            all += (own ?? []).filter { $0.id == .room(id) }
        }
        all += try await account.look { engine in try engine.conversationList() }
        return all.filter(\.isPinned) + all.filter { !$0.isPinned }
    }

    /// A page of a conversation, oldest first.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - limit: Messages at most; at most 1,000.
    ///   - before: Only messages before this one; nil for the newest.
    /// - Returns: The page.
    /// - Throws: `notFound` for an unknown `before`, or what the store refuses.
    public func history(
        _ conversation: ConversationID,
        limit: Int = 50,
        before: MessageID? = nil
    ) async throws(ChatError) -> [Message] {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).page(limit: limit, before: before)
        }
    }

    /// A page of a part of a conversation, oldest first: its beginning where the part has one, else its end.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - limit: Messages at most; at most 1,000.
    ///   - span: The part.
    /// - Returns: The page.
    /// - Throws: `notFound` for a message at an edge that is not of this conversation, or what the store refuses.
    public func history(
        _ conversation: ConversationID,
        limit: Int = 50,
        within span: HistorySpan
    ) async throws(ChatError) -> [Message] {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).page(limit: limit, within: span)
        }
    }

    /// A part of a conversation, and how many messages stand before and after it.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - limit: Messages at most; at most 1,000.
    ///   - place: What part.
    /// - Throws: `notFound` for a message that is not of this conversation, or what the store refuses.
    public func historyWindow(
        _ conversation: ConversationID,
        limit: Int = 50,
        at place: HistoryWindow.Place
    ) async throws(ChatError) -> HistoryWindow {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).window(limit: limit, at: place)
        }
    }

    /// Marks messages of a conversation as looked at; the time of those that are to go begins.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - last: The newest message that was looked at; nil for all.
    /// - Throws: `notFound` for an unknown `last`, or what the store refuses.
    public func markRead(_ conversation: ConversationID, upTo last: MessageID? = nil) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.markRead(conversation, upTo: last)
        }
    }

    /// Takes an own message that has not arrived everywhere out of the outbox; what has left may arrive all the same.
    ///
    /// - Parameter message: Its status becomes `failed(.cancelled)`, unless a receipt comes in the end.
    /// - Throws: `notFound` where it does not wait, or what the store refuses.
    public func cancel(_ message: MessageID) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.cancel(message)
        }
    }

    /// Wants no notices of a conversation for a while; its messages come as before.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - until: The end of the while; the default is to hear nothing more, a moment that has passed ends it.
    /// - Returns: The conversation now.
    /// - Throws: `notFound` where there is no such conversation, or what the store refuses.
    @discardableResult
    public func mute(
        _ conversation: ConversationID,
        until: Date = .distantFuture
    ) async throws(ChatError) -> Conversation {
        try await account(of: conversation).transact { engine in
            try engine.mute(conversation, until: Timestamp(until))
        }
    }

    /// What the policy of notices has to know of a message; nil for one that nobody needs to be told of.
    ///
    /// - Parameter message: A message that an event has told.
    public func noticeFacts(of message: Message) async -> NoticeFacts? {
        try? await account(of: message.conversation).look { engine in engine.noticeFacts(of: message) }
    }

    /// Ends the sessions with a peer on both sides and wipes their keys; contact and history stay.
    ///
    /// - Parameter peer: The other side.
    /// - Throws: What the store refuses.
    public func endSession(with peer: PeerID) async throws(ChatError) {
        try await account.transact { engine in engine.endSession(with: peer) }
    }
}
