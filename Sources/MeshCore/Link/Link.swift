import Bytes

/// One established link: sealed packets, acknowledgements, loss, messages in both directions.
///
/// Events that arrive together are answered together: the calls only record, and `flush` at the end of a turn fills
/// packets with everything that is to be sent.
/// Invariant: unless the link is touched, either `end` is set, or everything that may be sent has been sent and
/// `nextDeadline` is the time of the link's next own action.
struct Link {
    /// The confidence that the peer is still reachable.
    enum Health: Equatable {
        case up
        case suspect
    }

    /// A packet to an endpoint to which the peer may have moved.
    struct PathProbe {
        var endpoint: Endpoint
        var token: UInt64
        var sentAt: MeshInstant
    }

    let id: LinkID
    let node: NodeID
    /// The public node key that the other node proved.
    let peerKey: [UInt8]
    /// The id of this node in the handshake.
    let ownNode: NodeID
    let localConnection: UInt32
    let peerConnection: UInt32
    let dialledHere: Bool
    let since: MeshInstant
    let configuration: LinkConfiguration
    var endpoint: Endpoint
    var cipher: any LinkCipher
    var health = Health.up
    /// The crowd factor of the segment.
    var crowdFactor = 1
    /// The reason for the end of the link.
    ///
    /// The table removes the link once this is set.
    var end: LinkCloseReason?
    var random: MeshRandom

    /// Whether something has happened since the last flush that may allow packets to leave.
    var isTouched = true

    // Sending
    var nextPacketNumber: UInt64 = 1
    /// The next packet number that is not used, so that an acknowledgement of it shows a peer that guesses.
    var nextSkip: UInt64
    /// The datagram with message 3 of the handshake, until a packet of the responder shows that it arrived.
    var proof: [UInt8]?
    var wantsProof: Bool
    var sendPhase: KeyPhase
    var queue: SendQueue
    var live: LiveQueue
    var sent = SentPackets()
    var roundTrip: RoundTripEstimate
    var rate: RateController
    var pacer = Pacer()
    var status: LinkStatus?
    /// The status that the peer last sent.
    var peerStatus: LinkStatus?
    var wantsPing = true
    var wantsStatus = true
    /// The time at which the changed status goes; the distant future if it has not changed.
    var statusDue = MeshInstant.distantFuture
    /// The time at which the status last went.
    var statusSentAt: MeshInstant?
    /// Whether the next ping carries the sum of the peer's status.
    var wantsStatusSum = false
    /// The time at which the peer is pinged if no packet arrives before.
    var idleAt: MeshInstant
    var idleWait: Duration
    /// The probe timeouts since the last progress.
    var probeCount = 0
    /// The packets that may leave regardless of window and pace.
    var probeCredit = 0
    /// The earliest time from which the probe timeout counts.
    var probeBase: MeshInstant
    /// The sending time of the oldest packet at the first of the `probeCount` timeouts.
    var unansweredSince: MeshInstant
    var pathProbe: PathProbe?
    /// The limit on answers to path challenges.
    var pathResponses: TokenBucket

    // Receiving
    var received: ReceivedPackets
    var receivePhase: KeyPhase
    var reassembly: Reassembly
    var lastReceivedAt: MeshInstant
    /// The crowd factor at the last packet, by which silence is borne for longer.
    ///
    /// A later factor counts from the next packet on, so that no link ends because a crowd went home.
    var silenceFactor = 1
    var statusNumber: UInt64 = 0
    /// The limit on the peer's statuses.
    var statuses: TokenBucket
    /// The time of the last message of a way or path that came by the link and was not dropped.
    var usedAt: MeshInstant?
    /// The envelopes that came by this link before they came by another.
    var firstDeliveries: FirstDeliveries
    var malformedCount = 0
    var malformedSince: MeshInstant

