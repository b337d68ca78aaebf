/// The trust in a peer.
///
/// Source: PROTOCOL §9.
public enum TrustState: String, Codable, Sendable, CaseIterable {
    /// Seen; the user has not decided.
    case unknown
    /// Pinned at first use; the safety number was never compared.
    case tofu
    /// The safety number was compared by the program.
    case verified
    /// Another identity claims to be this contact.
    ///
    /// Nothing is sent until the user decides.
    case changed
    /// The identity's owner has revoked it.
    case revoked
    /// The user has blocked the peer.
    case blocked

    /// The state in records.
    ///
    /// Shape: 1 byte.
    var code: UInt8 {
        switch self {
        case .unknown: 0
        case .tofu: 1
        case .verified: 2
        case .changed: 3
        case .revoked: 4
        case .blocked: 5
        }
    }

    init?(code: UInt8) {
        guard let state = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = state
    }
}
