import Testing

@testable import ChatCrypto

@Suite("Messages of groups with a key tree")
struct GroupMessageTests {
    /// Forges a message as a member that has the secrets of an epoch can.
    static func forged(
        _ text: String,
        _ epoch: GroupEpoch,
        slot: UInt16,
        device: UInt8 = 0,
        run: UInt32 = 0,
        iteration: UInt32 = 0,
        key: SecretBytes,
        sender: PeerID,
        by signing: Ed25519.SigningKey
    ) throws -> InboundPacket {
        let overhead = CarrierKind.sealed.overheadByteCount + Ed25519.signatureByteCount
        let padded = Padding.pad(MessageItems.encode([Array(text.utf8)]), overheadByteCount: overhead)
        let message = GroupSeal.seal(
            padded: try #require(padded),
            header: GroupHeader(slot: slot, device: device, epoch: epoch.number, run: run, iteration: iteration),
            epoch: epoch,
            messageKey: key,
            sender: sender,
            signing: signing
        )
        return InboundPacket(kind: .sealed, body: randomBytes(16) + message)
    }

    private static func key(
        _ circle: GroupCircle,
        of speaker: Int,
        device: UInt8 = 0,
        run: UInt32 = 0,
        iteration: UInt32
    ) throws -> SecretBytes {
        let session = circle.sessions[speaker]
        let (epoch, slot) = (try #require(session.epochs.last), try #require(session.slot))
        let chain = try #require(epoch.chain(slot, device, run: run, wrap: session.wrap))
        var ahead = AheadKeys()
        guard case .open(let key) = chain.lookUp(iteration, ahead: &ahead, wrap: session.wrap) else {
            throw VectorError("no key")
        }
        return key
    }

    @Test("Messages open once, in any order, within the limit of missing ones")
    func order() throws {
        var circle = try GroupCircle(3)
        var packets: [InboundPacket] = []
        for number in 0..<(GroupLimits.maximumSkip + 2) { packets.append(try circle.say("\(number)", by: 1)) }
        #expect(circle.hear(try #require(packets.last), by: 0) == .refused, "too far ahead")
        let far = packets[Int(GroupLimits.maximumSkip)]
        #expect(circle.hear(far, by: 0) == .text("\(GroupLimits.maximumSkip)", circle.id(1)))
        #expect(circle.hear(far, by: 0) == .refused, "opened already")
        #expect(circle.hear(packets[1_000], by: 0) == .text("1000", circle.id(1)))
        #expect(circle.hear(packets[1_000], by: 0) == .refused)
        #expect(circle.sessions[0].epochs.last?.senders[1]?.skippedCount == GroupLimits.skippedPerMember - 1)
        _ = try circle.perform([.policy(.standard)])
        for number in 0..<100 { packets.append(try circle.say("\(number)", by: 1)) }
        #expect(circle.hear(try #require(packets.last), by: 0) == .text("99", circle.id(1)))
        let counts = circle.sessions[0].epochs.map { $0.senders[1]?.skippedCount ?? 0 }
        #expect(counts.reduce(0, +) == GroupLimits.skippedPerMember && counts.last == 99)
        #expect(circle.hear(packets[0], by: 0) == .refused, "its key was dropped")
    }

    @Test("Late messages of past epochs open for 8 days")
    func pastEpochs() throws {
        var circle = try GroupCircle(3)
        let packets = try (0..<3).map { try circle.say("\($0)", by: 1) }
        #expect(circle.hear(packets[1], by: 0) == .text("1", circle.id(1)))
        try circle.perform([.renewBlock])
        #expect(circle.hear(packets[0], by: 0) == .text("0", circle.id(1)))
        circle.stores[0].write(circle.sessions[0].expire(at: GroupCircle.now + GroupLimits.receiveOnlySeconds + 1))
        #expect(circle.sessions[0].epochs.count == 1)
        #expect(circle.hear(packets[2], by: 0) == .nothing)
        #expect(circle.stores[0].count(.groupChains) == 0)
        for _ in 0..<70 { try circle.perform([.policy(.standard)]) }
        #expect(circle.sessions[1].epochs.count == GroupLimits.maximumPastEpochs + 1)
    }

    @Test("A member cannot write for another, and a second content under one key is an equivocation")
    func forgery() throws {
        var circle = try GroupCircle(4)
        let epoch = try #require(circle.sessions[2].epochs.last)
        let run = GroupCircle.now / GroupLimits.runSeconds
        let key = try Self.key(circle, of: 1, run: run, iteration: 0)
        let mallory = circle.identities[2].signing
        let forged = try Self.forged("forged", epoch, slot: 1, key: key, sender: circle.id(1), by: mallory)
        #expect(circle.hear(forged, by: 0) == .refused)
        let own = try Self.forged("own", epoch, slot: 1, key: key, sender: circle.id(2), by: mallory)
        #expect(circle.hear(own, by: 0) == .refused, "another root id")
        let first = try circle.say("first", by: 1)
        #expect(circle.hear(first, by: 0) == .text("first", circle.id(1)))
        #expect(circle.hear(forged, by: 0) == .refused, "nothing without the signature")
        let victim = circle.identities[1].signing
        let second = try Self.forged("second", epoch, slot: 1, run: run, key: key, sender: circle.id(1), by: victim)
        #expect(circle.hear(second, by: 0) == .equivocation(circle.id(1)))
        #expect(circle.hear(second, by: 3) == .text("second", circle.id(1)))
        #expect(circle.hear(first, by: 3) == .equivocation(circle.id(1)))
        let echo = try circle.say("echo", by: 1)
        #expect(circle.hear(echo, by: 1) == .refused)
        for slot in [3, 4, 4_095, 4_096] as [UInt16] {
            let packet = try Self.forged("x", epoch, slot: slot, key: key, sender: circle.id(2), by: mallory)
            #expect(circle.hear(packet, by: 0) == .refused)
        }
    }

    @Test("A device of a member writes under its own key, once the list of devices is here")
    func devices() throws {
        var circle = try GroupCircle(2)
        let epoch = try #require(circle.sessions[1].epochs.last)
        let device = Ed25519.SigningKey()
        let key = try Self.key(circle, of: 1, device: 2, iteration: 0)
        let packet = try Self.forged("tablet", epoch, slot: 1, device: 2, key: key, sender: circle.id(1), by: device)
        #expect(circle.hear(packet, by: 0) == .needsDevice(circle.id(1), 2))
        let other = circle.sessions[0].open(
            packet,
            devices: { _, _ in .key(Ed25519.SigningKey().publicKey) },
            at: GroupCircle.now
        )
        #expect(Heard(other?.opening) == .refused)
        let unlisted = circle.sessions[0].open(packet, devices: { _, _ in .unlisted }, at: GroupCircle.now)
        #expect(Heard(unlisted?.opening) == .refused)
        // Two members who list one device cannot exchange its messages.
        let foreign = try Self.forged("x", epoch, slot: 1, device: 2, key: key, sender: circle.id(0), by: device)
        let exchanged = circle.sessions[0].open(
            foreign,
            devices: { _, _ in .key(device.publicKey) },
            at: GroupCircle.now
        )
        #expect(Heard(exchanged?.opening) == .refused)
        let opened = circle.sessions[0].open(packet, devices: { _, _ in .key(device.publicKey) }, at: GroupCircle.now)
        #expect(Heard(opened?.opening) == .text("tablet", circle.id(1)))
        let packed = try circle.sessions[1].seal([[1], [2, 2]], by: circle.identities[1], at: GroupCircle.now)
        let heard = circle.sessions[0].open(
            InboundPacket(kind: .sealed, body: packed.message.body),
            at: GroupCircle.now
        )
        guard case .message(let contents, _, 0) = heard?.opening else {
            Issue.record("not opened")
            return
        }
        #expect(contents == [[1], [2, 2]])
    }

    @Test("A notice is of any member, looks like a message, and opens for members alone; a forged one does not open")
    func notices() throws {
        var circle = try GroupCircle(3)
        let epoch = circle.sessions[1].log.epoch
        let made = try circle.sessions[1].sealNotice([Array("removed".utf8)])
        let packet = InboundPacket(kind: .sealed, body: made.body)
        #expect(made.body.count == (try circle.say("x", by: 1)).body.count)
        try circle.perform([.remove(circle.id(2))])
        #expect(circle.hear(packet, by: 0) == .notice("removed"))
        for bit in [0, 130, 300, 700, 1_100, 1_500] + [made.body.count * 8 - 1] {
            let expected: Heard = bit < 128 ? .notice("removed") : bit < 672 ? .nothing : .refused
            #expect(circle.hear(packet.flipped(bit: bit), by: 0) == expected, "bit \(bit)")
        }
        let past = try #require(try circle.sessions[1].sealNotice([[1]], epoch: epoch))
        #expect(circle.hear(InboundPacket(kind: .sealed, body: past.body), by: 0) == .notice("\u{1}"))
        #expect(try circle.sessions[1].sealNotice([[1]], epoch: 99) == nil)
        // A member that was removed knows the notice key of the epoch before and none of the present one.
        let old = try #require(circle.sessions[0].epochs.dropLast().last)
        let present = try #require(circle.sessions[0].epochs.last)
        let overhead = CarrierKind.sealed.overheadByteCount
        let padded = Padding.pad(MessageItems.encode([[7]]), overheadByteCount: overhead)
        let forged = MessageSeal.seal(
            try #require(padded),
            header: GroupHeader.notice(epoch: present.number).encoded,
            headerKey: present.headerKey,
            messageKey: old.noticeKey,
            associatedData: present.associatedData
        )
        #expect(circle.hear(InboundPacket(kind: .sealed, body: randomBytes(16) + forged), by: 1) == .refused)
        #expect(throws: CryptoError(.contentSize, "")) { try circle.sessions[1].sealNotice([[]]) }
    }

    @Test("Content has the sizes of one envelope")
    func sizes() throws {
        var circle = try GroupCircle(2)
        let largest = [UInt8](repeating: 7, count: GroupLimits.maximumItemsByteCount - 3)
        let sealed = try circle.sessions[0].seal([largest], by: circle.identities[0], at: GroupCircle.now)
        #expect(sealed.message.body.count == 16_384 + 16 - 4)
        for contents in [[], [[]], [largest + [1, 1]], Array(repeating: [1], count: 257)] as [[[UInt8]]] {
            #expect(throws: CryptoError(.contentSize, "")) {
                try circle.sessions[0].seal(contents, by: circle.identities[0], at: GroupCircle.now)
            }
        }
        #expect(try circle.say(String(repeating: "x", count: 69), by: 0).body.count == 256 + 16 - 4)
    }

