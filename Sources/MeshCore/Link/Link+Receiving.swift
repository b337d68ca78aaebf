extension Link {
    /// A packet that was opened successfully.
    private struct Arrival {
        var number: UInt64
        var source: Endpoint
        /// The size of the datagram.
        ///
        /// Units: bytes.
        var byteCount: Int
        var reassemblyRoom: Int
    }

    /// Handles a sealed packet; returns false and changes nothing if it does not authenticate or was received before.
    ///
    /// - Parameter reassemblyRoom: The size by which the incomplete messages of all links together may still grow.
    ///   Units: bytes.
    @discardableResult
    mutating func receive(
        _ packet: LinkDatagram.DataPacket,
        from source: Endpoint,
        reassemblyRoom: Int,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) -> Bool {
        let expected = received.largest.map { $0 &+ 1 } ?? 0
        let number = LinkDatagram.DataPacket.fullNumber(low: packet.lowNumber, expected: expected)
        guard !received.contains(number) else {
            effects.append(.dropped(.replayed))
            return false
        }
        guard let phase = receivePhase.phase(bit: packet.phaseBit, number: number),
            let bytes = cipher.open(packet.sealed, packetNumber: number, phase: phase, header: packet.header)
        else {
            effects.append(.dropped(.unauthenticated))
            return false
        }
        receivePhase.confirm(phase, number: number, now: now)
        (lastReceivedAt, silenceFactor) = (now, crowdFactor)
        idleAt = now.advanced(by: idleWait * silenceFactor)
        proof = nil
        if probeCount < configuration.suspectProbeCount { health = .up }
        isTouched = true
        let arrival = Arrival(
            number: number,
            source: source,
            byteCount: packet.header.count + packet.sealed.count,
            reassemblyRoom: reassemblyRoom
        )
        guard let frames = Frame.decode(bytes), apply(frames, of: arrival, now: now, into: &effects) else {
            // The packet counts once, however often it is repeated, and is never acknowledged.
            received.insert(number)
            noteMalformed(now: now, into: &effects)
            return true
        }
        if end == nil, source != endpoint, number >= expected {
            probePath(to: arrival, now: now, into: &effects)
        }
        resizeBulkLane()
        if queue.takeWritable() { effects.append(.writable(id)) }
        return true
    }

    /// Carries out the frames; returns false if any contradicts the state of the link.
    private mutating func apply(
        _ frames: [Frame],
        of arrival: Arrival,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) -> Bool {
        var isKept = true
        for frame in frames {
            switch frame {
            case .ping:
                break
            case .acknowledgement(let acknowledgement):
                guard take(acknowledgement, now: now, into: &effects) else { return false }
            case .close:
                end = .left
                return true
            case .status(let status):
                take(status, number: arrival.number, now: now, into: &effects)
            case .statusSum(let sum):
                if let status, status.sum != sum { announceStatus(now: now) }
            case .message(let fragment):
                switch reassembly.add(fragment, room: arrival.reassemblyRoom) {
                case .complete(let message): effects.append(.message(message, lane: fragment.lane, from: id))
                case .waiting: break
                case .malformed: return false
                case .noRoom:
                    effects.append(.dropped(.reassemblyLimit))
                    isKept = false
                }
            case .datagram(let data):
                effects.append(.datagram(Array(data), from: id))
            case .pathChallenge(let token):
                answerPath(token, to: arrival, now: now, into: &effects)
            case .pathResponse(let token):
                confirmPath(token, from: arrival.source, now: now, into: &effects)
            }
        }
        if !frames.contains(where: \.isEliciting) {
            received.insert(arrival.number)
        } else if isKept {
            received.insert(
                eliciting: arrival.number,
                isUrgent: frames.contains(where: \.isUrgent),
                delay: crowdDelay,
                now: now
            )
        }
        return true
    }

    /// Updates the state with the packets that arrived, their round trip, and the lost ones; returns false if one was
    /// never sent.
    private mutating func take(
        _ acknowledgement: Frame.Acknowledgement,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) -> Bool {
        let largest = LinkDatagram.DataPacket.fullNumber(low: acknowledgement.lowLargest, expected: nextPacketNumber)
        guard largest < nextPacketNumber, !sent.hasSkipped(any: acknowledgement, largest: largest) else {
            return false
        }
        let packets = sent.acknowledge(acknowledgement, largest: largest)
        guard let newest = packets.last else { return true }
        if newest.number == largest {
            let delay = Duration.microseconds(Int64(acknowledgement.delay))
            roundTrip.add(newest.sentAt.duration(to: now) - delay)
        }
        rate.acknowledge(
            packets,
            roundTrip: roundTrip,
            inFlightByteCount: sent.inFlightByteCount,
            now: now
        )
        for packet in packets {
            if let fragment = packet.content.firstFragment { finish(fragment, into: &effects) }
            for fragment in packet.content.otherFragments { finish(fragment, into: &effects) }
        }
        probeCount = 0
        probeCredit = 0
        probeBase = now
        health = .up
        loseOvertaken(now: now)
        return true
    }

    /// Takes the peer's status, unless a later packet brought a later one, or there are too many.
    ///
    /// The peer finds out by the sum in a later ping that a status was dropped.
    private mutating func take(
        _ status: LinkStatus,
        number: UInt64,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        guard number >= statusNumber else { return }
        guard statuses.take(now: now) else { return effects.append(.dropped(.limited)) }
        statusNumber = number
        peerStatus = status
        effects.append(.status(status, from: id))
    }

    private mutating func finish(_ fragment: LaneQueue.Fragment, into effects: inout [LinkEffect]) {
        if let tag = queue.acknowledge(fragment), tag != 0 { effects.append(.acknowledged(tag: tag, on: id)) }
    }

    /// Declares packets lost that newer ones have overtaken.
    mutating func loseOvertaken(now: MeshInstant) {
        lose(sent.takeOvertaken(olderThan: roundTrip.lossDelay, now: now))
    }

    /// Updates the rate with the loss of packets, and requeues their content.
    mutating func lose(_ packets: [SentPacket]) {
        rate.lose(packets)
        resend(packets)
    }

    /// Requeues the content of packets, to be sent again.
    private mutating func resend(_ packets: [SentPacket]) {
        for packet in packets {
            if packet.content.carriesPing { wantsPing = true }
            if packet.content.carriesStatus { wantsStatus = true }
            if let fragment = packet.content.firstFragment { queue.lose(fragment) }
            for fragment in packet.content.otherFragments { queue.lose(fragment) }
        }
    }

    private mutating func noteMalformed(now: MeshInstant, into effects: inout [LinkEffect]) {
        effects.append(.dropped(.malformedFrame))
        if malformedSince.duration(to: now) >= .seconds(60) {
            malformedSince = now
            malformedCount = 0
        }
        malformedCount += 1
        guard malformedCount >= configuration.malformedPacketLimit else { return }
        close(reason: .misbehaved, now: now, into: &effects)
    }
}

