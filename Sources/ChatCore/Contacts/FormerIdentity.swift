import Bytes
import ChatCrypto

/// An identity that the user had before.
///
/// For 8 days it opens what is sent to it and confirms that, and finishes what was in the outbox: messages written before,
/// and the word of who has taken its place. Nothing new is written under it. Source: PROTOCOL §9.
struct FormerIdentity: Sendable {
    /// Counts the user's identities from 0.
    let generation: UInt32
    /// Units: seconds since 1970; 0 for one that is to be forgotten at once.
    var retiredAt: UInt32
    var sessions: SessionTable

    /// Its id.
    var id: PeerID { sessions.identity.publicIdentity.id }

    /// Whether nothing is taken for it any more, and its keys are to go.
    func isOver(at now: UInt32) -> Bool {
        now > retiredAt && now - retiredAt > TrustLimits.receiveOnlySeconds
    }

    /// How long something is taken for it still.
    func rest(at now: UInt32) -> Duration {
        let end = UInt64(retiredAt) + UInt64(TrustLimits.receiveOnlySeconds) + 1
        return .seconds(end > now ? end - UInt64(now) : 0)
    }

    /// The name of its record.
    static func name(of generation: UInt32) -> [UInt8] { Array("former".utf8) + generation.bigEndianBytes }
}
