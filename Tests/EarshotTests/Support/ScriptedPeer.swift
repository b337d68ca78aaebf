import ChatCrypto
import Earshot
import MeshCore

@testable import ChatCore

/// A peer that consists of sessions only.
///
/// It sends anything that a test gives it, including content that no engine sends.
struct ScriptedPeer {
    private(set) var sessions: SessionTable

    init(_ name: String, at time: ChatTime) throws {
        sessions = try SessionTable.restore([], identity: Identity(), nickname: Nickname(name), at: time.seconds).table
    }

    var identity: PublicIdentity { sessions.identity.publicIdentity }
    var id: PeerID { identity.id }

    /// The prekey bundle that the peer publishes.
    var bundle: Submission { Submission(.bundle, sessions.bundle.bytes, 1_000) }

    mutating func rename(to name: String, at time: ChatTime) throws {
        _ = sessions.rename(to: try Nickname(name), at: time.seconds)
    }

    /// Seals content for an engine.
    mutating func seal(_ content: [UInt8], to engine: ChatEngine, at time: ChatTime) throws -> Submission {
        try seal(content, to: engine.sessions.bundle, at: time)
    }

    /// Seals contents for an engine in one message.
    mutating func seal(pack contents: [[UInt8]], to engine: ChatEngine, at time: ChatTime) throws -> Submission {
        let bundle = engine.sessions.bundle
        return try Submission(sessions.seal(contents, to: bundle.identity, bundle: bundle, at: time.seconds).message)
    }

    /// Seals content for the owner of a prekey bundle.
    mutating func seal(_ content: [UInt8], to bundle: PrekeyBundle, at time: ChatTime) throws -> Submission {
        let (message, _) = try sessions.seal([content], to: bundle.identity, bundle: bundle, at: time.seconds)
        return try Submission(message)
    }

    /// Opens the submission of an engine; nil if it is not for this peer.
    mutating func open(_ submission: Submission, at time: ChatTime) throws -> OpenedMessage? {
        guard let kind = CarrierKind(rawValue: submission.kind.rawValue),
            let opened = sessions.open(InboundPacket(kind: kind, body: submission.body), at: time.seconds)
        else { return nil }
        _ = try sessions.commit(opened, sentAt: nil)
        return opened
    }

    /// Returns the contents of the submissions that are for this peer.
    mutating func contents(of submissions: [Submission], at time: ChatTime) throws -> [[UInt8]] {
        try submissions.flatMap { try open($0, at: time)?.contents ?? [] }
    }

    /// Seals a receipt for messages.
    mutating func confirm(_ ids: [MessageID], to engine: ChatEngine, at time: ChatTime) throws -> Submission {
        try seal(ContentBytes.receipt(ids), to: engine, at: time)
    }

    /// Makes a new prekey if one is due.
    mutating func renew(at time: ChatTime) {
        _ = sessions.expire(at: time.seconds)
    }

    /// Removes all sessions with a peer.
    mutating func loseSessions(with peer: PeerID) {
        _ = sessions.teardown(peer)
    }

    /// Returns the id of content that this peer sent to an engine.
    func messageID(of content: [UInt8], to engine: ChatEngine) -> MessageID {
        MessageID(sender: id, chat: engine.ownID.bytes, content: content)
    }
}

extension Submission {
    init(_ message: SealedMessage) throws {
        guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else {
            throw ChatError(.notFound, "No envelope carries this kind.")
        }
        self.init(kind, message.body, 1_000)
    }
}
