import EarshotRPC

/// A change of the trust in a peer, as a line beside a conversation.
enum TrustText {
    /// Makes the line; nil for a change that needs no attention.
    static func line(_ trust: TrustReply) -> String? {
        let peer = trust.peer.prefix(8)
        switch trust.event {
        case "rotated":
            return "\(peer) has a new identity, \(trust.to?.prefix(8) ?? "")."
        case "revoked":
            return "\(peer) is revoked: Earshot sends nothing to it and accepts nothing from it any more."
        case "changed":
            return
                "\(trust.claimant?.prefix(8) ?? "Another one") claims to be \(peer): use `verify` or `trust accept`."
        default: return nil
        }
    }
}
