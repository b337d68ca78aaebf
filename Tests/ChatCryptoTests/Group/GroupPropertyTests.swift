import Testing

@testable import ChatCrypto

@Suite("Key trees of large groups")
struct GroupPropertyTests {
    /// A member without a session: it has the secrets of its path alone.
    private struct Reader {
        var path: MemberPath
        /// The operations that wait for it.
        var waiting: [Int] = []
        let habit: Habit
    }

    private enum Habit: CaseIterable {
        case prompt
        /// Applies 25 operations at a time.
        case late
        /// Misses 100 operations, and gets a welcome for its slot.
        case lost

        static func random(_ seeded: inout SeededBytes) -> Habit {
            [.prompt, .late, .late, .late, .late, .lost, .lost, .lost, .lost, .lost][seeded.below(10)]
        }
    }

    /// An operation with all that its readers need.
    private struct Sent {
        let update: GroupUpdate
        let plan: TreePlan
        let depth: Int
        let associatedData: [UInt8]
    }

    /// A group of an owner, of members with sessions, and of readers.
    private struct Crowd {
        var owner: GroupSession
        var observers: [GroupSession]
        var readers: [PeerID: Reader] = [:]
        var sent: [Sent] = []
        var candidates: [GroupMember]
        var seeded: SeededBytes

        mutating func step(_ number: Int) throws {
            let now = GroupCircle.now + UInt32(number) * 7_200
            let before = owner
            let (update, _) = try owner.perform(actions(), at: now)
            let (_, plan) = try before.log.apply(update.operation.edits)
            let depth = owner.log.table.depth
            sent.append(Sent(update: update, plan: plan, depth: depth, associatedData: before.associatedData))
            for edit in update.operation.edits {
                if case .add(let slot, let member) = edit { try enter(member, slot) }
                if let slot = edit.emptied, let peer = before.log.table[slot]?.member.identity.id {
                    readers[peer] = nil
                    candidates.append(
                        GroupMember(identity: try #require(before.log.member(peer)).identity, nickname: nil)
                    )
                }
            }
            for peer in readers.keys.sorted() where readers[peer]?.path.slot != nil { deliver(number, to: peer) }
            for index in observers.indices where index % 2 == 0 || number % 10 == 9 {
                for operation in owner.operations(from: observers[index].log.epoch + 1, limit: 20) {
                    let sent = sent.last { $0.update.operation.epoch == operation.epoch }
                    let note = sent?.update.leaves.first { $0.member.identity == observers[index].own }?.secret
                    let outcome = observers[index].apply(operation, leaf: note, at: now).outcome
                    if outcome != .applied { Issue.record("operation \(operation.epoch): \(outcome)") }
                }
            }
        }

        /// Chooses changes that the owner may make: mostly removals and additions, so that about 200 stay.
        private mutating func actions() -> [GroupAction] {
            let observed = Set(observers.map(\.own.id) + [owner.own.id])
            var members = owner.log.members.map(\.identity.id).filter { !observed.contains($0) }
            var actions: [GroupAction] = []
            for _ in 0..<(1 + seeded.below(3)) {
                switch seeded.below(8) {
                case 0, 1, 2:
                    guard !members.isEmpty else { continue }
                    actions.append(.remove(members.remove(at: seeded.below(members.count))))
                case 3, 4, 5:
                    guard !candidates.isEmpty else { continue }
                    actions.append(.add(candidates.remove(at: seeded.below(candidates.count))))
                case 6 where !members.isEmpty: actions.append(.renew(members[seeded.below(members.count)]))
                default: actions.append(.policy(.standard))
                }
            }
            return actions
        }

        mutating func enter(_ member: GroupMember, _ slot: UInt16) throws {
            let secrets = try #require(owner.tree?.path(of: slot))
            let path = MemberPath(slot: slot, present: secrets)
            readers[member.identity.id] = Reader(path: path, habit: .random(&seeded))
        }

        private mutating func deliver(_ number: Int, to peer: PeerID) {
            guard var reader = readers[peer] else { return }
            let epoch = sent[number].update.operation.epoch
            // The welcome of a new member has the secrets of this epoch already.
            guard owner.log.table.slot(of: peer).flatMap({ owner.log.table[$0]?.epoch }) != epoch else { return }
            reader.waiting.append(number)
            switch reader.habit {
            case .late where reader.waiting.count < 25, .lost where reader.waiting.count < 100: break
            case .prompt, .late: catchUp(&reader, peer)
            case .lost:
                guard let secrets = owner.tree?.path(of: reader.path.slot) else { return }
                reader.path = MemberPath(slot: reader.path.slot, present: secrets)
                reader.waiting = []
            }
            readers[peer] = reader
        }

        mutating func catchUpAll() {
            for peer in readers.keys.sorted() {
                guard var reader = readers[peer] else { continue }
                catchUp(&reader, peer)
                readers[peer] = reader
                if reader.path.secrets.last?.exposed != root { Issue.record("\(peer) has another root") }
            }
        }

        /// The root secret of the next epoch before it gets its own.
        var root: [UInt8]? { owner.path?.secrets.last?.exposed }

        private func catchUp(_ reader: inout Reader, _ peer: PeerID) {
            for number in reader.waiting {
                let sent = sent[number]
                let leaf = sent.update.leaves.first { $0.member.identity.id == peer }?.secret.secret
                let result = reader.path.advanced(
                    sent.plan,
                    depth: sent.depth,
                    tree: sent.update.operation.tree,
                    leaf: leaf,
                    associatedData: sent.associatedData
                )
                guard case .advanced(let secrets) = result else {
                    Issue.record("\(peer) at \(number): \(result)")
                    return
                }
                reader.path = MemberPath(slot: reader.path.slot, present: secrets)
            }
            reader.waiting = []
        }
    }

