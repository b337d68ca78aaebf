import Bytes

/// A handshake the other side began, answered, and not confirmed by a first packet.
///
/// It is no link yet: whoever repeats an old INIT cannot confirm it.
struct Answer {
    let connection: UInt32
    let initiation: LinkDatagram.Initiation
    let endpoint: Endpoint
    let ownNode: NodeID
    let response: LinkDatagram.Response
    let cipher: any LinkCipher
    /// Whether the source showed a cookie.
    let isProven: Bool
    let since: MeshInstant
    var expiresAt: MeshInstant

    /// Answers an INIT; nil if it does not authenticate.
    init?(
        to initiation: LinkDatagram.Initiation,
        from endpoint: Endpoint,
        ownNode: NodeID,
        connection: UInt32,
        handshake: any LinkHandshake,
        isProven: Bool,
        since: MeshInstant,
        expiresAt: MeshInstant
    ) {
        var handshake = handshake
        guard handshake.readMessage(initiation.message[...]) else { return nil }
        let message = handshake.writeMessage()
        guard var cipher = handshake.finish() else { return nil }
        let bound = LinkDatagram.Response.boundFields(
            initiation: initiation,
            connection: initiation.connection,
            sender: connection
        )
        var sealed = ByteWriter(bound)
        sealed.append(integer: ownNode.value)
        var datagram = sealed.take()
        cipher.seal(&datagram, headerByteCount: bound.count, packetNumber: 0, phase: 0)
        response = LinkDatagram.Response(
            connection: initiation.connection,
            sender: connection,
            message: message,
            sealedNode: Array(datagram[bound.count...])
        )
        self.cipher = cipher
        self.connection = connection
        self.initiation = initiation
        self.endpoint = endpoint
        self.ownNode = ownNode
        self.isProven = isProven
        self.since = since
        self.expiresAt = expiresAt
    }

    /// Whether this is the answer to the INIT, whatever cookie it shows.
    func answers(_ other: LinkDatagram.Initiation, from source: Endpoint) -> Bool {
        source == endpoint && other.connection == initiation.connection && other.node == initiation.node
            && other.message == initiation.message
    }
}
