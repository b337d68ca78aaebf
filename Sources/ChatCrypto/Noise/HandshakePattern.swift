/// The messages of a Noise handshake and the keys that each of them sends.
///
/// Source: The Noise Protocol Framework, revision 34, sections 7 and 9.
struct HandshakePattern: Sendable {
    /// One step of a message.
    ///
    /// Two letters name the initiator's key first, then the responder's.
    enum Token: Sendable {
        case e, s, ee, es, se, ss, psk
    }

    /// The name of the pattern, as a part of the protocol's name.
    let name: String
    /// Whether the initiator knows the responder's static key in advance.
    let isResponderKnown: Bool
    /// The tokens of each message; the initiator writes the first message, then the sides take turns.
    let messages: [[Token]]

    /// The link handshake: both sides send a static key, and a pre-shared key of the mesh comes first.
    static let xxPSK0 = HandshakePattern(
        name: "XXpsk0",
        isResponderKnown: false,
        messages: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]]
    )

    /// The full protocol name with Earshot's algorithms.
    var protocolName: String { "Noise_\(name)_25519_AESGCM_SHA256" }

    var usesPreSharedKey: Bool { messages.joined().contains(.psk) }
}