    /// Creates the link that results from a finished handshake.
    init(
        _ establishment: Establishment,
        configuration: LinkConfiguration,
        idleWait: Duration,
        random: MeshRandom,
        now: MeshInstant
    ) {
        id = establishment.id
        node = establishment.node
        peerKey = establishment.peerKey
        ownNode = establishment.ownNode
        localConnection = establishment.localConnection
        peerConnection = establishment.peerConnection
        dialledHere = establishment.dialledHere
        endpoint = establishment.endpoint
        cipher = establishment.cipher
        proof = establishment.proof
        wantsProof = proof != nil
        since = now
        self.configuration = configuration
        self.idleWait = idleWait
        idleAt = now.advanced(by: idleWait)
        self.random = random
        nextSkip = UInt64.random(in: LinkProtocol.skipDistance, using: &self.random)
        let rate = configuration.pathResponsesPerSecond
        pathResponses = TokenBucket(rate: rate, burst: rate)
        statuses = TokenBucket(rate: configuration.statusesPerSecond, burst: configuration.statusesPerSecond)
        // The initiator's number 0 is message 3 of the handshake. The responder's is not used.
        received = ReceivedPackets(configuration: configuration)
        received.insert(0)
        sendPhase = KeyPhase(since: now)
        receivePhase = KeyPhase(since: now)
        queue = SendQueue(capacities: configuration.laneCapacities)
        live = LiveQueue(limit: configuration.liveDatagramLimit, life: configuration.liveDatagramLife)
        roundTrip = RoundTripEstimate(initial: configuration.initialRoundTrip)
        if let sample = establishment.roundTrip { roundTrip.add(sample) }
        self.rate = RateController(roundTrip: roundTrip, now: now)
        reassembly = Reassembly(
            messageLimit: configuration.reassemblyMessageLimit,
            byteLimit: configuration.reassemblyByteLimit
        )
        lastReceivedAt = now
        firstDeliveries = FirstDeliveries(now: now)
        probeBase = now
        unansweredSince = now
        malformedSince = now
    }

    /// The result of a handshake.
    struct Establishment {
        var id: LinkID
        var node: NodeID
        var peerKey: [UInt8]
        var ownNode: NodeID
        var localConnection: UInt32
        var peerConnection: UInt32
        var endpoint: Endpoint
        var dialledHere: Bool
        var cipher: any LinkCipher
        /// The datagram with message 3; nil at the responder.
        var proof: [UInt8]?
        var roundTrip: Duration?
    }

    /// The description for users of the table.
    var info: LinkInfo {
        LinkInfo(
            id: id,
            node: node,
            endpoint: endpoint,
            dialledHere: dialledHere,
            since: since,
            roundTrip: roundTrip.isMeasured ? roundTrip.smoothed : nil,
            loss: rate.loss,
            rate: rate.measuredRate.map(RateController.byteCount)
        )
    }

    /// Queues a message; returns false if its lane has no room.
    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64) -> Bool {
        if lane == .bulk { resizeBulkLane() }
        guard queue.append(message, lane: lane, tag: tag) else { return false }
        isTouched = true
        return true
    }

    /// Queues a live datagram; returns false if there is no room.
    mutating func sendDatagram(_ bytes: [UInt8], now: MeshInstant) -> Bool {
        guard live.append(bytes, now: now) else { return false }
        isTouched = true
        return true
    }

    /// Sets the capacity of lane 3 to at least twice what the path holds.
    mutating func resizeBulkLane() {
        queue.bulkCapacity = max(configuration.laneCapacities[Int(Lane.bulk.rawValue)], rate.doublePipe)
    }

    /// Sends the peer a status that differs from the last one, but not so soon after that one that the peer drops it.
    mutating func setStatus(_ status: LinkStatus, now: MeshInstant) {
        guard status != self.status else { return }
        self.status = status
        announceStatus(now: now)
    }

    /// Sends the status, as soon as the last one is old enough.
    mutating func announceStatus(now: MeshInstant) {
        let earliest = statusSentAt?.advanced(by: configuration.statusInterval * crowdFactor) ?? now
        statusDue = max(now, earliest)
        isTouched = true
    }

    /// Notifies the peer and ends the link.
    mutating func close(reason: LinkCloseReason, now: MeshInstant, into effects: inout [LinkEffect]) {
        transmit(.close(reason), to: endpoint, now: now, into: &effects)
        end = reason
    }

    /// Asks whether the peer is still there.
    mutating func ping() {
        wantsPing = true
        isTouched = true
    }
}
