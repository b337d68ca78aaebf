@testable import ChatCrypto

/// Messages of one content, as most tests send them.
extension SessionTable {
    mutating func seal(
        _ content: [UInt8],
        as kind: CarrierKind = .sealed,
        to peer: PublicIdentity,
        bundle: PrekeyBundle?,
        at now: UInt32
    ) throws(CryptoError) -> (message: SealedMessage, change: SessionChange) {
        try seal([content], as: kind, to: peer, bundle: bundle, at: now)
    }
}

extension OpenedMessage {
    /// The only content; empty if the message ends the session.
    var content: [UInt8] { contents.first ?? [] }
}
