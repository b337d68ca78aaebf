/// The handshake between two neighbours: Noise XXpsk0, three messages of 48, 96 and 64 bytes.
///
/// Either side proves its node key, which lives no longer than a node id, so no identifier follows a device. A node
/// without the mesh key does not get past the first message, and reading that one costs no key agreement. In an open
/// mesh the mesh key is public, and the neighbour is one more relay. Source: PROTOCOL §3.2.
package struct LinkNoise: Sendable {
    /// Units: bytes of the three messages.
    package static let messageByteCounts = [48, 96, 64]

    private var state: HandshakeState
    private var messageCount = 0

    /// Begins a handshake as the initiator; `header` is the clear part of the INIT.
    package static func initiator(meshKey: MeshKey, nodeKey: NodeKeyPair, header: [UInt8]) -> LinkNoise {
        LinkNoise(role: .initiator, meshKey: meshKey, nodeKey: nodeKey, header: header)
    }

    /// Awaits the handshake of the other node's INIT, whose clear part is `header`.
    package static func responder(meshKey: MeshKey, nodeKey: NodeKeyPair, header: [UInt8]) -> LinkNoise {
        LinkNoise(role: .responder, meshKey: meshKey, nodeKey: nodeKey, header: header)
    }

    private init(role: HandshakeState.Role, meshKey: MeshKey, nodeKey: NodeKeyPair, header: [UInt8]) {
        state = HandshakeState(
            .xxPSK0,
            role: role,
            prologue: Label.link.bytes + header,
            staticKey: nodeKey.key,
            preSharedKeys: [meshKey.secret]
        )
    }

    /// The other side's public node key; nil before the message with it was read.
    package var peerKey: [UInt8]? { state.remoteStaticKey }

    /// Writes this side's next message; nil if it is not this side's turn, or if a key of the other side has a small
    /// order.
    package mutating func writeMessage() -> [UInt8]? {
        guard state.isWriter, let message = try? state.write([]) else { return nil }
        messageCount += 1
        return message
    }

    /// Takes the other side's next message; false if it is not the expected one, and then the state is unchanged.
    package mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool {
        guard messageCount < LinkNoise.messageByteCounts.count,
            message.count == LinkNoise.messageByteCounts[messageCount], (try? state.read(message)) != nil
        else { return false }
        messageCount += 1
        return true
    }

    /// Answers the ciphers of the finished handshake; nil before all messages went.
    package func finish() -> LinkCiphers? {
        guard state.isFinished else { return nil }
        let ciphers = state.split()
        return LinkCiphers(sendingKey: ciphers.sending.key, receivingKey: ciphers.receiving.key)
    }
}
