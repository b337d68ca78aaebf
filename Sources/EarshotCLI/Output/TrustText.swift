import EarshotRPC

/// The trust in a peer in words, and its changes as lines beside a conversation.
enum TrustText {
    /// Returns the word for a trust state; JSON keeps the state's own name.
    static func word(_ trust: String) -> String {
        switch trust {
        case "tofu": "not verified"
        case "unknown": "new"
        default: DisplayText.safe(trust)
        }
    }

    /// Makes the sentence about a contact whose trust was decided on.
    static func sentence(_ contact: ContactReply) -> String {
        let name = DisplayText.safe(contact.name)
        switch contact.trust {
        case "tofu": return "\(name) is accepted, but not verified."
        case "unknown": return "\(name) is new: you have not accepted them."
        default: return "\(name) is \(word(contact.trust))."
        }
    }

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
