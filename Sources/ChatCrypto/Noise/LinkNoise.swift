/// The handshake between two neighbours: Noise NNpsk0, two messages of 48 bytes.
///
/// It has no static keys, so nothing follows a device from link to link. Whoever lacks the mesh key cannot finish it;
/// in an open mesh the key is known to everybody, and the neighbour is simply one more relay.
/// Source: PROTOCOL §3.2.
package struct LinkNoise: Sendable {
    /// Units: bytes, of either message.
    package static let messageByteCount = X25519.keyByteCount + AEAD.tagByteCount

    private var state: HandshakeState
    /// A responder answers while it reads, so that a message it could not answer is refused as a whole.
    private var answer: [UInt8]?

    /// Begins a handshake of this node's.
    package static func initiator(meshKey: MeshKey) -> LinkNoise {
        LinkNoise(role: .initiator, meshKey: meshKey)
    }

    /// Awaits a handshake of the other node's.
    package static func responder(meshKey: MeshKey) -> LinkNoise {
        LinkNoise(role: .responder, meshKey: meshKey)
    }

    private init(role: HandshakeState.Role, meshKey: MeshKey) {
        state = HandshakeState(
            .nnPSK0,
            role: role,
            prologue: Label.link.bytes,
            preSharedKeys: [meshKey.secret]
        )
    }

    /// This side's message: the first of an initiator, or the answer of a responder to what it has read.
    package mutating func writeMessage() -> [UInt8] {
        if let answer {
            self.answer = nil
            return answer
        }
        do {
            return try state.write([])
        } catch {
            preconditionFailure("an initiator's first message uses no key of the other side")
        }
    }

    /// Takes the other side's message; false if it is not the one expected, and then nothing has changed.
    package mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard message.count == LinkNoise.messageByteCount else { return false }
        var next = state
        do {
            _ = try next.read(message)
            if next.isWriter { answer = try next.write([]) }
        } catch {
            return false
        }
        state = next
        return true
    }

    /// The ciphers of the finished handshake; nil before both messages went.
    package func finish() -> LinkCiphers? {
        guard state.isFinished, answer == nil else { return nil }
        let ciphers = state.split()
        return LinkCiphers(sendingKey: ciphers.sending.key, receivingKey: ciphers.receiving.key)
    }
}
