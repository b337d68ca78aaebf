/// The cryptography that the mesh needs, supplied by the owner.
///
/// The mesh itself contains no cipher and no hash.
public protocol MeshCryptography: Sendable {
    /// Computes the id of an envelope: a hash of its first byte and its body.
    ///
    /// Shape: 16 bytes. Source: PROTOCOL §2.
    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID

    /// Computes the release hash of a delivery proof.
    ///
    /// Shape: 16 bytes in, 16 bytes out. Source: PROTOCOL §2.
    func proofHash(deliveryProof: [UInt8]) -> [UInt8]

    /// Computes a message authentication code for cookies and beacons.
    ///
    /// Shape: 16 bytes.
    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]

    /// Computes a keyed hash of a short id.
    ///
    /// It is fast, and nobody can find collisions without the salt.
    ///
    /// Both ends of a link must use the same hash. Source: PROTOCOL §5.
    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64

    /// Returns the network tags that beacons of the current day carry, newest first; empty in an open mesh.
    ///
    /// The code of a beacon with another tag is checked too, but not so often. Shape: 4 bytes each, at most 3.
    func networkTags() -> [UInt32]

    /// The key that authenticates beacons of a closed mesh; nil in an open one.
    var beaconKey: [UInt8]? { get }

    /// Makes a new node key.
    ///
    /// A real key comes from a secure generator. A simulated one follows from `seed`, so that a run can be repeated.
    func nodeKey(seed: UInt64) -> any NodeKey

    /// Computes the node id that belongs to a public node key of 32 bytes.
    ///
    /// Source: PROTOCOL §3.2.
    func nodeID(of publicKey: [UInt8]) -> NodeID
}

/// The key by which a node proves its node id in handshakes.
///
/// Source: PROTOCOL §3.2.
public protocol NodeKey: Sendable {
    /// The public key.
    ///
    /// Shape: 32 bytes.
    var publicKey: [UInt8] { get }

    /// Starts a handshake as the initiator; `header` is the clear part of the INIT, which the handshake authenticates.
    func initiatorHandshake(header: [UInt8]) -> any LinkHandshake

    /// Starts a handshake as the responder to the INIT with this clear part.
    func responderHandshake(header: [UInt8]) -> any LinkHandshake
}

/// One Noise XXpsk0 handshake of three messages: 48, 96 and 64 bytes.
///
/// Source: PROTOCOL §3.2.
public protocol LinkHandshake: Sendable {
    /// Writes the next message of this side; nil if the other side's keys allow no answer.
    mutating func writeMessage() -> [UInt8]?

    /// Reads the other side's message; returns false and changes nothing if the message does not authenticate.
    ///
    /// The first message costs no key agreement.
    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool

    /// The other side's public node key; nil before a message has proved it.
    ///
    /// Shape: 32 bytes.
    var peerKey: [UInt8]? { get }

    /// Returns the ciphers of the finished handshake; nil before all three messages have passed.
    mutating func finish() -> (any LinkCipher)?
}

/// The ciphers of one link in both directions.
///
/// Each packet number seals one datagram.
public protocol LinkCipher: Sendable {
    /// Seals a datagram in place, except for its header, which is authenticated and stays clear.
    ///
    /// The datagram becomes 16 bytes longer. `phase` counts key changes; the key of a phase follows from the one before
    /// by Noise's Rekey. A phase more than one beyond any used so far is a programming error.
    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64)

    /// Opens a datagram's frames; returns nil and changes nothing if they do not authenticate.
    ///
    /// `phase` is at most one beyond the last phase that opened, or at most one before it.
    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]?
}
