import Testing

@testable import ChatCrypto

@Suite("Secrets of former and new members")
struct GroupSecrecyTests {
    /// All that a member has ever known of the tree, with the epoch of each secret.
    private struct Thief {
        var secrets: [(epoch: UInt32, secret: SecretBytes)] = []

        mutating func learn(from session: GroupSession) {
            guard let path = session.path else { return }
            secrets += path.secrets.map { (session.log.epoch + 1, $0) }
        }

        /// Whether any known secret, stepped to the epoch of an operation or derived upwards, opens a wrap of it.
        func opens(_ operation: GroupOperation, _ plan: TreePlan, _ associatedData: [UInt8]) -> Bool {
            guard let tree = operation.tree else { return false }
            var known = secrets.filter { $0.epoch <= operation.epoch }
                .map { NodeSecret.next($0.secret, steps: operation.epoch - $0.epoch) }
            for _ in 0..<3 { known += known.suffix(secrets.count).map { NodeSecret.up($0) } }
            return known.contains { key in
                NodeSecret.check(key) == tree.check
                    || plan.steps.contains { step in
                        step.wraps.indices.contains { number in
                            NodeSecret.unwrap(
                                tree.wrap(step.firstWrap + number),
                                of: step.parent,
                                under: key,
                                salt: tree.salt,
                                associatedData: associatedData
                            ) != nil
                        }
                    }
            }
        }
    }

    @Test(
        "A removed member opens nothing that is sent afterwards, with every secret it ever had",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func removed(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try GroupCircle(6 + seeded.below(6))
        var thief = Thief()
        var old: [GroupSession] = []
        let victim = 1 + seeded.below(circle.sessions.count - 1)
        for _ in 0..<5 {
            thief.learn(from: circle.sessions[victim])
            old.append(circle.sessions[victim])
            try circle.perform([seeded.below(2) == 0 ? .policy(.standard) : .renewBlock])
        }
        thief.learn(from: circle.sessions[victim])
        old.append(circle.sessions[victim])
        for number in 0..<6 {
            let before = circle.sessions[0]
            let update = try circle.perform(number == 0 ? [.remove(circle.id(victim))] : [.renewBlock])
            let (_, plan) = try before.log.apply(update.operation.edits)
            #expect(!thief.opens(update.operation, plan, before.associatedData))
            let packet = try circle.say("\(number)", by: 0)
            for var session in old {
                // A thief that takes the operation for granted has no right root.
                _ = session.apply(update.operation, at: GroupCircle.now)
                #expect(Heard(session.open(packet, at: GroupCircle.now)?.opening) == .nothing)
            }
            #expect(circle.hear(packet, by: victim) == .nothing)
        }
        #expect(!circle.sessions[victim].isMember && circle.agrees)
    }

    @Test("The search finds the secrets of a member that stays")
    func searchWorks() throws {
        var circle = try GroupCircle(7)
        var thief = Thief()
        thief.learn(from: circle.sessions[2])
        let before = circle.sessions[0]
        let update = try circle.perform([.remove(circle.id(1))])
        let (_, plan) = try before.log.apply(update.operation.edits)
        #expect(thief.opens(update.operation, plan, before.associatedData))
    }

    @Test("A new member opens nothing that was sent before, and no wrap of an earlier operation")
    func newMember() throws {
        var circle = try GroupCircle(5)
        let early = try circle.say("early", by: 1)
        let before = circle.sessions[0]
        let removal = try circle.perform([.remove(circle.id(2))])
        let (_, plan) = try before.log.apply(removal.operation.edits)
        let late = try circle.say("late", by: 1)
        try circle.add([Identity()])
        #expect(circle.hear(early, by: 5) == .nothing && circle.hear(late, by: 5) == .nothing)
        #expect(circle.hear(late, by: 3) == .text("late", circle.id(1)))
        var thief = Thief()
        thief.secrets = try #require(circle.sessions[5].path).secrets.map { (removal.operation.epoch, $0) }
        #expect(!thief.opens(removal.operation, plan, before.associatedData))
    }

    @Test("Secrets stolen after an operation open no wrap of it, at a member and at the owner alike")
    func forwardSecrecy() throws {
        var circle = try GroupCircle(8)
        let before = circle.sessions[0]
        let removal = try circle.perform([.remove(circle.id(5))])
        let (_, plan) = try before.log.apply(removal.operation.edits)
        func secrets(of session: GroupSession) -> [SecretBytes] {
            (session.tree?.nodes ?? []).flatMap { $0.compactMap { $0?.secret } }
        }
        #expect(circle.agrees)
        var member = Thief()
        member.secrets = try #require(circle.sessions[4].path).secrets.map { (removal.operation.epoch, $0) }
        #expect(!member.opens(removal.operation, plan, before.associatedData))
        try circle.perform([.policy(.standard)])
        var owner = Thief()
        owner.secrets = secrets(of: circle.sessions[0]).map { (removal.operation.epoch, $0) }
        #expect(!owner.opens(removal.operation, plan, before.associatedData))
    }

    @Test("A chain that was begun cannot be begun again from the state of a member")
    func chainTree() throws {
        let wrap = KeyWrap()
        let root = SecretBytes.random(count: 32)
        var tree = ChainTree(root: root, depth: 4, epoch: 1, wrap: wrap)
        let leaves = (0..<16).map { slot in
            (0..<4).reversed().reduce(root) { ChainTree.child(of: $0, isLeft: slot >> $1 & 1 == 0) }.exposed
        }
        for slot in [5, 0, 15, 4, 9] as [UInt16] {
            #expect(tree.leaf(slot, epoch: 1, wrap: wrap)?.exposed == leaves[Int(slot)])
            #expect(!tree.take(slot, epoch: 1, wrap: wrap).isEmpty)
            #expect(tree.leaf(slot, epoch: 1, wrap: wrap) == nil)
            #expect(tree.take(slot, epoch: 1, wrap: wrap).isEmpty)
            for node in tree.nodes.keys { #expect(!node.covers(slot)) }
        }
        for slot in 0..<(16 as UInt16) where ![5, 0, 15, 4, 9].contains(slot) {
            #expect(tree.leaf(slot, epoch: 1, wrap: wrap)?.exposed == leaves[Int(slot)])
        }
        #expect(tree.leaf(16, epoch: 1, wrap: wrap) == nil && tree.leaf(3, epoch: 2, wrap: wrap) == nil)
    }
}
