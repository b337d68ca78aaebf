/// The ciphers of the two directions of one link; each datagram is sealed on its own under its packet number.
///
/// A phase counts the changes of key. Noise's Rekey derives the key of a phase from the one before, so erased keys
/// cannot be recovered. The key before the newest one stays, for datagrams that were overtaken. Source: PROTOCOL §3.2.
package struct LinkCiphers: Sendable {
    private var sending: PhaseKeys
    private var receiving: PhaseKeys
    /// The lowest unused packet number.
    ///
    /// Packet numbers only rise, in every phase, so no key is ever used twice with one nonce.
    private var nextPacketNumber: UInt64 = 0

    init(sendingKey: SecretBytes, receivingKey: SecretBytes) {
        sending = PhaseKeys(sendingKey)
        receiving = PhaseKeys(receivingKey)
    }

    /// Seals a datagram in place, except its header, which is authenticated and stays in the clear.
    ///
    /// The datagram becomes 16 bytes longer. The packet number must be larger than all earlier ones. The phase may be
    /// at most one more than the highest phase used so far in either direction. Any other value is a programming error.
    package mutating func seal(
        _ datagram: inout [UInt8],
        headerByteCount: Int,
        packetNumber: UInt64,
        phase: UInt64
    ) {
        precondition(packetNumber >= nextPacketNumber, "a packet number is used once")
        precondition(packetNumber < CipherState.reservedNumber, "a link ends before its packet numbers do")
        let newest = max(sending.phase, receiving.phase)
        precondition(phase <= newest || phase == newest + 1, "phases follow each other")
        while sending.phase < phase { sending.advance() }
        guard let key = sending.key(of: phase) else { preconditionFailure("the key of an old phase is gone") }
        nextPacketNumber = packetNumber + 1
        AEAD.seal(&datagram, headerByteCount: headerByteCount, key: key, nonce: PacketNonce(packetNumber))
    }

    /// Opens a datagram's content; nil if it does not authenticate, and then the state is unchanged.
    ///
    /// A phase that is neither the newest opened phase, nor the one before or after it, never authenticates.
    package mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard packetNumber < CipherState.reservedNumber, let key = receiving.key(of: phase),
            let plaintext = AEAD.open(ciphertext, header: header, key: key, nonce: PacketNonce(packetNumber))
        else { return nil }
        if phase > receiving.phase { receiving.advance() }
        return plaintext
    }
}

/// Three consecutive keys of one direction.
///
/// The next key is kept ready, so that forged datagrams cost no derivation.
private struct PhaseKeys: Sendable {
    private(set) var phase: UInt64 = 0
    private var previous: SecretBytes?
    private var current: SecretBytes
    private var next: SecretBytes

    init(_ key: SecretBytes) {
        current = key
        next = CipherState.rekeyed(key)
    }

    mutating func advance() {
        phase += 1
        previous = current
        current = next
        next = CipherState.rekeyed(current)
    }

    func key(of wanted: UInt64) -> SecretBytes? {
        if wanted == phase { return current }
        if wanted > phase { return wanted - phase == 1 ? next : nil }
        return phase - wanted == 1 ? previous : nil
    }
}
