/// What the mesh needs from cryptography, supplied from outside; the mesh itself knows no cipher and no hash.
public protocol MeshCryptography: Sendable {
    /// The id of an envelope: a hash of its first byte and its body. Shape: 16 bytes. Source: PROTOCOL §2.
    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID

    /// The release hash that belongs to a preimage. Shape: 16 bytes in, 16 bytes out. Source: PROTOCOL §2.
    func releaseHash(preimage: [UInt8]) -> [UInt8]

    /// A message authentication code for cookies and beacons. Shape: 16 bytes.
    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]

    /// A keyed hash of a short id, fast and without collisions that could be found without the salt.
    ///
    /// Both ends of a link must have the same. Source: PROTOCOL §5.
    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64

    /// The tag of this node's network that beacons of the current day carry, newest first; empty in an open mesh.
    ///
    /// A beacon is accepted with any of them. Shape: 4 bytes each, at most 3.
    func networkTags() -> [UInt32]

    /// The key that authenticates beacons of a closed mesh; nil in an open one.
    var beaconKey: [UInt8]? { get }

    /// A handshake begun by this node.
    func initiatorHandshake() -> any LinkHandshake

    /// A handshake begun by the other node.
    func responderHandshake() -> any LinkHandshake
}

/// One Noise NNpsk0 handshake of two messages.
///
/// Source: PROTOCOL §3.2.
public protocol LinkHandshake: Sendable {
    /// The next message of this side (the first for an initiator, the second for a responder).
    mutating func writeMessage() -> [UInt8]

    /// Takes the other side's message; false if it does not authenticate, and then nothing has changed.
    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool

    /// The ciphers of the finished handshake; nil before both messages went.
    mutating func finish() -> (any LinkCipher)?
}

/// The two directions' ciphers of one link, with one sealed datagram per packet number.
public protocol LinkCipher: Sendable {
    /// Seals a datagram where it stands, all but its header, which is authenticated and stays clear.
    ///
    /// It becomes 16 bytes longer. `phase` counts key changes; the key of a phase follows from the one before by Noise's
    /// Rekey. Asking for a phase more than one beyond any used so far is a programmer's mistake.
    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64)

    /// Opens a datagram's frames; nil if they do not authenticate, and then nothing has changed.
    ///
    /// `phase` is at most one beyond the last that opened, or at most one before it.
    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]?
}
