import Testing

@testable import ChatCrypto

@Suite("Sender keys")
struct SenderKeyTests {
    @Test("A sender key takes 105 bytes, and comes out of them as it went in")
    func encoding() throws {
        let key = SenderKey(of: Identity().id, group: try #require(GroupID(bytes: randomBytes(16))), epoch: 7, at: 0)
        let bytes = key.message.encoded()
        #expect(bytes.count == SenderKeyMessage.byteCount)
        let read = try SenderKeyMessage(decoding: bytes)
        #expect(read.encoded().isEqual(to: bytes))
        for count in [0, 1, 104, 106] {
            let other = SecretBytes(copying: (bytes.exposed + [0]).prefix(count))
            #expect(throws: CryptoError(.malformed, "")) { try SenderKeyMessage(decoding: other) }
        }
        for (index, byte) in [(0, 2), (17, 0xFF), (69, 0xFF)] as [(Int, UInt8)] {
            var changed = bytes.exposed
            changed[index] = byte
            let message = try? SenderKeyMessage(decoding: SecretBytes(copying: changed))
            #expect(message == nil || index == 17)
        }
    }

    @Test("A sender makes a new key after 100 messages and after a day, not before")
    func rotation() throws {
        var circle = try Circle(2)
        func isNew(at now: UInt32 = Circle.now) throws -> Bool {
            try circle.sessions[0].seal([1], at: now).newKey != nil
        }
        #expect(try isNew())
        for _ in 1..<GroupLimits.messagesPerSenderKey { #expect(try !isNew()) }
        #expect(try isNew())
        #expect(try !isNew(at: Circle.now + GroupLimits.senderKeyLife - 1))
        #expect(try isNew(at: Circle.now + GroupLimits.senderKeyLife))
    }

    @Test("A new key after a removal and a renewal, the same one after all else")
    func rotationByOperations() throws {
        var circle = try Circle(3)
        func isNew() throws -> Bool { try circle.sessions[1].seal([1], at: Circle.now).newKey != nil }
        #expect(try isNew())
        try circle.take(Identity())
        #expect(try !isNew())
        try circle.perform(.rename(GroupTitle("Other")))
        #expect(try !isNew())
        try circle.perform(.policy(.standard))
        #expect(try !isNew())
        try circle.perform(.remove(circle.id(2)))
        #expect(circle.sessions[1].currentKey(at: Circle.now) == nil)
        #expect(try isNew())
        try circle.perform(.renew)
        #expect(try isNew())
        _ = circle.sessions[1].noteLeaving(circle.sessions[3].own.id)
        #expect(try isNew())
        #expect(circle.sessions[1].recipients.map(\.identity.id) == [circle.id(0)])
    }

    @Test("A key of an epoch that has not come needs its operations first")
    func keyOfLaterEpoch() throws {
        var circle = try Circle(2)
        let update = try circle.sessions[0].perform(.renew, at: Circle.now).update
        let sealed = try circle.sessions[0].seal(Array("new".utf8), at: Circle.now)
        let key = try #require(sealed.newKey)
        let outcome = circle.sessions[1].accept(key, from: circle.id(0), at: Circle.now).outcome
        #expect(outcome == .needsOperations(upTo: update.operation.epoch))
        #expect(circle.sessions[1].apply(update, at: Circle.now).outcome == .applied)
        #expect(circle.sessions[1].accept(key, from: circle.id(0), at: Circle.now).outcome == .accepted)
        let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        #expect(circle.hear(packet, by: 1) == .text("new", circle.id(0)))
    }

    @Test("The hundredth message of a sender key is its last, and what names a later one changes nothing")
    func end() throws {
        let wrap = KeyWrap()
        let maker = Identity().id
        let key = SenderKey(of: maker, group: try #require(GroupID(bytes: randomBytes(16))), epoch: 1, at: 0)
        var received = ReceivedSenderKey(key.message, from: maker, wrap: wrap, at: 0)
        for iteration in [100, 1_000, 65_535, .max] as [UInt32] {
            guard case .missing = received.lookUp(iteration, wrap: wrap) else {
                Issue.record("past the end")
                return
            }
            #expect(GroupHeader(decoding: GroupHeader(keyID: key.id, epoch: 1, iteration: iteration).encoded) == nil)
        }
        guard case .open = received.lookUp(99, wrap: wrap) else {
            Issue.record("the last")
            return
        }
        #expect(received.next == 0 && received.entries.isEmpty)
        received.use(99, digest: randomBytes(16), wrap: wrap, at: 0)
        #expect(received.next == 100 && received.skippedCount == 99)
    }

    @Test("400 packets that name another's key cost at most 100 steps of its chain each, and change nothing")
    func forgedSteps() throws {
        var circle = try Circle(3)
        _ = try circle.say("hello", by: 0)
        let key = try #require(circle.sessions[0].senderKey)
        let victim = try #require(circle.sessions[1].received[key.id])
        let count = StepCount()
        for number in 0..<UInt32(400) {
            let packet = Forger.packet(
                "forged",
                of: circle,
                by: 0,
                key: key,
                iteration: number % 2 == 0 ? 99 : 1_000,
                messageKey: .random(count: 32)
            )
            let heard = SenderChain.$steps.withValue(count) { circle.hear(packet, by: 1) }
            #expect(heard == .refused)
        }
        #expect(count.value > 0 && count.value <= 200 * 100)
        #expect(circle.sessions[1].received[key.id]?.next == victim.next)
        #expect(circle.sessions[1].received[key.id]?.entries.count == victim.entries.count)
    }

    @Test("Keys of missing messages go after 8 days, used ones after 10 minutes and beyond 64")
    func ages() throws {
        let wrap = KeyWrap()
        let maker = Identity().id
        let key = SenderKey(of: maker, group: try #require(GroupID(bytes: randomBytes(16))), epoch: 1, at: 0)
        var received = ReceivedSenderKey(key.message, from: maker, wrap: wrap, at: 0)
        received.use(3, digest: randomBytes(16), wrap: wrap, at: 100)
        received.trim(at: 100 + GroupLimits.usedKeySeconds)
        #expect(received.entries.map(\.iteration) == [0, 1, 2, 3])
        received.trim(at: 101 + GroupLimits.usedKeySeconds)
        #expect(received.entries.map(\.iteration) == [0, 1, 2])
        #expect(received.holdsExpired(at: 101 + GroupLimits.receiveOnlySeconds))
        received.trim(at: 101 + GroupLimits.receiveOnlySeconds)
        #expect(received.entries.isEmpty && received.isExpired(at: 101 + GroupLimits.receiveOnlySeconds))
        for iteration in 4..<100 { received.use(UInt32(iteration), digest: randomBytes(16), wrap: wrap, at: 200) }
        #expect(received.entries.map(\.iteration) == (36..<100).map { UInt32($0) })
    }

    @Test("64 keys of one member are kept, and 2,000 keys of its missing messages")
    func boundsOfMember() throws {
        var circle = try Circle(2)
        let maker = circle.id(1)
        var keys: [SenderKey] = []
        for _ in 0...GroupLimits.keysPerMember {
            let key = SenderKey(of: maker, group: circle.sessions[0].id, epoch: 2, at: Circle.now)
            #expect(circle.sessions[0].accept(key.message, from: maker, at: Circle.now).outcome == .accepted)
            keys.append(key)
        }
        #expect(circle.sessions[0].received.count == GroupLimits.keysPerMember)
        var late: [SenderKeyID] = []
        for (number, key) in keys.enumerated() where circle.sessions[0].received[key.id] != nil && late.count < 22 {
            var key = key
            for _ in 0..<95 { _ = key.advance() }
            let (iteration, messageKey) = key.advance()
            let now = Circle.now + UInt32(number)
            let packet = Forger.packet(
                "far",
                of: circle,
                by: 1,
                key: key,
                iteration: iteration,
                messageKey: messageKey
            )
            #expect(circle.hear(packet, by: 0, at: now) == .text("far", maker))
            late.append(key.id)
        }
        let counts = late.map { circle.sessions[0].received[$0]?.skippedCount }
        #expect(counts == [5] + Array(repeating: 95, count: 21))
    }

    @Test("Header keys of past epochs are kept for 8 days, and at most 64 of them")
    func pastEpochs() throws {
        var circle = try Circle(2)
        let early = try circle.say("early", by: 0)
        for _ in 0..<GroupLimits.maximumPastEpochs { try circle.perform(.rename(GroupTitle("Again"))) }
        #expect(circle.sessions[1].epochs.count == GroupLimits.maximumPastEpochs + 1)
        #expect(circle.hear(early, by: 1) == .text("early", circle.id(0)))
        let last = try circle.say("the last of its epoch", by: 0)
        try circle.perform(.rename(GroupTitle("Once more")))
        #expect(circle.sessions[1].epochs.count == GroupLimits.maximumPastEpochs + 1)
        _ = circle.sessions[1].expire(at: Circle.now + GroupLimits.receiveOnlySeconds)
        #expect(circle.sessions[1].epochs.count == GroupLimits.maximumPastEpochs + 1)
        let change = circle.sessions[1].expire(at: Circle.now + GroupLimits.receiveOnlySeconds + 1)
        #expect(circle.sessions[1].epochs.count == 1 && circle.sessions[1].received.isEmpty)
        #expect(change.saved.map(\.id.kind) == [.group] && change.deleted.map(\.kind) == [.receivedKey])
        #expect(circle.hear(last, by: 1) == .nothing)
    }

    @Test("The owner begins a new epoch after a week or 2^20 messages")
    func renewal() throws {
        var circle = try Circle(2)
        let week = Circle.now + GroupLimits.epochLife
        #expect(!circle.sessions[0].wantsRenewal(at: week))
        #expect(circle.sessions[0].wantsRenewal(at: week + 1) && !circle.sessions[1].wantsRenewal(at: week + 1))
        let last = circle.sessions[0].epochs.count - 1
        circle.sessions[0].epochs[last].messageCount = GroupLimits.messagesPerEpoch - 1
        #expect(!circle.sessions[0].wantsRenewal(at: Circle.now))
        _ = try circle.say("one more", by: 0)
        #expect(circle.sessions[0].wantsRenewal(at: Circle.now))
        try circle.perform(.renew)
        #expect(!circle.sessions[0].wantsRenewal(at: Circle.now))
    }

    @Test("The key that follows from a header key is the known one")
    func nextHeaderKey() throws {
        let known = try VectorFile("room").cases[0]
        let group = try #require(GroupID(bytes: try known.bytes("group")))
        let epoch = GroupEpoch(
            number: 1,
            group: group,
            hash: randomBytes(32),
            headerKey: SecretBytes(copying: try known.bytes("header key")),
            freshSince: 1,
            begunAt: 0
        )
        #expect(epoch.nextHeaderKey(of: group).exposed == (try known.bytes("next header key")))
    }
}