    /// The number of operations; `EARSHOT_SEEDS` is for the seeds.
    static let operationCount = 1_000

    @Test("200 members with 1,000 random operations, some of them late, have one root", arguments: [1] as [UInt64])
    func crowd(seed: UInt64) throws {
        var circle = try GroupCircle(5)
        var crowd = Crowd(
            owner: circle.sessions[0],
            observers: Array(circle.sessions.dropFirst()),
            candidates: try PublicMembers.make(260, seed: seed),
            seeded: SeededBytes(seed: seed)
        )
        circle.sessions = []
        for start in stride(from: 0, to: 195, by: 65) {
            let members = crowd.candidates.prefix(min(64, 195 - start))
            crowd.candidates.removeFirst(members.count)
            let (update, _) = try crowd.owner.perform(members.map { .add($0) }, at: GroupCircle.now)
            for case .add(let slot, let member) in update.operation.edits { try crowd.enter(member, slot) }
            crowd.readers = try crowd.readers.mapValues { reader in
                let secrets = try #require(crowd.owner.tree?.path(of: reader.path.slot))
                return Reader(path: MemberPath(slot: reader.path.slot, present: secrets), habit: reader.habit)
            }
            for index in crowd.observers.indices {
                #expect(crowd.observers[index].apply(update.operation, at: GroupCircle.now).outcome == .applied)
            }
        }
        for number in 0..<Self.operationCount { try crowd.step(number) }
        crowd.catchUpAll()
        let late = crowd.readers.values.count { $0.habit == .late }
        #expect(crowd.readers.count > 150 && late > 60)
        for observer in crowd.observers {
            #expect(observer.log.hash == crowd.owner.log.hash && observer.path?.secrets.last?.exposed == crowd.root)
            #expect(observer.epochs.last?.headerKey.exposed == crowd.owner.epochs.last?.headerKey.exposed)
        }
    }

    static let longCount = 10_000

    @Test("After 10,000 operations a new member joins, and the log has kept 1,024 of them at most")
    func manyOperations() throws {
        var circle = try GroupCircle(3)
        for _ in 0..<Self.longCount {
            let update = try circle.sessions[0].perform([.policy(.standard)], at: GroupCircle.now).update
            #expect(circle.sessions[1].apply(update.operation, at: GroupCircle.now).outcome == .applied)
        }
        #expect(circle.sessions[1].log.operations.count == GroupLimits.maximumKeptOperations)
        let newest = circle.sessions[0].operations(from: circle.sessions[0].log.epoch - 9, limit: 64)
        #expect(newest.count == 10 && circle.sessions[0].operations(from: 3, limit: 64).isEmpty)
        let identity = Identity()
        let member = GroupMember(identity: identity.publicIdentity, nickname: nil)
        let update = try circle.sessions[0].perform([.add(member)], at: GroupCircle.now).update
        #expect(circle.sessions[1].apply(update.operation, at: GroupCircle.now).outcome == .applied)
        try circle.join(identity)
        let text = try circle.say("here", by: 3)
        #expect(circle.hear(text, by: 1) == .text("here", circle.id(3)))
        // The third member has missed everything, and gets a welcome for its slot.
        #expect(circle.take(update, by: 2) == .gap(next: 3))
        _ = try circle.sessions[2].rejoin(circle.welcome(for: circle.id(2)), at: GroupCircle.now)
        #expect(circle.hear(text, by: 2) == .text("here", circle.id(3)) && circle.agrees)
    }

    @Test("Operations are kept for 8 days, at least 64")
    func keptOperations() throws {
        var circle = try GroupCircle(1)
        for number in 0..<200 {
            let now = GroupCircle.now + UInt32(number) * 43_200
            _ = try circle.sessions[0].perform([.policy(.standard)], at: now)
        }
        #expect(circle.sessions[0].log.operations.count == GroupLimits.minimumKeptOperations)
        for _ in 0..<100 { _ = try circle.sessions[0].perform([.policy(.standard)], at: GroupCircle.now + 8_640_000) }
        #expect(circle.sessions[0].log.operations.count == 100 + 16)
    }
}
