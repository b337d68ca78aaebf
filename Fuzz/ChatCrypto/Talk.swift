#if !FUZZING
    @testable import ChatCrypto
#endif

/// A conversation between two people.
struct Talk {
    private struct Packet {
        var packet: InboundPacket
        let content: [UInt8]
        let recipient: Int
        var isTaken = false
    }

    private var tables = people.tables
    private var packets: [Packet] = []
    private var now = People.now

    mutating func send(_ content: [UInt8], by person: Int) {
        let bundle = tables[1 - person].bundle
        let sealed = try? tables[person].seal([content], to: bundle.identity, bundle: bundle, at: now)
        guard let message = sealed?.message else { return }
        let packet = InboundPacket(kind: message.kind, body: message.body)
        packets.append(Packet(packet: packet, content: content, recipient: 1 - person))
    }

    /// Delivers an unchanged packet; it opens at most once.
    mutating func deliver(_ number: Int) {
        guard packets.indices.contains(number) else { return }
        let (packet, person) = (packets[number], packets[number].recipient)
        guard let opened = tables[person].open(packet.packet, at: now) else { return }
        precondition(opened.contents == [packet.content] && !packet.isTaken)
        precondition(opened.sender == tables[1 - person].identity.publicIdentity)
        _ = required { try tables[person].commit(opened, sentAt: now) }
        packets[number].isTaken = true
        precondition(tables[person].open(packet.packet, at: now) == nil)
    }

    /// Delivers a packet after a change; it does not open.
    mutating func deliver(_ number: Int, changed: ([UInt8]) -> [UInt8]) {
        guard packets.indices.contains(number) else { return }
        let (packet, person) = (packets[number].packet, packets[number].recipient)
        let body = changed(packet.body)
        guard body != packet.body else { return }
        precondition(tables[person].open(InboundPacket(kind: packet.kind, body: body), at: now) == nil)
    }

    /// Delivers a message of a peer that has the keys and obeys no rule.
    mutating func forge(_ choices: inout Choices, by person: Int) {
        guard let session = tables[person].peers.values.first?.primarySession, var chain = session.ratchet.sending
        else {
            return
        }
        let count = choices.flag() ? choices.number(below: 4) : choices.number(below: 1_100)
        for _ in 0..<count where chain.next < SessionLimits.maximumMessageNumber { _ = chain.advance() }
        let header = RatchetHeader(
            ratchetKey: choices.flag() ? session.ratchet.ownKey.publicKey : choices.field(32),
            epoch: choices.flag() ? session.ratchet.epoch : UInt32(choices.byte()),
            previousCount: choices.flag() ? session.ratchet.previousCount : UInt32(choices.number(below: .max)),
            number: choices.flag() ? chain.next : UInt32(choices.number(below: .max))
        )
        let messageKey = chain.advance()
        let isSealed = choices.flag()
        let items = choices.bytes(20)
        let padded = [0, choices.flag() ? UInt8(items.count) : choices.byte()] + items
        let message = MessageSeal.seal(
            padded
                + [UInt8](repeating: isSealed ? 0 : 1, count: 256 - 4 - MessageSeal.overheadByteCount - padded.count),
            header: header.encoded,
            headerKey: chain.headerKey,
            messageKey: messageKey,
            associatedData: session.ratchet.associatedData
        )
        let body = DeliveryProof(messageKey: messageKey, headerNonce: Array(message.prefix(12))).hash + message
        guard let opened = tables[1 - person].open(InboundPacket(kind: .sealed, body: body), at: now) else { return }
        _ = required { try tables[1 - person].commit(opened, sentAt: choices.flag() ? .max : 0) }
        check(1 - person)
    }

    mutating func age(by seconds: UInt32) {
        now = now.addingClamped(seconds)
        for person in tables.indices {
            _ = tables[person].expire(at: now)
            check(person)
        }
    }

    /// Restores a person's table from its records.
    mutating func restart(_ person: Int) {
        var change = SessionChange()
        for sessions in tables[person].peers.values {
            sessions.sessions.forEach { session in
                change.save(session)
                change.save(session.ratchet.exchange, of: session.id)
            }
        }
        for prekey in tables[person].prekeys.prekeys { change.save(prekey) }
        let identity = tables[person].identity
        let nickname = tables[person].nickname
        tables[person] = required {
            try SessionTable.restore(change.saved, identity: identity, nickname: nickname, at: now).table
        }
    }

    private func check(_ person: Int) {
        for sessions in tables[person].peers.values {
            precondition(sessions.sessions.count <= SessionLimits.maximumSessionsPerPeer)
            for session in sessions.sessions {
                precondition(session.ratchet.skipped.count <= SessionLimits.maximumSkippedKeys)
                precondition(session.ratchet.skipped.chains.count <= SessionLimits.maximumSkippedChains)
            }
        }
    }
}
