extension Link {
    /// Takes a sealed packet; false if it does not authenticate or came before, and then nothing has changed.
    @discardableResult
    mutating func receive(
        _ packet: LinkDatagram.DataPacket,
        from source: Endpoint,
        now: MeshInstant,
        random: inout MeshRandom,
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
        lastReceivedAt = now
        if source.interface == endpoint.interface { hasLostInterface = false }
        if probeCount < configuration.suspectProbeCount { health = .up }
        guard let frames = Frame.decode(bytes), apply(frames, number: number, from: source, now: now, into: &effects)
        else {
            // Counted once, however often somebody repeats it; never acknowledged.
            received.insert(number)
            noteMalformed(now: now, into: &effects)
            flush(now: now, into: &effects)
            return true
        }
        if end == nil, source != endpoint, number >= expected {
            probePath(to: source, now: now, random: &random, into: &effects)
        }
        flush(now: now, into: &effects)
        if queue.takeWritable() { effects.append(.writable(id)) }
        return true
    }

    /// Carries the frames out; false if any contradicts what is known.
    private mutating func apply(
        _ frames: [Frame],
        number: UInt64,
        from source: Endpoint,
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
                guard number >= statusNumber else { break }
                statusNumber = number
                effects.append(.status(status, from: id))
            case .message(let piece):
                switch reassembly.add(piece) {
                case .complete(let message): effects.append(.message(message, lane: piece.lane, from: id))
                case .waiting: break
                case .malformed: return false
                case .noRoom:
                    effects.append(.dropped(.reassemblyLimit))
                    isKept = false
                }
            case .pathChallenge(let token):
                answerPath(token, to: source, now: now, into: &effects)
            case .pathResponse(let token):
                confirmPath(token, from: source, now: now, into: &effects)
            }
        }
        if isKept { noteReceived(frames, number: number, now: now) }
        return true
    }

    /// Marks the packet as received and decides when it is acknowledged.
    private mutating func noteReceived(_ frames: [Frame], number: UInt64, now: MeshInstant) {
        received.insert(number)
        guard frames.contains(where: \.isEliciting) else { return }
        if number >= largestEliciting?.number ?? 0 { largestEliciting = (number, now) }
        elicitingCount += 1
        let isUrgent = elicitingCount >= configuration.acknowledgementPacketCount || frames.contains(where: \.isUrgent)
        let deadline = isUrgent ? now : now.advanced(by: configuration.acknowledgementDelay)
        acknowledgementDeadline = min(acknowledgementDeadline, deadline)
    }

    /// Learns which packets arrived, how long they took, and which are lost; false if one was never sent.
    private mutating func take(
        _ acknowledgement: Frame.Acknowledgement,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) -> Bool {
        let largest = LinkDatagram.DataPacket.fullNumber(low: acknowledgement.lowLargest, expected: nextPacketNumber)
        guard largest < nextPacketNumber else { return false }
        let packets = sent.acknowledge { acknowledgement.covers($0, largest: largest) }
        guard let newest = packets.last else { return true }
        if newest.number == largest {
            let delay = Duration.microseconds(Int64(acknowledgement.delay))
            roundTrip.add(newest.sentAt.duration(to: now) - delay)
        }
        for piece in packets.lazy.flatMap(\.pieces) {
            if let tag = queue.acknowledge(piece), tag != 0 { effects.append(.acknowledged(tag: tag, on: id)) }
        }
        probeCount = 0
        probeCredit = 0
        probeBase = now
        health = .up
        resend(sent.takeOvertaken(olderThan: roundTrip.lossDelay, now: now))
        return true
    }

    /// Puts what lost packets carried back to be sent.
    mutating func resend(_ packets: [SentPacket]) {
        for packet in packets {
            if packet.carriesPing { wantsPing = true }
            if packet.carriesStatus { wantsStatus = true }
            for piece in packet.pieces { queue.lose(piece) }
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
    /// Asks for a sign of life from the endpoint that a new packet of the peer came from.
    private mutating func probePath(
        to source: Endpoint,
        now: MeshInstant,
        random: inout MeshRandom,
        into effects: inout [LinkEffect]
    ) {
        if let pathProbe, pathProbe.endpoint == source,
            pathProbe.sentAt.duration(to: now) < roundTrip.probeTimeout
        {
            return
        }
        let probe = PathProbe(endpoint: source, token: random.next(), sentAt: now)
        pathProbe = probe
        var writer = ByteWriter()
        Frame.pathChallenge(probe.token).encode(into: &writer)
        transmit(writer.bytes, to: source, now: now, into: &effects)
    }

    private mutating func answerPath(
        _ token: UInt64,
        to source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        var writer = ByteWriter()
        Frame.pathResponse(token).encode(into: &writer)
        transmit(writer.bytes, to: source, now: now, into: &effects)
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
        hasLostInterface = false
        // What is out went to the old endpoint.
        resend(sent.takeAll(olderThan: .zero, now: now))
        probeCount = 0
        probeBase = now
        effects.append(.moved(info))
    }
}
