import Testing

@testable import ChatCrypto

/// All secrets that a member has ever had, and all that follow from them and from what everybody receives.
private struct Thief {
    /// The known secrets, one step ahead of the epoch, as members keep them.
    private var known: [[UInt8]: SecretBytes] = [:]
    /// The header keys of the epochs in which the thief was a member.
    private var headerKeys: [SecretBytes] = []
    /// All that the thief can derive in the present epoch.
    private var derived: [[UInt8]: SecretBytes] = [:]
    /// The secrets of the present epoch's nodes that the thief knows.
    private(set) var found = 0
    private(set) var knowsRoot = false

    mutating func learn(from session: GroupSession) {
        headerKeys += session.epochs.map(\.headerKey)
        var secrets = session.path?.secrets ?? []
        for node in session.tree.map(Self.nodes) ?? [] {
            if let secret = session.tree?.secret(of: node) { secrets.append(NodeSecret.next(secret)) }
        }
        for secret in secrets { known[secret.exposed] = secret }
    }

    /// Follows an operation: derives upwards, and opens each wrap that a known secret opens.
    ///
    /// - Parameter owner: the owner after the operation, whose tree tells which derived secrets are those of nodes.
    mutating func follow(_ operation: GroupOperation, _ plan: TreePlan, _ data: [UInt8], owner: GroupSession) throws {
        derived = known
        var new = Array(known.values)
        let tree = try #require(owner.tree)
        for _ in 0...tree.depth {
            new = new.flatMap { [NodeSecret.up($0)] + Self.opened(with: $0, operation, plan, data) }
                .filter { derived[$0.exposed] == nil }
            for secret in new { derived[secret.exposed] = secret }
        }
        let nodes = Self.nodes(tree).compactMap { tree.secret(of: $0) }
        let real = nodes.filter { derived[$0.exposed] != nil }
        found = real.count
        knowsRoot = try derived[#require(tree.root).exposed] != nil
        // Of the derived secrets only those of nodes lead further.
        known = Dictionary((Array(known.values) + real).map { NodeSecret.next($0) }.map { ($0.exposed, $0) }) { $1 }
    }

    /// Whether any known secret opens a packet of the present epoch.
    func opens(_ packet: InboundPacket, _ operation: GroupOperation) throws -> Bool {
        let message = try #require(GroupSession.message(in: packet))
        let keys = headerKeys + derived.values.map { GroupEpoch.keys(hash: operation.hash, root: $0).header }
        return (keys + derived.values).contains { message.openHeader($0) != nil }
    }

    private static func opened(
        with key: SecretBytes,
        _ operation: GroupOperation,
        _ plan: TreePlan,
        _ data: [UInt8]
    ) -> [SecretBytes] {
        guard let tree = operation.tree else { return [] }
        return plan.steps.flatMap { step in
            step.wraps.indices.compactMap { number in
                NodeSecret.unwrap(
                    tree.wrap(step.firstWrap + number),
                    of: step.parent,
                    under: key,
                    salt: tree.salt,
                    associatedData: data
                )
            }
        }
    }

    private static func nodes(_ tree: OwnerTree) -> [TreeNode] {
        RecordPage.all(depth: tree.depth).flatMap { RecordPage.nodes($0, depth: tree.depth) }
    }
}

@Suite("Thieves of all earlier secrets")
struct GroupThiefTests {
    /// A group with a thief that was one of its members.
    private struct Scene {
        var circle: GroupCircle
        var seeded: SeededBytes
        var owner = 0
        var victim: Int
        var thief = Thief()
        var now = GroupCircle.now
        var last: GroupOperation

        init(seed: UInt64) throws {
            seeded = SeededBytes(seed: seed)
            circle = try GroupCircle(5 + seeded.below(5))
            victim = 1 + seeded.below(circle.sessions.count - 1)
            last = try #require(circle.sessions[0].log.operations.last)
            thief.learn(from: circle.sessions[victim])
        }

