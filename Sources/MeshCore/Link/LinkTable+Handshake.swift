extension LinkTable {
    /// Handles a datagram of types 0x10, 0x11, 0x12, 0x40 and 0x41.
    ///
    /// Others are dropped.
    package mutating func receive(
        _ datagram: [UInt8],
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        switch LinkDatagram(decoding: datagram) {
        case .initiation(let initiation): receive(initiation, from: source, now: now, into: &effects)
        case .retry(let retry): receive(retry, from: source, into: &effects)
        case .response(let response): receive(response, from: source, now: now, into: &effects)
        case .data(let packet): receive(packet, from: source, now: now, into: &effects)
        case nil: effects.append(.dropped(.malformedDatagram))
        }
    }

    private mutating func receive(
        _ initiation: LinkDatagram.Initiation,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        if let index = answers.firstIndex(where: { $0.answers(initiation, from: source) }) {
            answers[index].expiresAt = now.advanced(by: configuration.dialTimeout)
            effects.append(.send(answers[index].response.encoded(), to: source))
            return
        }
        // Message 1 proves the mesh key before anything is counted, and costs no key agreement.
        var handshake = nodeKey.responderHandshake(header: initiation.header)
        guard handshake.readMessage(initiation.message[...]) else {
            effects.append(.dropped(.handshakeRefused))
            return
        }
        guard initiation.node != nodeID, !yields(initiation, from: source, now: now, into: &effects) else { return }
        guard hasAddressCapacity(for: initiation.node, at: source),
            hasCapacity(for: initiation.node) || wouldMakeRoom(for: initiation.node, now: now)
        else {
            effects.append(.dropped(.handshakeLimited))
            return
        }
        let isProven = cookies.accepts(
            initiation.cookie,
            for: initiation.node,
            at: source,
            cryptography: cryptography,
            random: &random,
            now: now
        )
        guard isProven || mayAnswerWithoutCookie(source, now: now) else {
            sendRetry(to: initiation, at: source, now: now, into: &effects)
            return
        }
        // Proven sources have a separate rate, so that forged datagrams cannot use up the allowance of a source that
        // receives our datagrams.
        guard answers.count < configuration.maximumAnswerCount, !isProven || provenSources.take(source, now: now),
            initiations.take(now: now)
        else {
            effects.append(.dropped(.handshakeLimited))
            return
        }
        answer(initiation, by: handshake, from: source, isProven: isProven, now: now, into: &effects)
    }

    private mutating func answer(
        _ initiation: LinkDatagram.Initiation,
        by handshake: any LinkHandshake,
        from source: Endpoint,
        isProven: Bool,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        let answer = Answer(
            to: initiation,
            from: source,
            ownNode: nodeID,
            connection: unusedConnection(),
            handshake: handshake,
            isProven: isProven,
            since: now,
            expiresAt: now.advanced(by: configuration.dialTimeout)
        )
        guard let answer else {
            effects.append(.dropped(.handshakeRefused))
            return
        }
        effects.append(.send(answer.response.encoded(), to: source))
        answers.append(answer)
    }

    /// Returns whether an INIT yields to this node's own dial, which then goes again, or to a link.
    ///
    /// Its source has shown that it is there, so it may be dialled with more than one datagram.
    private mutating func yields(
        _ initiation: LinkDatagram.Initiation,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) -> Bool {
        for index in dials.indices where dials[index].endpoint == source { dials[index].isRepeated = true }
        guard isCrossed(initiation, from: source, now: now) else { return false }
        retryNow(source, now: now, into: &effects)
        return true
    }

    /// Returns whether this node's own dial of the same peer, or the link that it has just made, takes precedence.
    private func isCrossed(_ initiation: LinkDatagram.Initiation, from source: Endpoint, now: MeshInstant) -> Bool {
        let isDialling = dials.contains { dial in
            (dial.node == initiation.node || dial.node == nil && dial.endpoint == source)
                && dial.initiation.node < initiation.node
        }
        return isDialling || established.contains { $0.crosses(handshakeOf: initiation.node, begunAt: now, now: now) }
    }

    /// Returns whether there is no sign of a flood, so that a source need not prove its address.
    private mutating func mayAnswerWithoutCookie(_ source: Endpoint, now: MeshInstant) -> Bool {
        let acceptedCount = established.count { !$0.dialledHere }
        let sameAddressCount =
            established.count { $0.endpoint.address == source.address }
            + answers.count { $0.endpoint.address == source.address }
        return acceptedCount + answers.count < acceptLimit
            && sameAddressCount < addressLimit(of: source)
            && sources.take(source, now: now) && freeInitiations.take(now: now)
    }

    private mutating func sendRetry(
        to initiation: LinkDatagram.Initiation,
        at source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        let cookie = cookies.cookie(
            for: initiation.node,
            at: source,
            cryptography: cryptography,
            random: &random,
            now: now
        )
        let retry = LinkDatagram.Retry(connection: initiation.connection, cookie: cookie)
        effects.append(.send(retry.encoded(), to: source))
    }

    private mutating func receive(
        _ retry: LinkDatagram.Retry,
        from source: Endpoint,
        into effects: inout [LinkEffect]
    ) {
        let match = dials.firstIndex { $0.connection == retry.connection && $0.endpoint == source }
        guard let index = match else {
            effects.append(.dropped(.handshakeRefused))
            return
        }
        dials[index].show(retry.cookie, into: &effects)
    }

    private mutating func receive(
        _ response: LinkDatagram.Response,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        let match = dials.firstIndex { $0.connection == response.connection && $0.endpoint == source }
        guard let index = match else {
            let isLate = dialPace.noteAnswer(toConnection: response.connection, from: source, now: now)
            return effects.append(isLate ? .answered(source) : .dropped(.handshakeRefused))
        }
        guard readAnswers.take(now: now) else { return effects.append(.dropped(.handshakeLimited)) }
        guard let outcome = dials[index].finish(response) else {
            effects.append(.dropped(.handshakeRefused))
            return
        }
        // The dial goes on if the answer is another node's: the wanted node may answer too.
        let node = cryptography.nodeID(of: outcome.peerKey)
        guard dials[index].node ?? node == node else {
            dials[index].isRepeated = true
            effects += [.answered(source), .dropped(.handshakeRefused)]
            return
        }
        let dial = dials.remove(at: index)
        dialPace.noteAnswer(to: dial, now: now)
        let isLinked = established.contains { $0.node == node && ($0.health == .up || $0.peerKey != outcome.peerKey) }
        guard !isLinked, node != nodeID, established.count < configuration.maximumLinkCount else {
            effects += [.dialFailed(dial.node, dial.endpoint), .answered(source)]
            return
        }
        let establishment = Link.Establishment(
            id: nextLinkID(),
            node: node,
            peerKey: outcome.peerKey,
            ownNode: dial.initiation.node,
            localConnection: dial.connection,
            peerConnection: response.sender,
            endpoint: dial.endpoint,
            dialledHere: true,
            cipher: outcome.cipher,
            proof: outcome.proof,
            roundTrip: dial.roundTrip(now: now)
        )
        establish(makeLink(establishment, now: now), now: now, into: &effects)
    }

    /// Creates the link with the status that it must send at once.
    mutating func makeLink(_ establishment: Link.Establishment, now: MeshInstant) -> Link {
        let idleWait = random.jittered(configuration.idleInterval, by: configuration.idleJitter)
        var link = Link(
            establishment,
            configuration: configuration.configuration(on: establishment.endpoint.interface),
            idleWait: idleWait,
            random: random.branch(),
            now: now
        )
        link.status = status
        return link
    }
}
