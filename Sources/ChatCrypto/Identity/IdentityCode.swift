import Bytes
import Foundation

/// An identity as a QR code or a link: for verification by a program, or for a first message from afar.
///
/// It holds whole IDs, and users compare nothing. With a token it is a secret. Shape: `earshot:peer?id=` ‖ the ID that it
/// shows (64 hexadecimal digits), then in this order, each optional: `&with=` ‖ the ID of the peer that it is meant for
/// (64); `&far=` ‖ a token (32) ‖ `&day=` ‖ its first day (decimal); at most two `&hub=` ‖ the address of a hub,
/// percent-encoded. Source: PROTOCOL §9 and §19.
public struct IdentityCode: Hashable, Sendable {
    /// The most hubs that a code names.
    public static let hubCount = 2
    /// Units: bytes of the address of a hub.
    public static let hubByteCount = 128

    /// The identity that shows the code.
    public let id: PeerID
    /// The peer that the code is meant for, by the ID that the showing identity has stored for this peer; nil for any
    /// peer.
    public let audience: PeerID?
    /// The token of a mailbox in which the identity reads first messages; nil without one.
    public let token: MailboxToken?
    /// The addresses of the hubs where the mailbox is.
    public let hubs: [String]

    /// Makes the code of an identity, for one peer or for any peer.
    public init(of id: PeerID, for audience: PeerID? = nil) {
        (self.id, self.audience, token, hubs) = (id, audience, nil, [])
    }

    /// Makes the code by which anybody can write to an identity from another mesh.
    ///
    /// - Parameters:
    ///   - id: The identity.
    ///   - token: The token of its mailbox.
    ///   - hubs: The addresses of hubs in ASCII; those that no code can hold, and more than two, are left out.
    public init(of id: PeerID, _ token: MailboxToken, hubs: [String]) {
        self.init(id, nil, token, Array(hubs.filter(Self.isHub).prefix(Self.hubCount)))
    }

    private init(_ id: PeerID, _ audience: PeerID?, _ token: MailboxToken?, _ hubs: [String]) {
        (self.id, self.audience, self.token, self.hubs) = (id, audience, token, hubs)
    }

    /// Reads a code, in upper or lower case and with white space around it.
    public init?(_ text: String) {
        // A longer text is no code and needs no further check.
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.lowercased().hasPrefix(Self.prefix) else { return nil }
        var fields = Fields(trimmed.dropFirst(Self.prefix.count))
        guard let id = fields.take("id").flatMap({ PeerID(hex: $0) }) else { return nil }
        var (audience, token): (PeerID?, MailboxToken?)
        if let digits = fields.take("with") {
            guard let peer = PeerID(hex: digits) else { return nil }
            audience = peer
        }
        if let digits = fields.take("far") {
            guard let bytes = Hex.bytes(digits), let day = fields.take("day").flatMap(Self.day),
                let made = MailboxToken(bytes: bytes, day: day)
            else { return nil }
            token = made
        }
        var hubs: [String] = []
        while hubs.count < Self.hubCount, let hub = fields.take("hub") {
            guard let address = hub.removingPercentEncoding, Self.isHub(address) else { return nil }
            hubs.append(address)
        }
        guard fields.isAtEnd else { return nil }
        self.init(id, audience, token, hubs)
    }

    /// The code as a link.
    public var text: String {
        let far = token.map { "&far=\(Hex.text($0.bytes))&day=\($0.day)" }
        let addresses = hubs.map { hub in
            "&hub=" + (hub.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
        }
        return Self.prefix + "id=" + id.description + (audience.map { "&with=\($0)" } ?? "") + (far ?? "")
            + addresses.joined()
    }

    private static let prefix = "earshot:peer?"
    /// Units: bytes of the longest code, with some white space.
    private static let maximumByteCount = 1_280
    /// The characters that a link may show as they are; RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private static func isHub(_ address: String) -> Bool {
        1...hubByteCount ~= address.utf8.count && address.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private static func day(_ digits: String) -> UInt32? {
        digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt32(digits) : nil
    }
}

/// The fields of a code, from the first to the last.
private struct Fields {
    private var rest: [Substring]

    init(_ query: Substring) { rest = query.split(separator: "&", omittingEmptySubsequences: false) }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes the value of the next field if it has this name.
    mutating func take(_ name: String) -> String? {
        guard let field = rest.first, let middle = field.firstIndex(of: "="), field[..<middle].lowercased() == name
        else { return nil }
        rest.removeFirst()
        return String(field[middle...].dropFirst())
    }
}