        /// Lets the owner perform actions, with new members among them, and the thief follow.
        mutating func perform(_ actions: [GroupAction], adding count: Int = 0) throws {
            let before = circle.sessions[owner]
            if count > 0 {
                try circle.add((0..<count).map { _ in Identity() }, with: actions, by: owner, at: now)
            } else {
                try circle.perform(actions, by: owner, at: now)
            }
            try follow(#require(circle.sessions[owner].log.operations.last), after: before)
        }

        /// Hands the group to the victim, who is the owner then, and the owner the victim.
        mutating func handOver() throws {
            let before = circle.sessions[owner]
            let operation = try circle.handOver(from: owner, to: victim)
            (owner, victim) = (victim, owner)
            try follow(operation, after: before)
        }

        private mutating func follow(_ operation: GroupOperation, after before: GroupSession) throws {
            last = operation
            let plan = try before.log.apply(last.edits).plan
            try thief.follow(last, plan, before.associatedData, owner: circle.sessions[owner])
        }

        /// A random change that is not about the victim.
        mutating func change() throws {
            let others = circle.sessions.indices.filter {
                ![owner, victim].contains($0) && circle.sessions[$0].isMember
            }
            let other = others[seeded.below(others.count)]
            switch seeded.below(6) {
            case 0 where others.count > 3: try perform([.remove(circle.id(other))])
            case 1: try perform([], adding: 1 + seeded.below(3))
            case 2 where others.count > 3: try perform([.remove(circle.id(other))], adding: 2)
            case 3: try perform([.renew(circle.id(other))])
            case 4 where others.count > 4: try perform([.removeLeaver(circle.id(other))])
            default: try perform([.policy(.standard)])
            }
        }

        /// Whether the thief opens what a member writes now.
        mutating func opens() throws -> Bool {
            let packet = try circle.say("secret", by: owner, at: now)
            return try thief.opens(packet, last)
        }

        /// Expects that the thief knows nothing in the epochs of further changes, with the victim's slot used again.
        mutating func check() throws {
            let slot = circle.sessions[victim].slot
            for number in 0..<8 {
                now += number == 4 ? GroupLimits.emptySlotSeconds + 1 : 60
                try change()
                if number == 4 { try perform([], adding: 1 << circle.sessions[owner].log.table.depth) }
                #expect(thief.found == 0 && slot == nil, "change \(number)")
                #expect(try !opens(), "change \(number)")
            }
        }
    }

    @Test(
        "A member's secrets follow it as long as it stays, and lead nowhere after its removal",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func removed(seed: UInt64) throws {
        var scene = try Scene(seed: seed)
        for _ in 0..<6 {
            try scene.change()
            #expect(scene.thief.knowsRoot, "the thief follows without further secrets")
            #expect(try scene.opens())
        }
        let peer = scene.circle.id(scene.victim)
        switch seed % 3 {
        case 0: try scene.perform([.remove(peer)])
        case 1: try scene.perform([.removeLeaver(peer), .renew(scene.circle.id(0))])
        default: try scene.perform([.remove(peer)], adding: 1 << scene.circle.sessions[0].log.table.depth)
        }
        #expect(scene.thief.found == 0 && !scene.circle.sessions[scene.victim].isMember)
        let reused = scene.circle.sessions.count
        try scene.check()
        #expect(scene.circle.agrees && scene.circle.sessions.count > reused)
    }

    @Test(
        "A former owner knows all secrets until each block was renewed, and nothing after that",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func holder(seed: UInt64) throws {
        var scene = try Scene(seed: seed)
        scene.thief = Thief()
        scene.thief.learn(from: scene.circle.sessions[0])
        for _ in 0..<3 { try scene.change() }
        try scene.handOver()
        #expect(scene.thief.knowsRoot && scene.thief.found > 8)
        // A new owner does not know who was the owner before it joined, so until then it removes nobody.
        try scene.perform([.policy(.standard)])
        #expect(scene.thief.knowsRoot)
        let peer = scene.circle.id(scene.victim)
        if seed % 2 == 0 {
            try scene.perform([.renewBlock])
            #expect(scene.thief.found == 0)
            try scene.perform([.remove(peer)])
        } else {
            try scene.perform([.remove(peer), .renewBlock])
        }
        #expect(scene.thief.found == 0)
        try scene.check()
        #expect(scene.circle.agrees)
    }

    @Test("A renewal heals a theft that nobody noticed")
    func renewal() throws {
        var scene = try Scene(seed: 9)
        try scene.change()
        #expect(scene.thief.knowsRoot)
        try scene.perform([.renewBlock])
        #expect(scene.thief.found == 0)
        #expect(try !scene.opens())
        scene.thief.learn(from: scene.circle.sessions[scene.victim])
        try scene.change()
        #expect(scene.thief.knowsRoot, "until the next theft")
    }
}
