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
    /// A node accepts a beacon with any of them. Shape: 4 bytes each, at most 3.
    func networkTags() -> [UInt32]

    /// The key that authenticates beacons of a closed mesh; nil in an open one.
    var beaconKey: [UInt8]? { get }

    /// Starts a handshake as the initiator.
    func initiatorHandshake() -> any LinkHandshake

    /// Starts a handshake as the responder.
    func responderHandshake() -> any LinkHandshake
}

/// One Noise NNpsk0 handshake of two messages.
///
/// Source: PROTOCOL §3.2.
public protocol LinkHandshake: Sendable {
    /// Writes the next message of this side (the first for an initiator, the second for a responder).
    mutating func writeMessage() -> [UInt8]

    /// Reads the other side's message; returns false and changes nothing if the message does not authenticate.
    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool

    /// Returns the ciphers of the finished handshake; nil before both messages have passed.
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
