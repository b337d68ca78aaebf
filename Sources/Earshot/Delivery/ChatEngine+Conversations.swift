import ChatCrypto
import ChatHistory
import Foundation
import MeshCore

extension ChatEngine {
    /// An empty conversation that this node's user begins.
    func newConversation(with peer: PeerID) -> ConversationState {
        var record = ProtoConversationRecord()
        record.peer = .init(peer.bytes)
        record.nextOrder = 1
        record.expectedOrder = 1
        return ConversationState(record: record)
    }

    /// An empty conversation that a peer begins; a stranger's is a request, and the oldest one makes room for it.
    mutating func newConversationFromPeer(
        _ peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws -> ConversationState {
        var state = newConversation(with: peer)
        guard trust.state(of: peer) == .unknown else { return state }
        state.record.request = true
        let requests = conversations.filter { $0.value.record.request }
        if requests.count >= ChatLimits.requestCount,
            let oldest = requests.min(by: { ($0.value.record.changedAt, $0.key) < ($1.value.record.changedAt, $1.key) })
        {
            forget(oldest.key, in: &transaction)
        }
        return state
    }

    /// Destroys a conversation and its key.
    private mutating func forget(_ peer: PeerID, in transaction: inout ChatTransaction) {
        conversations[peer] = nil
        owed.forget(peer)
        while let next = held.takeFirst(of: peer) {
            transaction.delete(.held, next.id.bytes)
        }
        transaction.destroyConversation(transaction.conversationID(peer))
        transaction.delete(.conversations, peer.bytes)
    }

    /// Puts a message at the end of its conversation and tells it.
    mutating func place(
        _ record: ProtoMessageRecord,
        in peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws {
        var state = conversations[peer] ?? newConversation(with: peer)
        let sequence: UInt64
        if let next = state.nextSequence {
            sequence = next
        } else {
            sequence = try transaction.highestSequence(peer) + 1
        }
        state.nextSequence = sequence + 1
        state.record.changedAt = transaction.time.wall
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        let conversation = transaction.conversationID(peer)
        transaction.put(.messages, [UInt8](record.id), conversation: conversation, sequence: sequence, record)
        if let message = message(from: record, with: peer) {
            transaction.perform(.tell(.message(message)))
        }
    }

    /// A stored message as people see it; nil for content of a kind this version does not show.
    func message(from record: ProtoMessageRecord, with peer: PeerID) -> Message? {
        guard let id = MessageID(bytes: record.id), let sender = PeerID(bytes: record.sender),
            let content = MessageContent.decode([UInt8](record.content)), case .text(let text) = content.body
        else { return nil }
        return Message(
            id: id,
            conversation: .direct(peer),
            sender: sender,
            senderName: sender == ownID ? nickname : name(of: sender),
            text: text,
            sentAt: Date(timeIntervalSince1970: Double(content.sentAt) / 1_000),
            receivedAt: Date(timeIntervalSince1970: Double(record.receivedAt) / 1_000),
            isOutgoing: record.outgoing,
            isRequest: conversations[peer]?.record.request ?? false,
            status: DeliveryStatus(rank: Int(record.status), failure: record.failure)
        )
    }

    /// What a peer is called here; the first digits of its id while it has told no name.
    func name(of peer: PeerID) -> String {
        trust.name(of: peer) ?? String(peer.description.prefix(8))
    }

    /// Takes the user's decision about a peer; accepting one lets its receipts leave and its messages in.
    mutating func decide(
        _ decision: TrustDecision,
        about peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws {
        let events = try trust.decide(decision, about: peer, at: transaction.time.seconds)
        try settle(events, about: peer, in: &transaction)
    }

    /// Compares a safety number that the user typed or scanned; true makes the peer verified.
    mutating func verify(
        _ peer: PeerID,
        number: String,
        in transaction: inout ChatTransaction
    ) throws -> Bool {
        guard let theirs = trust.identity(of: peer) else { return false }
        let expected = SafetyNumber(sessions.identity.publicIdentity.fingerprint(), theirs.fingerprint())
        guard expected.matches(typed: number) else { return false }
        let events = try trust.verify(peer, at: transaction.time.seconds)
        try settle(events, about: peer, in: &transaction)
        return true
    }

    /// Marks all messages of a conversation as looked at.
    mutating func markRead(_ peer: PeerID, in transaction: inout ChatTransaction) {
        guard var state = conversations[peer], state.record.unread > 0 else { return }
        state.record.unread = 0
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
    }

    /// Ends the sessions with a peer here and tells it, if it can be told.
    mutating func endSession(with peer: PeerID, in transaction: inout ChatTransaction) {
        let (messages, change) = sessions.end(with: peer, at: transaction.time.seconds)
        records.write(change, in: &transaction)
        for message in messages {
            guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { continue }
            transaction.perform(.submit(kind: kind, body: message.body, life: ChatLimits.sealedLife))
        }
    }

    /// Writes what trust has learned, tells it, and lets go what was waiting for it.
    mutating func settle(_ events: [TrustEvent], about peer: PeerID, in transaction: inout ChatTransaction) throws {
        guard !events.isEmpty else { return }
        for id in Set([peer] + events.map(\.peer)).sorted() {
            records.writeTrust(of: id, in: trust, in: &transaction)
        }
        for event in events {
            transaction.perform(.tell(.trust(event)))
        }
        for id in Set([peer] + events.map(\.peer)).sorted() {
            if isAccepted(id) {
                if var state = conversations[id], state.record.request {
                    state.record.request = false
                    conversations[id] = state
                    transaction.put(.conversations, id.bytes, state.record)
                }
                owed.release(id, at: transaction.time.monotonic)
                try sealWaiting(for: id, in: &transaction)
            }
            if let contact = contact(id, at: transaction.time) {
                transaction.perform(.tell(.contact(contact)))
            }
        }
        if trust.state(of: peer) == .blocked || trust.state(of: peer) == .revoked {
            for entry in outbox.inOrder.filter({ $0.peer == peer && $0.envelope == nil }).prefix(ChatLimits.failCount) {
                try fail(entry, .refusedByTrust, in: &transaction)
            }
        }
    }

    /// A peer as a contact list shows it; nil if trust knows nothing of it.
    func contact(_ peer: PeerID, at time: ChatTime) -> Contact? {
        guard let known = trust.identity(of: peer) else { return nil }
        let lastSeen = peers[peer]?.lastSeen ?? 0
        return Contact(
            id: peer,
            name: name(of: peer),
            trust: trust.state(of: peer),
            identity: known,
            isReachable: lastSeen > 0 && lastSeen + ChatLimits.reachableAge > time.wall,
            lastSeen: lastSeen > 0 ? Date(timeIntervalSince1970: Double(lastSeen) / 1_000) : nil
        )
    }
}
