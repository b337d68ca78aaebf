/// The handshake between two neighbours: Noise NNpsk0, two messages of 48 bytes.
///
/// It has no static keys, so no identifier follows a device from link to link. A node without the mesh key cannot
/// finish it. In an open mesh the key is public, and the neighbour is one more relay. Source: PROTOCOL §3.2.
package struct LinkNoise: Sendable {
    /// Units: bytes of each of the two messages.
    package static let messageByteCount = X25519.keyByteCount + AEAD.tagByteCount

    private var state: HandshakeState
    /// The responder's answer, made while it reads; a message that it could not answer is therefore refused as a whole.
    private var answer: [UInt8]?

    /// Begins a handshake as the initiator.
    package static func initiator(meshKey: MeshKey) -> LinkNoise {
        LinkNoise(role: .initiator, meshKey: meshKey)
    }

    /// Awaits the other node's handshake.
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

    /// Writes this side's message: the first one of an initiator, or a responder's answer to the message that it has
    /// read.
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

    /// Takes the other side's message; false if it is not the expected one, and then the state is unchanged.
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

    /// Answers the ciphers of the finished handshake; nil before both messages went.
    package func finish() -> LinkCiphers? {
        guard state.isFinished, answer == nil else { return nil }
        let ciphers = state.split()
        return LinkCiphers(sendingKey: ciphers.sending.key, receivingKey: ciphers.receiving.key)
    }
}
