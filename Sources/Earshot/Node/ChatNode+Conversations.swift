public import ChatCore
public import ChatCrypto
import ChatHistory
public import Foundation

extension ChatNode {
    /// Returns all peers that this node knows: those the user talks to first, then by name; none on failure.
    public func contacts() async -> [Contact] {
        (try? await account.look { engine in engine.contacts(at: engine.step.time) }) ?? []
    }

    /// Returns the contact that a user means by a nickname, a peer id or its first eight or more digits.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous` with the candidates.
    public func contact(named who: String) async throws(ChatError) -> Contact {
        try await account.look { engine in try engine.contact(named: who, at: engine.step.time) }
    }

    /// Returns the safety number that both sides compare; it is the same on both.
    ///
    /// - Parameter peer: The peer.
    /// - Returns: 60 digits.
    /// - Throws: `notFound` if the peer's keys are not known.
    public func safetyNumber(with peer: PeerID) async throws(ChatError) -> String {
        try await account.look { engine in try engine.safetyNumber(with: peer).digits }
    }

    /// Compares a safety number; if it matches, the peer becomes verified.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - number: 60 digits, spaces allowed.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`; then nothing has changed.
    @discardableResult
    public func verify(_ peer: PeerID, number: String) async throws(ChatError) -> TrustState {
        try await account.transact { engine in
            try engine.verify(peer, number: number)
            return engine.trust.state(of: peer)
        }
    }

    /// Compares a code that the user scanned from the peer's screen.
    ///
    /// If it is of this peer, and is meant for this node or for any node, the peer becomes verified.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - code: The code that the peer's node shows.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`; then nothing has changed.
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
    ///   - peer: The peer.
    ///   - decision: Accept, block or unblock.
    /// - Returns: The contact now.
    /// - Throws: `notFound`, or `refusedByTrust` if the peer's state does not allow it.
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

    /// Returns all conversations: the pinned ones first; in both parts rooms first, then the most recently changed.
    ///
    /// - Throws: The store's error.
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

    /// Returns a page of a conversation, oldest first.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - before: Only messages before this one; nil for the newest.
    /// - Returns: The page.
    /// - Throws: `notFound` for an unknown `before`, or the store's error.
    public func history(
        _ conversation: ConversationID,
        limit: Int = 50,
        before: MessageID? = nil
    ) async throws(ChatError) -> [Message] {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).page(limit: limit, before: before)
        }
    }

    /// Returns a page of a part of a conversation, oldest first: its first messages if the part has a beginning, else
    /// its last.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - span: The part.
    /// - Returns: The page.
    /// - Throws: `notFound` if a message at an edge is not of this conversation, or the store's error.
    public func history(
        _ conversation: ConversationID,
        limit: Int = 50,
        within span: HistorySpan
    ) async throws(ChatError) -> [Message] {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).page(limit: limit, within: span)
        }
    }

    /// Returns a part of a conversation, with the numbers of messages before and after it.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - limit: The largest number of messages; at most 1,000.
    ///   - place: The part.
    /// - Throws: `notFound` if a message is not of this conversation, or the store's error.
    public func historyWindow(
        _ conversation: ConversationID,
        limit: Int = 50,
        at place: HistoryWindow.Place
    ) async throws(ChatError) -> HistoryWindow {
        try await account(of: conversation).look { engine in
            try engine.history(of: conversation).window(limit: limit, at: place)
        }
    }

    /// Marks messages of a conversation as read; this starts the time of those that disappear.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - last: The newest message that was read; nil for all.
    /// - Throws: `notFound` for an unknown `last`, or the store's error.
    public func markRead(_ conversation: ConversationID, upTo last: MessageID? = nil) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.markRead(conversation, upTo: last)
        }
    }

    /// Removes an own message that has not arrived everywhere from the outbox; copies that have left may still arrive.
    ///
    /// - Parameter message: The message; its status becomes `failed(.cancelled)`, unless a receipt comes later.
    /// - Throws: `notFound` if it does not wait, or the store's error.
    public func cancel(_ message: MessageID) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.cancel(message)
        }
    }

    /// Mutes a conversation for a time.
    ///
    /// Messages still arrive.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - until: The end of that time; by default it never ends. A moment in the past unmutes the conversation.
    /// - Returns: The conversation now.
    /// - Throws: `notFound` if there is no such conversation, or the store's error.
    @discardableResult
    public func mute(
        _ conversation: ConversationID,
        until: Date = .distantFuture
    ) async throws(ChatError) -> Conversation {
        try await account(of: conversation).transact { engine in
            try engine.mute(conversation, until: Timestamp(until))
        }
    }

    /// Returns the facts of a message for the policy of notices; nil if the message needs no notice.
    ///
    /// - Parameter message: A message from an event.
    public func noticeFacts(of message: Message) async -> NoticeFacts? {
        try? await account(of: message.conversation).look { engine in engine.noticeFacts(of: message) }
    }

    /// Ends the sessions with a peer on both sides and wipes their keys; the contact and the history stay.
    ///
    /// - Parameter peer: The peer.
    /// - Throws: The store's error.
    public func endSession(with peer: PeerID) async throws(ChatError) {
        try await account.transact { engine in engine.endSession(with: peer) }
    }
}
