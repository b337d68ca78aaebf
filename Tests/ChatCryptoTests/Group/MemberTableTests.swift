import Testing

@testable import ChatCrypto

@Suite("Hashes of tables")
struct MemberTableTests {
    @Test("A table that grew step by step has the hash of one made at once", arguments: [1, 2, 3] as [UInt64])
    func tables(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var table = MemberTable()
        for (index, member) in try PublicMembers.make(40, seed: seed).enumerated() {
            while table.emptySlot(where: { _ in true }) == nil { table.grow() }
            let slot = try #require(table.emptySlot { _ in true })
            table.set(MemberTable.Entry(member: member, epoch: UInt32(index) + 1), in: slot)
            if seeded.below(3) == 0 { table.set(nil, in: table.members[seeded.below(table.count)].slot) }
            let again = try #require(MemberTable(depth: table.depth, entries: table.members))
            #expect(again.root == table.root)
        }
        let first = try #require(table.members.first)
        #expect(MemberTable(depth: table.depth, entries: [first, first]) == nil)
        #expect(MemberTable(depth: 0, entries: [(1, first.entry)]) == nil)
        #expect(MemberTable(depth: 13, entries: []) == nil)
        #expect(MemberTable(depth: 1, entries: [(0, first.entry), (1, first.entry)]) == nil, "one member, two slots")
    }

    /// The hash of a table, computed from its definition.
    private static func root(_ table: MemberTable, _ node: TreeNode) -> [UInt8] {
        let label = [UInt8("earshot/v1/gtab".utf8.count)] + Array("earshot/v1/gtab".utf8)
        guard node.level == 0 else {
            return SHA256.hash(label, [1], root(table, node.children[0]), root(table, node.children[1]))
        }
        guard let entry = table[node.index] else { return [UInt8](repeating: 0, count: 32) }
        let name = entry.member.nickname?.bytes ?? []
        let place: [UInt8] = [0, UInt8(node.index >> 8), UInt8(node.index & 255)] + entry.member.identity.encoded
        return SHA256.hash(label, place, [0, 0, 0, UInt8(entry.epoch)], [UInt8(name.count)], name)
    }

    @Test("The hash of a table follows its definition")
    func definition() throws {
        var table = MemberTable()
        for (index, member) in try PublicMembers.make(5).enumerated() {
            while index * 2 >= 1 << table.depth { table.grow() }
            table.set(MemberTable.Entry(member: member, epoch: 7), in: UInt16(index * 2))
        }
        #expect(table.depth == 4)
        #expect(table.root == Self.root(table, TreeNode(level: 4, index: 0)))
    }
}
