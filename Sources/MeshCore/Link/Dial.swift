/// A handshake that this node began and that has not been answered yet.
struct Dial {
    let connection: UInt32
    /// The wanted node; nil for any node that answers.
    let node: NodeID?
    let endpoint: Endpoint
    let startedAt: MeshInstant
    private(set) var initiation: LinkDatagram.Initiation
    private let handshake: any LinkHandshake
    /// Whether the INIT goes more than once: the peer is a static one, or its address has shown that it is there.
    ///
    /// Anybody can make a node dial a victim by a beacon that claims to come from there.
    var isRepeated: Bool
    private var retriesLeft: Int
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
        key: any NodeKey,
        connection: UInt32,
        configuration: LinkConfiguration,
        resendDelay: Duration,
        isRepeated: Bool,
        now: MeshInstant
    ) {
        let header = LinkDatagram.Initiation.header(connection: connection, node: ownNode)
        var handshake = key.initiatorHandshake(header: header)
        guard let message = handshake.writeMessage() else {
            preconditionFailure("Message 1 uses no key of the other side")
        }
        self.connection = connection
        self.node = node
        self.endpoint = endpoint
        self.handshake = handshake
        (self.resendDelay, timeout) = (resendDelay, configuration.dialTimeout)
        self.isRepeated = isRepeated
        retriesLeft = configuration.retriesPerDial
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

    /// Sends the INIT outside its schedule, unless it has just left, or goes once and no answer shows the peer.
    mutating func retryNow(isAnswer: Bool, now: MeshInstant, into effects: inout [LinkEffect]) {
        guard isRepeated || isAnswer, lastSentAt.advanced(by: resendDelay) <= now else { return }
        lastSentAt = now
        wasRetriedNow = true
        effects.append(.send(initiation.encoded(), to: endpoint))
    }

    /// Takes the requested cookie, and presents it at once unless the dial has done so often enough.
    ///
    /// Otherwise it goes with the next repetition of the INIT.
    mutating func show(_ cookie: [UInt8], into effects: inout [LinkEffect]) {
        guard cookie != initiation.cookie else { return }
        initiation.cookie = cookie
        isRepeated = true
        guard retriesLeft > 0 else { return }
        retriesLeft -= 1
        effects.append(.send(initiation.encoded(), to: endpoint))
    }

    /// The result of a valid response.
    struct Outcome {
        let cipher: any LinkCipher
        /// The responder's public node key.
        let peerKey: [UInt8]
        /// The datagram with message 3.
        let proof: [UInt8]
    }

    /// Finishes the handshake; returns nil if the response is not valid.
    func finish(_ response: LinkDatagram.Response) -> Outcome? {
        var attempt = handshake
        guard attempt.readMessage(response.message[...]), let peerKey = attempt.peerKey,
            let message = attempt.writeMessage(), let cipher = attempt.finish()
        else { return nil }
        let proof = LinkDatagram.DataPacket.encoded(thirdMessage: message, connection: response.sender)
        return Outcome(cipher: cipher, peerKey: peerKey, proof: proof)
    }

    /// Returns the round trip if it is known which INIT was answered.
    func roundTrip(now: MeshInstant) -> Duration? {
        sentCount == 1 && !wasRetriedNow && initiation.cookie.isEmpty ? startedAt.duration(to: now) : nil
    }

    private var resendAt: MeshInstant {
        guard sentCount > 0 else { return startedAt }
        guard isRepeated, sentCount < 24 else { return .distantFuture }
        return startedAt.advanced(by: resendDelay * (1 << (sentCount - 1)))
    }
}
