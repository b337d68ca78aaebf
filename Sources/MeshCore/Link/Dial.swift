import Bytes

/// A handshake that this node began and that has not been answered yet.
struct Dial {
    let connection: UInt32
    /// The wanted node; nil for any node that answers.
    let node: NodeID?
    let endpoint: Endpoint
    let startedAt: MeshInstant
    private(set) var initiation: LinkDatagram.Initiation
    private let handshake: any LinkHandshake
    /// The time to the first repetition; each further one comes after twice the time.
    private let resendDelay: Duration
    private let timeout: Duration
    private var sentCount = 0
    private var lastSentAt = MeshInstant.zero
    private var wasRetriedNow = false

    init(
        to node: NodeID?,
        at endpoint: Endpoint,
        from ownNode: NodeID,
        connection: UInt32,
        handshake: any LinkHandshake,
        resendDelay: Duration,
        timeout: Duration,
        now: MeshInstant
    ) {
        var handshake = handshake
        let message = handshake.writeMessage()
        self.connection = connection
        self.node = node
        self.endpoint = endpoint
        self.handshake = handshake
        (self.resendDelay, self.timeout) = (resendDelay, timeout)
        initiation = LinkDatagram.Initiation(connection: connection, node: ownNode, message: message)
        startedAt = now
    }

    /// The time at which the INIT is sent again or the dial is given up.
    var nextDeadline: MeshInstant {
        min(resendAt, startedAt.advanced(by: timeout))
    }

    /// Returns whether the dial has taken too long.
    func isOver(now: MeshInstant) -> Bool {
        startedAt.advanced(by: timeout) <= now
    }

    /// Sends the INIT if it is due.
    mutating func sendIfDue(now: MeshInstant, into effects: inout [LinkEffect]) {
        guard resendAt <= now else { return }
        // After a pause (the machine slept) one datagram replaces all that were missed.
        while resendAt <= now { sentCount += 1 }
        lastSentAt = now
        effects.append(.send(initiation.encoded(), to: endpoint))
    }

    /// Sends the INIT outside its schedule, unless it has just left.
    mutating func retryNow(now: MeshInstant, into effects: inout [LinkEffect]) {
        guard lastSentAt.advanced(by: resendDelay) <= now else { return }
        lastSentAt = now
        wasRetriedNow = true
        effects.append(.send(initiation.encoded(), to: endpoint))
    }

    /// Takes the requested cookie and presents it at once.
    mutating func show(_ cookie: [UInt8], into effects: inout [LinkEffect]) {
        guard cookie != initiation.cookie else { return }
        initiation.cookie = cookie
        effects.append(.send(initiation.encoded(), to: endpoint))
    }

    /// Returns the cipher and the responder's node id if the response is valid.
    func finish(_ response: LinkDatagram.Response) -> (cipher: any LinkCipher, node: NodeID)? {
        var attempt = handshake
        guard attempt.readMessage(response.message[...]), var cipher = attempt.finish() else { return nil }
        let bound = LinkDatagram.Response.boundFields(
            initiation: initiation,
            connection: response.connection,
            sender: response.sender
        )
        guard let bytes = cipher.open(response.sealedNode[...], packetNumber: 0, phase: 0, header: bound[...])
        else { return nil }
        var reader = ByteReader(bytes)
        guard let node = reader.integer(UInt64.self), reader.isAtEnd else { return nil }
        return (cipher, NodeID(node))
    }

    /// Returns the round trip if it is known which INIT was answered.
    func roundTrip(now: MeshInstant) -> Duration? {
        sentCount == 1 && !wasRetriedNow && initiation.cookie.isEmpty ? startedAt.duration(to: now) : nil
    }

    private var resendAt: MeshInstant {
        guard sentCount > 0 else { return startedAt }
        guard sentCount < 24 else { return .distantFuture }
        return startedAt.advanced(by: resendDelay * (1 << (sentCount - 1)))
    }
}
