/// A node of the tree over the slots of a group.
///
/// Node (l, i) covers the slots from i · 2^l to (i + 1) · 2^l − 1: level 0 are the slots, and the only node of the
/// highest level is the root. Source: PROTOCOL §16.
struct TreeNode: Hashable, Comparable, Sendable {
    let level: UInt8
    let index: UInt16

    init(level: Int, index: Int) {
        self.level = UInt8(truncatingIfNeeded: level)
        self.index = UInt16(truncatingIfNeeded: index)
    }

    /// The leaf of a slot.
    init(slot: UInt16) {
        level = 0
        index = slot
    }

    var parent: TreeNode { TreeNode(level: Int(level) + 1, index: Int(index) / 2) }

    var sibling: TreeNode { TreeNode(level: Int(level), index: Int(index) ^ 1) }

    /// The children, left one first; only for a node above the leaves.
    var children: [TreeNode] {
        [
            TreeNode(level: Int(level) - 1, index: 2 * Int(index)),
            TreeNode(level: Int(level) - 1, index: 2 * Int(index) + 1),
        ]
    }

    var isLeft: Bool { index & 1 == 0 }

    /// Whether the slot lies under the node.
    func covers(_ slot: UInt16) -> Bool { UInt32(slot) >> UInt32(level) == UInt32(index) }

    /// The bytes that name the node in associated data.
    ///
    /// Shape: level (1) ‖ index (2).
    var encoded: [UInt8] { [level, UInt8(index >> 8), UInt8(truncatingIfNeeded: index)] }

    /// Orders by level, then by index.
    static func < (left: TreeNode, right: TreeNode) -> Bool {
        (left.level, left.index) < (right.level, right.index)
    }
}

/// The part of a tree that one record stores, so that a change of one path writes two records.
///
/// Each block of 64 slots has a page for the nodes below its top; the last page has the nodes from there up.
enum RecordPage {
    /// The level of the lowest nodes of the top page.
    static let height = 6
    /// Slots of one page.
    static let slotCount = 1 << height
    /// The page of the nodes above the blocks.
    static let top: UInt8 = 255

    static func of(_ node: TreeNode) -> UInt8 {
        let height = UInt16(Self.height)
        return node.level >= Self.height ? top : UInt8(truncatingIfNeeded: node.index >> (height - UInt16(node.level)))
    }

    /// The pages of the slots of a tree, without the top page.
    static func count(depth: Int) -> Int { max(1, (1 << depth) / slotCount) }

    /// All pages of a tree.
    static func all(depth: Int) -> [UInt8] {
        (0..<count(depth: depth)).map { UInt8($0) } + (depth >= height ? [top] : [])
    }

    /// The nodes of a page of a tree, levels ascending.
    static func nodes(_ page: UInt8, depth: Int) -> [TreeNode] {
        guard page != top else {
            return (min(height, depth)...depth).flatMap { level in
                (0..<1 << (depth - level)).map { TreeNode(level: level, index: $0) }
            }
        }
        return (0...min(height - 1, depth)).flatMap { level in
            let count = 1 << (min(height, depth) - level)
            return (0..<count).map { TreeNode(level: level, index: Int(page) * count + $0) }
        }
    }

    /// The slots of a page of a tree.
    static func slots(_ page: UInt8, depth: Int) -> Range<Int> {
        let first = Int(page) * slotCount
        return first..<min(first + slotCount, max(first, 1 << depth))
    }
}