// MARK: - Paths

extension Link {
    /// Challenges the endpoint from which a new packet of the peer came.
    ///
    /// A link does not move to another network.
    private mutating func probePath(to arrival: Arrival, now: MeshInstant, into effects: inout [LinkEffect]) {
        let source = arrival.source
        guard source.interface == endpoint.interface else { return }
        if let pathProbe, pathProbe.endpoint == source,
            pathProbe.sentAt.duration(to: now) < probeTimeout
        {
            return
        }
        let probe = PathProbe(endpoint: source, token: random.next(), sentAt: now)
        pathProbe = probe
        transmit(.pathChallenge(probe.token), to: source, now: now, into: &effects)
    }

    /// Answers a challenge, unless there were too many, or the answer could go to an uninvolved host and be long for it.
    private mutating func answerPath(
        _ token: UInt64,
        to arrival: Arrival,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        guard arrival.source == endpoint || arrival.byteCount >= LinkProtocol.challengeByteCount,
            pathResponses.take(now: now)
        else { return }
        transmit(.pathResponse(token), to: arrival.source, now: now, into: &effects)
    }

    private mutating func confirmPath(
        _ token: UInt64,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        guard let probe = pathProbe, probe.token == token, probe.endpoint == source else { return }
        pathProbe = nil
        endpoint = source
        // The packets in flight went to the old endpoint.
        resend(sent.takeAll(olderThan: .zero, now: now))
        probeCount = 0
        probeBase = now
        effects.append(.moved(info))
    }
}
