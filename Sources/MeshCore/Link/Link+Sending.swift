extension Link {
    /// Sends packets until there is nothing to send or the window is full.
    mutating func flush(now: MeshInstant, into effects: inout [LinkEffect]) {
        while end == nil, sendPacket(now: now, into: &effects) {}
    }

    private var hasContent: Bool {
        wantsPing || wantsStatus && status != nil || queue.hasWork
    }

    private var mayElicit: Bool {
        probeCredit > 0 || probeCount == 0 && sent.inFlightCount < configuration.windowPacketCount
    }

    /// Sends one packet, if any is due; false if none is.
    private mutating func sendPacket(now: MeshInstant, into effects: inout [LinkEffect]) -> Bool {
        let isEliciting = mayElicit && hasContent
        guard isEliciting || acknowledgementDeadline <= now else { return false }
        var writer = ByteWriter(capacity: LinkDatagram.DataPacket.maximumFramesByteCount)
        if elicitingCount > 0 { appendAcknowledgement(to: &writer, now: now) }
        guard isEliciting else {
            transmit(writer.bytes, to: endpoint, now: now, into: &effects)
            return true
        }
        var packet = SentPacket(number: nextPacketNumber, sentAt: now)
        appendControl(to: &writer, packet: &packet)
        let startedTags = appendPieces(to: &writer, packet: &packet)
        sent.record(packet)
        probeCredit = max(0, probeCredit - 1)
        transmit(writer.bytes, to: endpoint, now: now, into: &effects)
        for tag in startedTags { effects.append(.transmitted(tag: tag, on: id)) }
        return true
    }

    private mutating func appendControl(to writer: inout ByteWriter, packet: inout SentPacket) {
        if wantsStatus, let status {
            Frame.status(status).encode(into: &writer)
            packet.carriesStatus = true
            wantsStatus = false
        }
        if wantsPing {
            Frame.ping.encode(into: &writer)
            packet.carriesPing = true
            wantsPing = false
        }
    }

    private mutating func appendPieces(to writer: inout ByteWriter, packet: inout SentPacket) -> [UInt64] {
        var startedTags: [UInt64] = []
        let limit = LinkDatagram.DataPacket.maximumFramesByteCount
        while let next = queue.nextPiece(room: limit - writer.bytes.count) {
            Frame.message(next.frame).encode(into: &writer)
            packet.pieces.append(next.piece)
            if let tag = next.startedTag, tag != 0 { startedTags.append(tag) }
        }
        return startedTags
    }

    private mutating func appendAcknowledgement(to writer: inout ByteWriter, now: MeshInstant) {
        guard let largestEliciting else { return }
        let waited = largestEliciting.at.duration(to: now)
        let frame = Frame.Acknowledgement(
            lowLargest: UInt32(truncatingIfNeeded: largestEliciting.number),
            delay: UInt16(clamping: waited.wholeNanoseconds / 1000),
            bitmap: received.bitmap(
                below: largestEliciting.number,
                maximumByteCount: LinkProtocol.writtenBitmapByteCount
            )
        )
        Frame.acknowledgement(frame).encode(into: &writer)
        elicitingCount = 0
        acknowledgementDeadline = .distantFuture
    }

    /// Seals frames as the next packet and sends it.
    mutating func transmit(
        _ frames: [UInt8],
        to endpoint: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        advancePhaseIfDue(now: now)
        let number = nextPacketNumber
        nextPacketNumber += 1
        var datagram = LinkDatagram.DataPacket.header(
            phase: sendPhase.phase,
            connection: peerConnection,
            number: number
        )
        datagram += cipher.seal(frames, packetNumber: number, phase: sendPhase.phase, header: datagram[...])
        effects.append(.send(datagram, to: endpoint))
    }

    /// Changes the key after enough packets or time, but not before the peer is known to have followed the last change.
    private mutating func advancePhaseIfDue(now: MeshInstant) {
        let isUsedUp = nextPacketNumber - sendPhase.firstNumber >= configuration.rekeyPacketCount
        let isOld = sendPhase.since.duration(to: now) >= configuration.rekeyInterval
        guard isUsedUp || isOld, let newest = sent.newestAcknowledged, newest >= sendPhase.firstNumber else { return }
        sendPhase.advance(at: nextPacketNumber, now: now)
    }
}
