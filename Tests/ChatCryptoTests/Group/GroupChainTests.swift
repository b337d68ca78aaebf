import Testing

@testable import ChatCrypto

@Suite("Chains of messages far ahead")
struct GroupChainTests {
    private static func packets(_ circle: inout GroupCircle, _ count: Int) throws -> [InboundPacket] {
        try (0..<count).map { try circle.say("\($0)", by: 1) }
    }

    @Test("A message far ahead writes the keys of the missing ones in small records, and the next message one of them")
    func records() throws {
        var circle = try GroupCircle(2)
        let packets = try Self.packets(&circle, 1_202)
        func chainRecords(_ change: SessionChange?) throws -> [Int] {
            try #require(change).saved.filter { $0.id.kind == .groupChains }.map(\.value.count)
        }
        let far = circle.sessions[0].open(packets[1_200], at: GroupCircle.now)
        circle.stores[0].write(try #require(far?.change))
        let written = try chainRecords(far?.change)
        #expect(written.count == 1 + 19 && written.max() ?? 0 < 6_000)
        let next = circle.sessions[0].open(packets[1_201], at: GroupCircle.now)
        circle.stores[0].write(try #require(next?.change))
        #expect(try chainRecords(next?.change).count == 2 && chainRecords(next?.change).reduce(0, +) < 6_000)
        let late = circle.sessions[0].open(packets[70], at: GroupCircle.now)
        circle.stores[0].write(try #require(late?.change))
        #expect(try chainRecords(late?.change).count == 2)
        try circle.restart(0)
        #expect(circle.hear(packets[70], by: 0) == .refused && circle.hear(packets[1_200], by: 0) == .refused)
        #expect(circle.hear(packets[3], by: 0) == .text("3", circle.id(1)))
        #expect(circle.hear(packets[1_199], by: 0) == .text("1199", circle.id(1)))
        // All of them go with the epoch.
        try circle.perform([.policy(.standard)])
        circle.stores[0].write(circle.sessions[0].expire(at: GroupCircle.now + GroupLimits.receiveOnlySeconds + 1))
        #expect(circle.stores[0].count(.groupChains) == 0)
    }

    @Test("The records of a removed member's keys are deleted")
    func removedMember() throws {
        var circle = try GroupCircle(3)
        let packets = try Self.packets(&circle, 200)
        #expect(circle.hear(packets[199], by: 0) == .text("199", circle.id(1)))
        #expect(circle.stores[0].count(.groupChains) == 1 + 4)
        try circle.perform([.remove(circle.id(1))])
        #expect(circle.stores[0].count(.groupChains) == 0)
    }

    @Test("More packets far ahead that do not open cost few steps, at any position")
    func repeatedGarbage() throws {
        var circle = try GroupCircle(2)
        let packets = try Self.packets(&circle, Int(GroupLimits.maximumSkip) + 1)
        func steps(_ packet: InboundPacket, at listener: Int = 0) -> Int {
            let steps = StepCount()
            return SenderChain.$steps.withValue(steps) {
                let damaged = packet.flipped(bit: packet.body.count * 8 - 1)
                #expect(circle.hear(damaged, by: listener) == .refused)
                return steps.value
            }
        }
        #expect(steps(packets[2_000]) == 2_001)
        let limit = Int(AheadKeys.distance)
        for index in [2_000, 1_999, 1_100, 640, 63, 1, 0] { #expect(steps(packets[index]) <= limit, "packet \(index)") }
        #expect(circle.hear(packets[10], by: 0) == .text("10", circle.id(1)))
        #expect(steps(packets[2_000]) <= limit, "a genuine message erases only what lies before it")
        #expect(circle.sessions[0].aheadKeys.count == 1)
        #expect(circle.hear(packets[2_000], by: 0) == .text("2000", circle.id(1)))
        #expect(circle.sessions[0].aheadKeys.count == 0)
        // The positions are in memory alone, and belong to their epoch.
        try circle.restart(0)
        #expect(circle.hear(packets[1_500], by: 0) == .text("1500", circle.id(1)))
    }

    @Test("Positions of 64 chains are kept at most, and none of an erased epoch")
    func boundedPositions() throws {
        var ahead = AheadKeys()
        let wrap = KeyWrap()
        let chains = (0..<70).map { slot in
            MessageChain(MessageChain.Name(epoch: 1, slot: slot, device: 0), chainKey: .random(count: 32), wrap: wrap)
        }
        for chain in chains { _ = chain.lookUp(200, ahead: &ahead, wrap: wrap) }
        #expect(ahead.count == GroupLimits.maximumAheadChains)
        _ = chains[69].lookUp(63, ahead: &ahead, wrap: wrap)
        #expect(ahead.nearest(chains[69].name, before: 63, wrap: wrap) == nil)
        #expect(ahead.nearest(chains[69].name, before: 199, wrap: wrap)?.next == 192)
        #expect(ahead.nearest(chains[0].name, before: 199, wrap: wrap) == nil, "used longest ago")
        guard case .open(let direct) = chains[69].lookUp(191, ahead: &ahead, wrap: wrap),
            case .open(let walked) = chains[69].lookUp(191, ahead: &ahead, wrap: wrap)
        else {
            Issue.record("no key")
            return
        }
        #expect(direct.isEqual(to: walked))
        ahead.advance(chains[69].name, to: 130)
        #expect(ahead.nearest(chains[69].name, before: 191, wrap: wrap) == nil)
        #expect(ahead.nearest(chains[69].name, before: 200, wrap: wrap)?.next == 192)
        ahead.erase { $0.epoch == 1 }
        #expect(ahead.count == 0)
    }

    @Test("In an epoch that is over 200 messages may be missing")
    func pastEpoch() throws {
        var circle = try GroupCircle(2)
        let packets = try Self.packets(&circle, 402)
        try circle.perform([.policy(.standard)])
        let limit = Int(GroupLimits.maximumPastSkip)
        #expect(circle.hear(packets[limit + 1], by: 0) == .refused)
        #expect(circle.hear(packets[limit], by: 0) == .text("\(limit)", circle.id(1)))
        #expect(circle.hear(packets[2 * limit + 1], by: 0) == .text("\(2 * limit + 1)", circle.id(1)))
    }

    @Test("The slots that may write are those of the epoch, not of today's policy")
    func writers() throws {
        func policy(_ admins: Set<UInt16>) throws -> GroupPolicy {
            let policy = GroupPolicy(
                history: .none,
                memberLimit: 9,
                life: 0,
                isEphemeral: false,
                onlyAdminsWrite: true,
                admins: admins
            )
            return try #require(policy)
        }
        var circle = try GroupCircle(4)
        try circle.perform([.policy(policy([1]))])
        let rightful = try circle.say("as an admin", by: 1)
        let forged = try circle.forged("as nobody", by: 2)
        try circle.perform([.policy(policy([2]))])
        try circle.restart(0)
        #expect(circle.hear(rightful, by: 0) == .text("as an admin", circle.id(1)))
        #expect(circle.hear(forged, by: 0) == .refused, "it became an admin later")
        try circle.perform([.policy(.standard)])
        #expect(
            circle.hear(forged, by: 3) == .refused && circle.hear(rightful, by: 3) == .text("as an admin", circle.id(1))
        )
        #expect(throws: CryptoError(.malformed, "")) {
            var records = circle.stores[0].records
            records.removeAll { $0.id.kind == .group }
            let restored = try GroupTable.restore(records)
            if restored.damaged == [circle.sessions[0].id] { throw CryptoError(.malformed, "") }
        }
    }

    @Test("An owner that restarted renews a day after a message, and not without one")
    func renewal() throws {
        var circle = try GroupCircle(3)
        let tomorrow = GroupCircle.now + GroupLimits.renewalSeconds
        try circle.restart(0)
        #expect(!circle.sessions[0].wantsRenewal(at: tomorrow))
        #expect(circle.hear(try circle.say("used", by: 1), by: 0) == .text("used", circle.id(1)))
        #expect(circle.sessions[0].wantsRenewal(at: tomorrow))
        try circle.restart(0)
        #expect(circle.sessions[0].wantsRenewal(at: tomorrow) && !circle.sessions[0].wantsRenewal(at: tomorrow - 1))
        try circle.perform([.renewBlock], at: tomorrow)
        #expect(!circle.sessions[0].wantsRenewal(at: tomorrow + GroupLimits.renewalSeconds))
    }
}

extension GroupCircle {
    /// Forges the first message of a member that may not write, with the member's own key.
    func forged(_ text: String, by speaker: Int) throws -> InboundPacket {
        let session = sessions[speaker]
        let (epoch, slot) = (try #require(session.epochs.last), try #require(session.slot))
        let chain = try #require(epoch.chain(slot, 0, wrap: session.wrap))
        var ahead = AheadKeys()
        guard case .open(let key) = chain.lookUp(0, ahead: &ahead, wrap: session.wrap) else {
            throw VectorError("no key")
        }
        return try GroupMessageTests.forged(
            text,
            epoch,
            slot: slot,
            key: key,
            sender: id(speaker),
            by: identities[speaker].signing
        )
    }
}
