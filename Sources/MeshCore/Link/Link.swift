/// One established link: sealed packets, acknowledgements, loss, messages in both directions.
///
/// What comes together is answered together: calls take, and `flush` at the end of a turn fills packets with all that
/// is to go. Invariant: unless it is touched, either `end` is set, or all that may be sent has been sent and
/// `nextDeadline` is the time of the next thing this link does on its own.
struct Link {
    /// How sure it is that the peer is still there.
    enum Health: Equatable {
        case up
        case suspect
    }

    /// A packet to an endpoint that the peer may have moved to.
    struct PathProbe {
        var endpoint: Endpoint
        var token: UInt64
        var sentAt: MeshInstant
    }

    let id: LinkID
    let node: NodeID
    /// The name this node had in the handshake.
    let ownNode: NodeID
    let localConnection: UInt32
    let peerConnection: UInt32
    let dialledHere: Bool
    let since: MeshInstant
    let configuration: LinkConfiguration
    var endpoint: Endpoint
    var cipher: any LinkCipher
    var health = Health.up
    /// Set when the link is over; the table removes it then.
    var end: LinkEnd?
    /// Whether the interface of `endpoint` went away and nothing came by it since.
    var hasLostInterface = false

    /// Whether something has happened since the last flush that may let packets out.
    var isTouched = true

    // Sending
    var nextPacketNumber: UInt64
    var sendPhase: KeyPhase
    var queue: SendQueue
    var live: LiveQueue
    var sent = SentPackets()
    var roundTrip: RoundTripEstimate
    var rate: RateController
    var pacer = Pacer()
    var status: LinkStatus?
    /// What the peer told last.
    var peerStatus: LinkStatus?
    var wantsPing = true
    var wantsStatus = true
    /// When the peer is asked for a sign of life, if none comes before.
    var idleAt: MeshInstant
    var idleWait: Duration
    /// Probe timeouts since the last progress.
    var probeCount = 0
    /// Packets that may leave in spite of window and pace.
    var probeCredit = 0
    /// What the probe timeout counts from, at the earliest.
    var probeBase: MeshInstant
    /// When the oldest packet was sent that the first of `probeCount` timeouts was about.
    var unansweredSince: MeshInstant
    var pathProbe: PathProbe?

    // Receiving
    var arrivals: Arrivals
    var receivePhase: KeyPhase
    var reassembly: Reassembly
    var lastReceivedAt: MeshInstant
    var statusNumber: UInt64 = 0
    var malformedCount = 0
    var malformedSince: MeshInstant

    /// Makes the link that a finished handshake describes.
    init(_ establishment: Establishment, configuration: LinkConfiguration, idleWait: Duration, now: MeshInstant) {
        id = establishment.id
        node = establishment.node
        ownNode = establishment.ownNode
        localConnection = establishment.localConnection
        peerConnection = establishment.peerConnection
        dialledHere = establishment.dialledHere
        endpoint = establishment.endpoint
        cipher = establishment.cipher
        since = now
        self.configuration = configuration
        self.idleWait = idleWait
        idleAt = now.advanced(by: idleWait)
        // The responder's packet 0 went in the RESP.
        nextPacketNumber = establishment.dialledHere ? 0 : 1
        arrivals = Arrivals(configuration: configuration)
        if establishment.dialledHere { arrivals.insert(0) }
        sendPhase = KeyPhase(since: now)
        receivePhase = KeyPhase(since: now)
        queue = SendQueue(capacities: configuration.laneCapacities)
        live = LiveQueue(limit: configuration.liveDatagramLimit, life: configuration.liveDatagramLife)
        roundTrip = RoundTripEstimate(initial: configuration.initialRoundTrip)
        if let sample = establishment.roundTrip { roundTrip.add(sample) }
        rate = RateController(roundTrip: roundTrip, now: now)
        reassembly = Reassembly(
            messageLimit: configuration.reassemblyMessageLimit,
            byteLimit: configuration.reassemblyByteLimit
        )
        lastReceivedAt = now
        probeBase = now
        unansweredSince = now
        malformedSince = now
    }

    /// What a handshake leaves behind.
    struct Establishment {
        var id: LinkID
        var node: NodeID
        var ownNode: NodeID
        var localConnection: UInt32
        var peerConnection: UInt32
        var endpoint: Endpoint
        var dialledHere: Bool
        var cipher: any LinkCipher
        var roundTrip: Duration?
    }

    /// What users of the table see.
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

    /// Takes a message, if its lane has room.
    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64) -> Bool {
        if lane == .bulk { resizeBulkLane() }
        guard queue.append(message, lane: lane, tag: tag) else { return false }
        isTouched = true
        return true
    }

    /// Takes a live datagram, if there is room.
    mutating func sendDatagram(_ bytes: [UInt8], now: MeshInstant) -> Bool {
        guard live.append(bytes, now: now) else { return false }
        isTouched = true
        return true
    }

    /// Lets lane 3 hold what the path does, twice.
    mutating func resizeBulkLane() {
        queue.bulkCapacity = max(configuration.laneCapacities[Int(Lane.bulk.rawValue)], rate.doublePipe)
    }

    /// Tells the peer a status that differs from the last, unless the peer itself told all that is new in it.
    mutating func setStatus(_ status: LinkStatus) {
        guard status != self.status else { return }
        let isNews = peerStatus.map { !status.isKnown(to: $0, after: self.status) } ?? true
        self.status = status
        guard isNews else { return }
        wantsStatus = true
        isTouched = true
    }

    /// Says goodbye and ends.
    mutating func close(reason: LinkEnd, now: MeshInstant, into effects: inout [LinkEffect]) {
        transmit(.close(reason), to: endpoint, now: now, into: &effects)
        end = reason
    }

    /// Asks the peer whether it is still there, since the interface went away that it was reached by.
    mutating func loseInterface() {
        hasLostInterface = true
        wantsPing = true
        isTouched = true
    }
}
