/// A handshake that the other side began, that this node answered, and that message 3 has not finished yet.
///
/// It is not a link: an attacker that repeats an old INIT, or shows another node's id, cannot finish it.
struct Answer {
    let connection: UInt32
    let initiation: LinkDatagram.Initiation
    let endpoint: Endpoint
    let ownNode: NodeID
    let response: LinkDatagram.Response
    /// Whether the source proved its address with a cookie.
    let isProven: Bool
    let since: MeshInstant
    var expiresAt: MeshInstant
    private let handshake: any LinkHandshake

    /// Answers an INIT whose message 1 the handshake has read; returns nil if its key allows no answer.
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
        guard let message = handshake.writeMessage() else { return nil }
        response = LinkDatagram.Response(connection: initiation.connection, sender: connection, message: message)
        self.handshake = handshake
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

    /// Returns the ciphers and the initiator's public node key if message 3 is valid.
    func finish(_ message: ArraySlice<UInt8>) -> (cipher: any LinkCipher, peerKey: [UInt8])? {
        var attempt = handshake
        guard attempt.readMessage(message), let peerKey = attempt.peerKey, let cipher = attempt.finish() else {
            return nil
        }
        return (cipher, peerKey)
    }
}
