/// An identity as a QR code or a link for verification by a program; it holds whole IDs, and users compare nothing.
///
/// Shape: `earshot:peer?id=` ‖ the ID that it shows (64 hexadecimal digits), then, if it is meant for one peer,
/// `&with=` ‖ that peer's ID (64). Source: PROTOCOL §9.
public struct IdentityCode: Hashable, Sendable {
    /// The identity that shows the code.
    public let id: PeerID
    /// The peer that the code is meant for, by the ID that the showing identity has stored for this peer; nil for any
    /// peer.
    public let audience: PeerID?

    private static let prefix = "earshot:peer?id="
    private static let separator = "&with="

    /// Makes the code of an identity, for one peer or for any peer.
    public init(of id: PeerID, for audience: PeerID? = nil) {
        self.id = id
        self.audience = audience
    }

    /// Reads a code, in upper or lower case and with white space around it.
    public init?(_ text: String) {
        let trimmed = text.drop(while: \.isWhitespace)
        // A longer text is no code and needs no further check.
        guard trimmed.utf8.count <= 2 * Self.byteCount else { return nil }
        let lowered = trimmed.lowercased()
        guard lowered.hasPrefix(Self.prefix), let last = lowered.lastIndex(where: { !$0.isWhitespace }) else {
            return nil
        }
        let rest = lowered[...last].dropFirst(Self.prefix.count)
        let tail = rest.dropFirst(2 * PeerID.byteCount)
        guard let id = PeerID(hex: String(rest.prefix(2 * PeerID.byteCount))) else { return nil }
        guard !tail.isEmpty else {
            self.init(of: id)
            return
        }
        guard tail.hasPrefix(Self.separator),
            let audience = PeerID(hex: String(tail.dropFirst(Self.separator.count)))
        else { return nil }
        self.init(of: id, for: audience)
    }

    /// The code as a link.
    public var text: String {
        Self.prefix + id.description + (audience.map { Self.separator + $0.description } ?? "")
    }

    private static let byteCount = 16 + 64 + 6 + 64
}
