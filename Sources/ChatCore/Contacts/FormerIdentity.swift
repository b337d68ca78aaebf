import Bytes
import ChatCrypto

/// An identity that the user had before.
///
/// For 8 days it opens and confirms what is sent to it, and finishes its entries in the outbox: messages written
/// before, and the statement that names its successor. Nothing new is written under it. Source: PROTOCOL §9.
struct FormerIdentity: Sendable {
    /// The number of the identity among the user's identities, counted from 0.
    let generation: UInt32
    /// The time of the rotation.
    ///
    /// Units: seconds since 1970; 0 for an identity to forget at once.
    var retiredAt: UInt32
    var sessions: SessionTable

    /// The id of the identity.
    var id: PeerID { sessions.identity.publicIdentity.id }

    /// Whether the identity receives nothing any more, so that its keys are destroyed.
    func isOver(at now: UInt32) -> Bool {
        now > retiredAt && now - retiredAt > TrustLimits.receiveOnlySeconds
    }

    /// Computes the time for which the identity still receives.
    func rest(at now: UInt32) -> Duration {
        let end = UInt64(retiredAt) + UInt64(TrustLimits.receiveOnlySeconds) + 1
        return .seconds(end > now ? end - UInt64(now) : 0)
    }

    /// Returns the name of its record.
    static func name(of generation: UInt32) -> [UInt8] { Array("former".utf8) + generation.bigEndianBytes }
}
