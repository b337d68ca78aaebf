import Bytes

/// A handshake that the other side began, that this node answered, and that no first packet has confirmed.
///
/// It is not a link yet: an attacker that repeats an old INIT cannot confirm it.
struct Answer {
    let connection: UInt32
    let initiation: LinkDatagram.Initiation
    let endpoint: Endpoint
    let ownNode: NodeID
    let response: LinkDatagram.Response
    let cipher: any LinkCipher
    /// Whether the source proved its address with a cookie.
    let isProven: Bool
    let since: MeshInstant
    var expiresAt: MeshInstant

    /// Answers an INIT; returns nil if the INIT does not authenticate.
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

    /// Returns whether this is the answer to the INIT, whatever cookie it contains.
    func answers(_ other: LinkDatagram.Initiation, from source: Endpoint) -> Bool {
        source == endpoint && other.connection == initiation.connection && other.node == initiation.node
            && other.message == initiation.message
    }
}