    @Test("In a large group 16 members confirm a message, chosen alike by all, and others confirm the next message")
    func receipts() throws {
        var circle = try GroupCircle(33)
        let id = try #require(MessageID(bytes: [UInt8](repeating: 9, count: 16)))
        let epoch = circle.sessions[0].log.epoch
        let chosen = circle.sessions.dropFirst().map { $0.confirmingSlots(for: id, epoch: epoch) }
        #expect(Set(chosen).count == 1 && chosen[0].count == GroupLimits.sampledMembers)
        let other = try #require(MessageID(bytes: [UInt8](repeating: 8, count: 16)))
        #expect(circle.sessions[1].confirmingSlots(for: other, epoch: epoch) != chosen[0])
        #expect(circle.sessions[1].confirmingSlots(for: id, epoch: 99).isEmpty)
        try circle.perform([.remove(circle.id(1))])
        #expect(circle.sessions[2].confirmingSlots(for: id, epoch: epoch + 1).count == 32)
    }

    @Test("Headers with another form are refused")
    func headers() {
        let header = GroupHeader(slot: 5, device: 4, epoch: 9, iteration: 7)
        #expect(GroupHeader(decoding: header.encoded) == header && header.encoded.count == 40)
        for (index, byte) in [(0, 0x10), (2, 5), (3, 1), (8, 1), (12, 1), (39, 1)] as [(Int, UInt8)] {
            var bytes = header.encoded
            bytes[index] = byte
            #expect(GroupHeader(decoding: bytes) == nil, "byte \(index)")
        }
        #expect(GroupHeader(decoding: GroupHeader.notice(epoch: 3).encoded) == .notice(epoch: 3))
        #expect(GroupHeader(decoding: GroupHeader(slot: .max, device: 1, epoch: 3, iteration: 0).encoded) == nil)
        #expect(GroupHeader(decoding: header.encoded + [0]) == nil)
    }
}
