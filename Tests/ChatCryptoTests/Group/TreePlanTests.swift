import Testing

@testable import ChatCrypto

@Suite("Sealed secrets of an operation")
struct TreePlanTests {
    /// The members and the touched leaves of a tree, as bits.
    private struct Model {
        let depth: Int
        let members: UInt32
        let touched: UInt32

        func mask(_ node: TreeNode) -> UInt32 {
            let width = 1 << Int(node.level)
            return (width == 32 ? .max : 1 << UInt32(width) - 1) << UInt32(Int(node.index) * width)
        }

        func hasMember(_ node: TreeNode) -> Bool { members & mask(node) != 0 }

        /// The steps from the definition: the first child that is touched gives the secret, and each other child with a
        /// member has a wrap.
        var steps: [TreePlan.Step] {
            var steps: [TreePlan.Step] = []
            var count = 0
            for level in 0..<depth {
                for index in 0..<(1 << (depth - level - 1)) {
                    let parent = TreeNode(level: level + 1, index: index)
                    guard hasMember(parent), touched & mask(parent) != 0 else { continue }
                    let children = parent.children.filter(hasMember)
                    let source = children.first { touched & mask($0) != 0 }
                    let wraps = children.filter { $0 != source }
                    steps.append(TreePlan.Step(parent: parent, source: source, wraps: wraps, firstWrap: count))
                    count += wraps.count
                }
            }
            return steps
        }

        var plan: TreePlan {
            let slots = (0..<(1 << depth)).map { UInt16($0) }
            let isMember = { (slot: UInt16) in members & 1 << UInt32(slot) != 0 }
            let isTouched = { (slot: UInt16) in touched & 1 << UInt32(slot) != 0 }
            return TreePlan(
                emptied: slots.filter { isTouched($0) && !isMember($0) },
                renewed: slots.filter { isTouched($0) && isMember($0) },
                depth: depth,
                hasMember: hasMember
            )
        }
    }

    @Test("They follow from members and edits: every case to depth 3")
    func everyCase() {
        for depth in 0...3 {
            for members in 1..<(1 as UInt32) << (1 << UInt32(depth)) {
                for touched in 0..<(1 as UInt32) << (1 << UInt32(depth)) { Self.check(depth, members, touched) }
            }
        }
    }

    @Test("Of 16 slots: every set of removed members, every renewal of a group, and random cases")
    func sixteenSlots() {
        for removed in 0..<(1 as UInt32) << 15 { Self.check(4, ~(removed << 1) & 0xFFFF, removed << 1) }
        for members in stride(from: 1 as UInt32, to: 0x1_0000, by: 3) {
            Self.check(4, members, members)
            Self.check(4, members, 1 << (members % 16))
        }
        var seeded = SeededBytes(seed: 4)
        for _ in 0..<20_000 { Self.check(4, UInt32(1 + seeded.below(0xFFFF)), UInt32(seeded.below(0x1_0000))) }
    }

    private static func check(_ depth: Int, _ members: UInt32, _ touched: UInt32) {
        let model = Model(depth: depth, members: members, touched: touched)
        let (plan, steps) = (model.plan, model.steps)
        let count = steps.reduce(0) { $0 + $1.wraps.count }
        if plan.wrapCount != count || plan.steps != steps {
            Issue.record("depth \(depth), members \(members), touched \(touched)")
        }
    }

    @Test(
        "Every removal from 8 members leads the others to one root, with no wrap over",
        arguments: 1...127 as ClosedRange<UInt32>
    )
    func everyRoot(removed: UInt32) throws {
        var circle = try GroupCircle(8)
        let slots = (1..<8).filter { removed << 1 & 1 << UInt32($0) != 0 }
        let update = try circle.perform(slots.map { .remove(circle.id($0)) })
        #expect(circle.agrees && circle.sessions.count(where: \.isMember) == 8 - slots.count)
        let model = Model(depth: 3, members: ~(removed << 1) & 255, touched: removed << 1)
        #expect(update.operation.tree?.wrapCount == model.steps.reduce(0) { $0 + $1.wraps.count })
    }

    @Test(
        "Operations have the sizes of the design",
        arguments: [(16, 394, 4), (128, 538, 7), (1_024, 682, 10), (4_096, 778, 12)]
    )
    func sizes(count: Int, byteCount: Int, wrapCount: Int) throws {
        var session = try PublicMembers.group(count - 1)
        #expect(session.log.table.count == count && 1 << session.log.table.depth == count)
        let last = try #require(session.log.members.last)
        let update = try session.perform([.remove(last.identity.id)], at: GroupCircle.now).update
        #expect(update.operation.bytes.count == byteCount && update.operation.tree?.wrapCount == wrapCount)
        let renewed = try session.perform([.renewBlock], at: GroupCircle.now).update
        #expect(renewed.operation.bytes.count < 6_600)
        // The owner is in the first block and needs no note.
        #expect(renewed.leaves.count == min(count - 1, 128) - 1)
        if count == 4_096 {
            let victims = session.log.members.suffix(16).map { GroupAction.remove($0.identity.id) }
            #expect(try session.perform(victims, at: GroupCircle.now).update.operation.bytes.count < 8_192)
        }
    }

    @Test("An operation that would be too large is refused, and changes nothing")
    func tooLarge() throws {
        var session = try PublicMembers.group(4_095)
        let victims = stride(from: 64, to: 4_096, by: 64).compactMap { session.log.table[UInt16($0)] }
        let before = session.log.hash
        let actions = victims.prefix(63).map { GroupAction.remove($0.member.identity.id) } + [.renewBlock]
        #expect(throws: CryptoError(.full, "")) { try session.perform(actions, at: GroupCircle.now) }
        #expect(session.log.hash == before && session.tree?.epoch == session.log.epoch)
        #expect(throws: CryptoError(.full, "")) {
            try session.perform([.add(PublicMembers.make(1, seed: 9)[0])], at: GroupCircle.now)
        }
    }
}
