import Bytes

extension Link {
    /// Sends packets until nothing is left to send, or window or pace allow no more.
    mutating func flush(now: MeshInstant, into effects: inout [LinkEffect]) {
        isTouched = false
        if statusDue <= now { (wantsStatus, statusDue) = (true, .distantFuture) }
        for _ in 0..<live.dropExpired(now: now) { effects.append(.dropped(.liveExpired)) }
        while end == nil, sendPacket(now: now, into: &effects) {}
        if !hasContent { rate.noteIdle(inFlightByteCount: sent.inFlightByteCount) }
    }

    /// The time at which waiting content may leave, as far as the pace decides it.
    var paceDeadline: MeshInstant {
        hasContent && hasOpenWindow ? pacer.nextDeadline(pace: rate.pace) : .distantFuture
    }

    private var hasContent: Bool {
        wantsPing || wantsStatus && status != nil || !live.isEmpty || queue.hasWork
    }

    private var hasOpenWindow: Bool {
        probeCount == 0 && sent.inFlightByteCount < rate.window && sent.hasCapacity(for: nextPacketNumber)
    }

    private func mayElicit(now: MeshInstant) -> Bool {
        guard probeCredit == 0 else { return sent.hasCapacity(for: nextPacketNumber) }
        return hasOpenWindow && pacer.isOpen(pace: rate.pace, now: now)
    }

    /// Sends one packet if any is due; returns false if none is.
    private mutating func sendPacket(now: MeshInstant, into effects: inout [LinkEffect]) -> Bool {
        let isEliciting = hasContent && mayElicit(now: now)
        guard isEliciting || received.deadline <= now else { return false }
        if wantsProof, let proof {
            wantsProof = false
            effects.append(.send(proof, to: endpoint))
        }
        var writer = beginPacket(now: now)
        if let acknowledgement = received.takeAcknowledgement(now: now) {
            Frame.acknowledgement(acknowledgement).encode(into: &writer)
        }
        guard isEliciting else {
            transmit(&writer, to: endpoint, into: &effects)
            return true
        }
        var content = PacketContent()
        appendControl(to: &writer, content: &content, now: now)
        let startedTags = appendFragments(to: &writer, content: &content)
        let number = nextPacketNumber
        let byteCount = transmit(&writer, to: endpoint, into: &effects)
        // A live datagram may not have fitted beside a long acknowledgement. It goes next.
        guard content.isEliciting else { return true }
        let stamp = rate.stamp(inFlightByteCount: sent.inFlightByteCount, now: now)
        sent.record(SentPacket(number: number, sentAt: now, byteCount: byteCount, stamp: stamp, content: content))
        pacer.take(byteCount, pace: rate.pace, now: now)
        probeCredit = max(0, probeCredit - 1)
        for tag in startedTags { effects.append(.transmitted(tag: tag, on: id)) }
        return true
    }

    private mutating func appendControl(to writer: inout ByteWriter, content: inout PacketContent, now: MeshInstant) {
        if wantsStatus, let status {
            Frame.status(status).encode(into: &writer)
            content.carriesStatus = true
            wantsStatus = false
            statusSentAt = now
        }
        if wantsPing {
            let sum = peerStatus?.sum ?? 0
            (wantsStatusSum ? Frame.statusSum(sum) : .ping).encode(into: &writer)
            content.carriesPing = true
            (wantsPing, wantsStatusSum) = (false, false)
        }
    }

    /// Fills the packet with pieces and live datagrams; returns the tags of the messages that it begins.
    private mutating func appendFragments(to writer: inout ByteWriter, content: inout PacketContent) -> [UInt64] {
        var startedTags: [UInt64] = []
        let limit = LinkProtocol.maximumDatagramByteCount - LinkProtocol.tagByteCount
        while true {
            let room = limit - writer.bytes.count
            if !queue.hasControl, let datagram = live.next(room: room) {
                Frame.datagram(datagram[...]).encode(into: &writer)
                content.carriesDatagram = true
                continue
            }
            guard let next = queue.nextFragment(room: room) else { return startedTags }
            Frame.message(next.frame).encode(into: &writer)
            content.append(next.fragment)
            if let tag = next.startedTag, tag != 0 { startedTags.append(tag) }
        }
    }

    /// Begins the next packet with its header.
    mutating func beginPacket(now: MeshInstant) -> ByteWriter {
        advancePhaseIfDue(now: now)
        return LinkDatagram.DataPacket.begin(
            phase: sendPhase.phase,
            connection: peerConnection,
            number: nextPacketNumber
        )
    }

    /// Sends one frame in a packet of its own.
    mutating func transmit(
        _ frame: Frame,
        to endpoint: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        var writer = beginPacket(now: now)
        frame.encode(into: &writer)
        transmit(&writer, to: endpoint, into: &effects)
    }

    /// Seals the packet in `writer` and sends it; returns the size of the datagram in bytes.
    @discardableResult
    mutating func transmit(
        _ writer: inout ByteWriter,
        to endpoint: Endpoint,
        into effects: inout [LinkEffect]
    ) -> Int {
        var datagram = writer.take()
        cipher.seal(
            &datagram,
            headerByteCount: LinkDatagram.DataPacket.headerByteCount,
            packetNumber: nextPacketNumber,
            phase: sendPhase.phase
        )
        nextPacketNumber += 1
        if nextPacketNumber == nextSkip { skipPacketNumber() }
        let byteCount = datagram.count
        effects.append(.send(datagram, to: endpoint))
        return byteCount
    }

    private mutating func skipPacketNumber() {
        sent.skip(nextPacketNumber)
        nextPacketNumber += 1
        nextSkip += UInt64.random(in: LinkProtocol.skipDistance, using: &random)
    }

    /// Changes the key after enough packets or time, but not before the peer has followed the last change.
    private mutating func advancePhaseIfDue(now: MeshInstant) {
        let isExhausted = nextPacketNumber - sendPhase.firstNumber >= configuration.rekeyPacketCount
        let isOld = sendPhase.since.duration(to: now) >= configuration.rekeyInterval
        guard isExhausted || isOld, let newest = sent.newestAcknowledged, newest >= sendPhase.firstNumber else {
            return
        }
        sendPhase.advance(at: nextPacketNumber, now: now)
    }
}
