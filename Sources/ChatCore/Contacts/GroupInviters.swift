import ChatCrypto

/// The contacts that may add the user to groups without asking.
///
/// An invitation of anybody else waits for the user's answer. Its sender learns no more than of one that is joined: that
/// it arrived if the sender is a contact, and nothing if not. Source: PROTOCOL §16.
public enum GroupInviters: String, Hashable, Codable, Sendable, CaseIterable {
    /// The contacts that the user has verified.
    case verified
    /// All contacts that the user has accepted or verified.
    case accepted
    /// Nobody: the user answers each invitation.
    case nobody

    /// Reads a stored number; those of later versions ask the user.
    init(number: UInt32) {
        self =
            switch number {
            case 0: .accepted
            case 1: .verified
            default: .nobody
            }
    }

    /// The number in the store.
    var number: UInt32 {
        switch self {
        case .accepted: 0
        case .verified: 1
        case .nobody: 2
        }
    }

    /// Whether a peer in a trust state may add the user.
    func include(_ state: TrustState) -> Bool {
        switch self {
        case .verified: state == .verified
        case .accepted: state.isAccepted
        case .nobody: false
        }
    }
}
