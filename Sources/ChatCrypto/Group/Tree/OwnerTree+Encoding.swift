import Bytes

extension OwnerTree {
    private static let version: UInt8 = 1

    /// Encodes one page for sealed storage; nil for a page without secrets.
    ///
    /// Shape: version 1 (1) ‖ nodes, each level (1) ‖ index (2) ‖ epoch (4) ‖ fresh since (4) ‖ used flag (1) ‖ secret
    /// (32).
    func encoded(page: UInt8) -> SecretBytes? {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        var isEmpty = true
        for (node, stored) in all where RecordPage.of(node) == page {
            writer.append(node.encoded + stored.epoch.bigEndianBytes + stored.freshSince.bigEndianBytes)
            writer.append(flag: stored.isUsed)
            writer.append(stored.secret)
            isEmpty = false
        }
        return isEmpty ? nil : writer.finish()
    }

    /// Reads the output of `encoded(page:)`; nil for any other bytes.
    static func read(page: UInt8, _ record: SecretBytes, depth: Int) -> [(node: TreeNode, stored: Stored)]? {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == version else { return nil }
        var nodes: [(node: TreeNode, stored: Stored)] = []
        while !reader.isAtEnd {
            guard let node = node(&reader, depth: depth), RecordPage.of(node) == page,
                nodes.last.map({ $0.node < node }) ?? true, let epoch = reader.integer(UInt32.self),
                let freshSince = reader.integer(UInt32.self), let isUsed = reader.flag(),
                let secret = reader.secret(NodeSecret.byteCount)
            else { return nil }
            nodes.append((node, Stored(secret: secret, epoch: epoch, freshSince: freshSince, isUsed: isUsed)))
        }
        return nodes
    }

    /// Encodes the secrets of the present epoch, for the session with the next owner.
    ///
    /// Shape: version 1 (1) ‖ epoch (4) ‖ nodes, each level (1) ‖ index (2) ‖ fresh since (4) ‖ secret (32).
    func exported() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(integer: epoch)
        for (node, stored) in all {
            guard let secret = secret(of: node) else { continue }
            writer.append(node.encoded + stored.freshSince.bigEndianBytes)
            writer.append(secret)
        }
        return writer.finish()
    }

    /// Makes a tree of an export; nil for other bytes.
    init?(importing bytes: SecretBytes, table: MemberTable) {
        var reader = SecretReader(bytes)
        guard reader.integer(UInt8.self) == Self.version, let epoch = reader.integer(UInt32.self) else { return nil }
        var nodes: [(node: TreeNode, stored: Stored)] = []
        while !reader.isAtEnd {
            guard let node = Self.node(&reader, depth: table.depth), nodes.last.map({ $0.node < node }) ?? true,
                let freshSince = reader.integer(UInt32.self), let secret = reader.secret(NodeSecret.byteCount)
            else { return nil }
            nodes.append((node, Stored(secret: secret, epoch: epoch, freshSince: freshSince, isUsed: true)))
        }
        self.init(epoch: epoch, nodes: nodes, table: table)
        markAllChanged()
    }

    private static func node(_ reader: inout SecretReader, depth: Int) -> TreeNode? {
        guard let level = reader.integer(UInt8.self), level <= depth, let index = reader.integer(UInt16.self),
            Int(index) < 1 << (depth - Int(level))
        else { return nil }
        return TreeNode(level: Int(level), index: Int(index))
    }

    /// All nodes with secrets, levels ascending, then index ascending.
    private var all: [(node: TreeNode, stored: Stored)] {
        nodes.indices.flatMap { level in
            nodes[level].indices.compactMap { index in
                nodes[level][index].map { (TreeNode(level: level, index: index), $0) }
            }
        }
    }
}
