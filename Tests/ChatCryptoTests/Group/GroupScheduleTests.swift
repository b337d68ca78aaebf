import Testing

@testable import ChatCrypto

@Suite("Groups under loss and crashes")
struct GroupScheduleTests {
    @Test(
        "Whatever is lost, repeated and reordered, lost writes included, all that arrives opens, and no key is used twice",
        arguments: ScheduleSeeds.upTo(20)
    )
    func randomSchedules(seed: UInt64) throws {
        var schedule = try GroupSchedule(seed: seed)
        for step in 0..<150 { try schedule.step(step) }
        try schedule.end()
    }
}

/// A group of four whose packets and operations are lost, repeated and reordered, and whose members lose writes.
private struct GroupSchedule {
    /// A packet or an operation on its way to a member.
    private enum Parcel {
        case text(InboundPacket, String, speaker: PeerID, epoch: UInt32)
        case update(GroupUpdate)

        /// The order in which nothing is too early: operations by epoch, then texts.
        var rank: (kind: Int, epoch: UInt32) {
            switch self {
            case .text(_, _, _, let epoch): (1, epoch)
            case .update(let update): (0, update.operation.epoch)
            }
        }
    }

    /// A place in a chain; a message key belongs to each.
    private struct Place: Hashable {
        let epoch: UInt32
        let slot: UInt16
        let run: UInt32
        let iteration: UInt32
    }

    private let seed: UInt64
    private var random: SeededBytes
    private let lossPercent: Int
    private var circle: GroupCircle
    private var wires: [[Parcel]]
    private var places: Set<Place> = []
    private var openedCount = 0
    private var now = GroupCircle.now

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededBytes(seed: seed)
        lossPercent = random.below(51)
        circle = try GroupCircle(4)
        wires = circle.sessions.map { _ in [] }
    }

    mutating func step(_ number: Int) throws {
        now += UInt32(random.below(400))
        let speaker = random.below(circle.sessions.count)
        if random.below(8) == 0 { try change() } else { try say("\(number)", by: speaker) }
        let reader = random.below(circle.sessions.count)
        for _ in 0..<random.below(8) where !wires[reader].isEmpty {
            let parcel = wires[reader].remove(at: random.below(wires[reader].count))
            guard random.below(100) >= lossPercent else { continue }
            try deliver(parcel, to: reader)
            if random.below(4) == 0 { try deliver(parcel, to: reader, again: true) }
        }
        if random.below(10) == 0 { try circle.restart(reader) }
        if random.below(6) == 0 { try catchUp(reader) }
    }

    /// Lets all that is still under way arrive, and checks that all members agree.
    mutating func end() throws {
        for reader in circle.sessions.indices {
            let parcels = wires[reader].sorted { $0.rank < $1.rank }
            for parcel in parcels {
                if case .update = parcel, parcel.rank.epoch > circle.sessions[reader].log.epoch + 1 {
                    try catchUp(reader)
                }
                try deliver(parcel, to: reader)
            }
            try catchUp(reader)
        }
        // Whoever has followed by a welcome writes from the next epoch on.
        try circle.perform([.renewBlock], at: now)
        #expect(circle.agrees, "seed \(seed), loss \(lossPercent) %")
        #expect(openedCount > 40, "seed \(seed), loss \(lossPercent) %")
        for speaker in circle.sessions.indices {
            let packet = try circle.say("all here", by: speaker, at: now)
            for listener in circle.sessions.indices where listener != speaker {
                let heard = circle.hear(packet, by: listener, at: now)
                #expect(heard == .text("all here", circle.id(speaker)), "seed \(seed)")
            }
        }
    }

    /// Lets the owner change the group; in some of the times a crash comes before the write.
    private mutating func change() throws {
        let member = circle.id(1 + random.below(3))
        let action: GroupAction = random.below(3) == 0 ? .policy(.standard) : .renew(member)
        if random.below(4) == 0 {
            var lost = circle.sessions[0]
            _ = try lost.perform([action], at: now)
            try circle.restart(0)
        }
        let (update, written) = try circle.sessions[0].perform([action], at: now)
        circle.stores[0].write(written)
        for index in wires.indices.dropFirst() { wires[index].append(.update(update)) }
    }

    private mutating func say(_ text: String, by speaker: Int) throws {
        guard !circle.sessions[speaker].mustWait else { return }
        if random.below(4) == 0 {
            // The write is lost, so this packet never left.
            var lost = circle.sessions[speaker]
            _ = try lost.seal([Array(text.utf8)], by: circle.identities[speaker], at: now)
            try circle.restart(speaker)
        }
        let packet = try circle.say(text, by: speaker, at: now)
        let epoch = try #require(circle.sessions[speaker].epochs.last)
        let seal = try #require(MessageSeal(packet.body[packet.kind.prefixByteCount...]))
        let header = try #require(seal.openHeader(epoch.headerKey).flatMap { GroupHeader(decoding: $0) })
        let place = Place(epoch: header.epoch, slot: header.slot, run: header.run, iteration: header.iteration)
        #expect(places.insert(place).inserted, "seed \(seed)")
        for index in wires.indices where index != speaker {
            wires[index].append(.text(packet, text, speaker: circle.id(speaker), epoch: epoch.number))
        }
    }

    /// Delivers what arrived; a member keeps what is of an epoch that has not begun for it.
    private mutating func deliver(_ parcel: Parcel, to reader: Int, again: Bool = false) throws {
        switch parcel {
        case .text(let packet, let text, let speaker, let epoch):
            guard epoch <= circle.sessions[reader].log.epoch else {
                if !again { wires[reader].append(parcel) }
                return
            }
            // The keys of so old an epoch, and of epochs that a welcome has led past, are gone.
            guard circle.sessions[reader].epochs.contains(where: { $0.number == epoch }) else { return }
            if random.below(6) == 0 {
                var lost = circle.sessions[reader]
                _ = lost.open(packet, at: now)
                try circle.restart(reader)
            }
            let heard = circle.hear(packet, by: reader, at: now)
            #expect(heard == (again ? .refused : .text(text, speaker)), "seed \(seed), epoch \(epoch)")
            if !again { openedCount += 1 }
        case .update(let update):
            if random.below(4) == 0 {
                var lost = circle.sessions[reader]
                _ = lost.apply(update.operation, at: now)
                try circle.restart(reader)
            }
            switch circle.take(update, by: reader, at: now) {
            // A member that a welcome has led past an operation does not know it any more.
            case .applied, .known, .refused(.tooOld): break
            case .gap: if !again { wires[reader].append(parcel) }
            case let outcome: Issue.record("seed \(seed): \(outcome)")
            }
        }
    }

    /// Lets a member that misses operations continue with the owner's welcome, as after a long absence.
    private mutating func catchUp(_ reader: Int) throws {
        guard reader > 0, circle.sessions[reader].log.epoch < circle.sessions[0].log.epoch else { return }
        if random.below(4) == 0 {
            var lost = circle.sessions[reader]
            _ = try lost.rejoin(circle.welcome(for: circle.id(reader)), at: now)
            try circle.restart(reader)
        }
        let change = try circle.sessions[reader].rejoin(circle.welcome(for: circle.id(reader)), at: now)
        circle.stores[reader].write(change)
    }
}
