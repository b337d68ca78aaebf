import Bytes

/// The tree from which the chains of one device's runs follow in one epoch.
///
/// A device begins a run at each start of the program, so that a data directory that is an earlier copy of itself uses
/// no message key twice. A walk to a run keeps the siblings and erases the way: runs that were left out can still be
/// begun, and a run that was begun cannot be begun again from a stolen state. Invariant: no kept node lies under
/// another. Source: PROTOCOL §16.
struct DeviceRuns: Sendable {
    /// A node of the tree: it covers the runs from index · 2^level on.
    struct Node: Hashable, Comparable, Sendable {
        let level: UInt8
        let index: UInt32

        static func < (left: Node, right: Node) -> Bool { left.first < right.first }

        /// The first run under the node.
        var first: UInt32 { index << UInt32(level) }
    }

    private let name: MessageChain.Name
    /// The run after the last that was begun.
    private(set) var next: UInt32
    /// The kept nodes with their wrapped secrets.
    private(set) var nodes: [Node: [UInt8]]

    /// The levels of the tree above the runs.
    static let depth: UInt8 = 24

    /// Begins the runs of a device from the secret of its member's leaf.
    ///
    /// - Parameter name: names epoch, slot and device; its run counts for nothing.
    init(_ name: MessageChain.Name, leaf: SecretBytes, wrap: KeyWrap) {
        self.name = name
        next = 0
        let root = Node(level: Self.depth, index: 0)
        let secret = HMACSHA256.secretCode([2, name.device], key: leaf)
        nodes = [root: wrap.wrap(secret, for: Self.place(name, root))]
    }

    /// Restores stored runs; nil if a run or node is none of the tree.
    init?(_ name: MessageChain.Name, next: UInt32, nodes: [Node: [UInt8]]) {
        let fits = nodes.keys.allSatisfy { $0.level <= Self.depth && $0.index < 1 << UInt32(Self.depth - $0.level) }
        guard fits, nodes.count <= GroupLimits.runNodesPerDevice, next <= GroupLimits.maximumRun + 1 else { return nil }
        self.name = name
        self.next = next
        self.nodes = nodes
    }

    /// Begins the chain of a run without a change; nil if the run was begun before.
    func chain(of run: UInt32, wrap: KeyWrap) -> MessageChain? {
        walk(to: run, wrap: wrap) { _, _ in }
            .map { secret in
                let name = MessageChain.Name(epoch: name.epoch, slot: name.slot, device: name.device, run: run)
                return MessageChain(name, chainKey: HMACSHA256.secretCode([4], key: secret), wrap: wrap)
            }
    }

    /// Erases the way to a run whose chain was begun, and keeps the siblings.
    ///
    /// If there are too many nodes, those of the lowest runs go, whose messages are the least likely to come.
    mutating func take(_ run: UInt32, wrap: KeyWrap) {
        guard let start = nearest(run) else { return }
        var siblings: [Node: [UInt8]] = [:]
        guard walk(to: run, wrap: wrap, { siblings[$0] = wrap.wrap($1, for: Self.place(name, $0)) }) != nil else {
            return
        }
        nodes[start] = nil
        nodes.merge(siblings) { $1 }
        next = max(next, run + 1)
        for node in nodes.keys.sorted().prefix(max(0, nodes.count - GroupLimits.runNodesPerDevice)) {
            nodes[node] = nil
        }
    }

    /// The kept node above a run; nil if the run was begun.
    private func nearest(_ run: UInt32) -> Node? {
        guard run <= GroupLimits.maximumRun else { return nil }
        return (0...Self.depth).lazy.map { Node(level: $0, index: run >> UInt32($0)) }.first { nodes[$0] != nil }
    }

    /// Walks from the nearest kept node to a run; `visit` gets the siblings of the way.
    private func walk(
        to run: UInt32,
        wrap: KeyWrap,
        _ visit: (Node, SecretBytes) -> Void
    ) -> SecretBytes? {
        guard var node = nearest(run), let wrapped = nodes[node],
            var secret = wrap.unwrap(wrapped, for: Self.place(name, node))
        else { return nil }
        while node.level > 0 {
            let level = node.level - 1
            let below = Node(level: level, index: run >> UInt32(level))
            let side = UInt8(below.index & 1)
            visit(Node(level: level, index: below.index ^ 1), HMACSHA256.secretCode([1 - side], key: secret))
            secret = HMACSHA256.secretCode([side], key: secret)
            node = below
        }
        return secret
    }

    /// Shape: 3 (1) ‖ epoch (4) ‖ slot (2) ‖ device (1) ‖ level (1) ‖ index (4).
    private static func place(_ name: MessageChain.Name, _ node: Node) -> [UInt8] {
        [3] + name.epoch.bigEndianBytes + name.slot.bigEndianBytes + [name.device, node.level]
            + node.index.bigEndianBytes
    }

    // MARK: - Storage

    /// Encodes the runs; their secrets stay wrapped.
    ///
    /// Shape: next run (4) ‖ node count (2) ‖ per node level (1) ‖ index (4) ‖ secret (60).
    var encoded: [UInt8] {
        next.bigEndianBytes + UInt16(clamping: nodes.count).bigEndianBytes
            + nodes.sorted { $0.key < $1.key }.flatMap { [$0.key.level] + $0.key.index.bigEndianBytes + $0.value }
    }

    /// Reads the output of `encoded`; nil for any other bytes.
    init?(_ name: MessageChain.Name, decoding reader: inout SecretReader) {
        guard let next = reader.integer(UInt32.self), let count = reader.integer(UInt16.self),
            Int(count) <= GroupLimits.runNodesPerDevice
        else { return nil }
        var nodes: [Node: [UInt8]] = [:]
        for _ in 0..<count {
            guard let level = reader.integer(UInt8.self), let index = reader.integer(UInt32.self),
                let secret = reader.bytes(KeyWrap.wrappedByteCount)
            else { return nil }
            nodes[Node(level: level, index: index)] = secret
        }
        self.init(name, next: next, nodes: nodes)
    }
}
