/// An identity as a picture or a link, from which a program verifies it: whole ids, nothing for a person to compare.
///
/// Shape: `earshot:peer?id=` ‖ the id that it shows (64 hexadecimal digits), then, if it is meant for one peer,
/// `&with=` ‖ that peer's id (64). Source: PROTOCOL §9.
public struct IdentityCode: Hashable, Sendable {
    /// Who shows it.
    public let id: PeerID
    /// Whom it is shown to, as who shows it knows this one; nil for anybody.
    public let audience: PeerID?

    private static let prefix = "earshot:peer?id="
    private static let separator = "&with="

    /// The code of an identity, to be shown to a peer or to anybody.
    public init(of id: PeerID, for audience: PeerID? = nil) {
        self.id = id
        self.audience = audience
    }

    /// Reads a code, in either case and with white space around it.
    public init?(_ text: String) {
        let trimmed = text.drop(while: \.isWhitespace)
        // Whatever is longer is no code, and not worth another look.
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
