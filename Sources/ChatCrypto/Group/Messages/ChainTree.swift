import Bytes

/// The tree from which the chains of all members follow in one epoch.
///
/// A walk to a leaf keeps the siblings and erases the way, so that a chain that was begun cannot be begun again from a
/// stolen state. No secret lies in the clear: all are wrapped under the key of the group. Invariant: no kept node lies
/// under another. Source: PROTOCOL §16.
struct ChainTree: Sendable {
    let depth: Int
    /// The kept nodes with their wrapped secrets.
    private(set) var nodes: [TreeNode: [UInt8]]

    /// Makes the tree of an epoch from its root.
    init(root: SecretBytes, depth: Int, epoch: UInt32, wrap: KeyWrap) {
        self.depth = depth
        let node = TreeNode(level: depth, index: 0)
        nodes = [node: wrap.wrap(root, for: Self.place(node, epoch))]
    }

    /// Restores a stored tree; nil if a node is outside it.
    init?(depth: Int, nodes: [TreeNode: [UInt8]]) {
        guard nodes.keys.allSatisfy({ $0.level <= depth && Int($0.index) < 1 << (depth - Int($0.level)) }) else {
            return nil
        }
        self.depth = depth
        self.nodes = nodes
    }

    /// Computes the secret of a slot's leaf without a change; nil if the leaf was taken.
    func leaf(_ slot: UInt16, epoch: UInt32, wrap: KeyWrap) -> SecretBytes? {
        walk(slot, epoch: epoch, wrap: wrap) { _, _ in }
    }

    /// Erases the way to a leaf, keeps the siblings, and answers the pages that changed; empty if the leaf was taken.
    mutating func take(_ slot: UInt16, epoch: UInt32, wrap: KeyWrap) -> Set<UInt8> {
        guard let start = nearest(slot) else { return [] }
        var siblings: [TreeNode: [UInt8]] = [:]
        guard
            walk(
                slot,
                epoch: epoch,
                wrap: wrap,
                { siblings[$0] = wrap.wrap($1, for: Self.place($0, epoch)) }
            ) != nil
        else { return [] }
        nodes[start] = nil
        nodes.merge(siblings) { $1 }
        return Set((siblings.keys + [start]).map(RecordPage.of))
    }

    /// The kept node above a leaf; nil if the leaf was taken.
    private func nearest(_ slot: UInt16) -> TreeNode? {
        (0...depth).lazy.map { TreeNode(level: $0, index: Int(slot) >> $0) }.first { nodes[$0] != nil }
    }

    /// Walks from the nearest kept node to a leaf; `visit` gets the siblings of the way.
    private func walk(
        _ slot: UInt16,
        epoch: UInt32,
        wrap: KeyWrap,
        _ visit: (TreeNode, SecretBytes) -> Void
    ) -> SecretBytes? {
        guard Int(slot) < 1 << depth, var node = nearest(slot), let wrapped = nodes[node],
            var secret = wrap.unwrap(wrapped, for: Self.place(node, epoch))
        else { return nil }
        while node.level > 0 {
            let child = TreeNode(level: Int(node.level) - 1, index: Int(slot) >> (Int(node.level) - 1))
            visit(child.sibling, Self.child(of: secret, isLeft: !child.isLeft))
            secret = Self.child(of: secret, isLeft: child.isLeft)
            node = child
        }
        return secret
    }

    /// Derives the secret of a child.
    static func child(of secret: SecretBytes, isLeft: Bool) -> SecretBytes {
        HMACSHA256.secretCode([isLeft ? 0 : 1], key: secret)
    }

    private static func place(_ node: TreeNode, _ epoch: UInt32) -> [UInt8] {
        [0] + epoch.bigEndianBytes + node.encoded
    }
}

extension ChainTree {
    private static let version: UInt8 = 1

    /// Encodes one page, with its secrets wrapped; nil for a page without nodes.
    ///
    /// Shape: version 1 (1) ‖ nodes, each level (1) ‖ index (2) ‖ wrapped secret (60).
    func encoded(page: UInt8) -> SecretBytes? {
        let kept = nodes.filter { RecordPage.of($0.key) == page }.sorted { $0.key < $1.key }
        guard !kept.isEmpty else { return nil }
        return SecretBytes(copying: [Self.version] + kept.flatMap { $0.key.encoded + $0.value })
    }

    /// Reads the output of `encoded(page:)`; nil for any other bytes.
    static func read(page: UInt8, _ record: SecretBytes) -> [TreeNode: [UInt8]]? {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == version else { return nil }
        var nodes: [TreeNode: [UInt8]] = [:]
        while !reader.isAtEnd {
            guard let level = reader.integer(UInt8.self), level <= GroupLimits.maximumDepth,
                let index = reader.integer(UInt16.self), let wrapped = reader.bytes(KeyWrap.wrappedByteCount)
            else { return nil }
            let node = TreeNode(level: Int(level), index: Int(index))
            guard RecordPage.of(node) == page, nodes.updateValue(wrapped, forKey: node) == nil else { return nil }
        }
        return nodes
    }

    /// The pages that have nodes.
    var pages: Set<UInt8> { Set(nodes.keys.map(RecordPage.of)) }
}
