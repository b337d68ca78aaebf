import Bytes

/// The secrets of all nodes, as the owner of a group has them.
///
/// A secret steps with every operation, and the tree computes the steps when it needs the secret. A secret that an
/// operation used steps before the next operation, so that a stolen tree opens no wrap of an earlier epoch. Until then the
/// owner keeps the secrets of the present epoch, the root among them: whoever steals its data directory reads the present
/// epoch. Members keep stepped secrets alone. Invariant: a
/// node without members has no secret. A node with members lacks it only in a copy, and in the tree of an owner that has
/// lost operations of its own. Source: PROTOCOL §16.
struct OwnerTree: Sendable {
    /// The secret of a node.
    struct Stored: Sendable {
        let secret: SecretBytes
        /// The epoch that the secret belongs to.
        let epoch: UInt32
        /// The epoch in which the node got a secret that does not follow from its last one.
        let freshSince: UInt32
        /// Whether the present operation used the secret.
        var isUsed: Bool
    }

    /// The fresh secrets of an operation.
    struct Result: Sendable {
        let tree: TreePart?
        /// The fresh leaves of members in renewed blocks, each for its member alone.
        let leaves: [(slot: UInt16, secret: SecretBytes)]
        let root: SecretBytes
    }

    /// The epoch of the last operation.
    private(set) var epoch: UInt32
    private(set) var nodes: [[Stored?]]
    /// The pages that changed since `takeChangedPages`.
    private(set) var changedPages: Set<UInt8> = []

    /// The levels above the leaves.
    var depth: Int { nodes.count - 1 }

    /// Makes the tree of a group that has no member.
    init() {
        epoch = 0
        nodes = [[nil]]
    }

    /// Restores a tree of stored nodes; nil if a node without members has a secret.
    init?(epoch: UInt32, nodes stored: [(node: TreeNode, stored: Stored)], table: MemberTable) {
        self.epoch = epoch
        nodes = (0...table.depth).map { Array(repeating: nil, count: 1 << (table.depth - $0)) }
        for (node, stored) in stored {
            guard table.hasMember(under: node), stored.epoch <= epoch.addingClamped(1) else { return nil }
            nodes[Int(node.level)][Int(node.index)] = stored
        }
    }

    /// Makes a tree of which only the path of one member is known.
    ///
    /// It has no secrets before the next operation.
    init(_ path: MemberPath, depth: Int, epoch: UInt32) {
        self.epoch = epoch
        nodes = (0...depth).map { Array(repeating: nil, count: 1 << (depth - $0)) }
        for (level, secret) in path.secrets.enumerated() where level <= depth {
            let node = TreeNode(level: level, index: Int(path.slot) >> level)
            put(node, Stored(secret: secret, epoch: epoch.addingClamped(1), freshSince: epoch, isUsed: false))
        }
    }

    /// The slots of members whose leaves are unknown; their renewal completes the tree.
    ///
    /// All leaves under an unknown inner node are unknown.
    func unknownSlots(in table: MemberTable) -> [UInt16] {
        table.slots(in: 0..<nodes[0].count).filter { nodes[0][Int($0)] == nil }
    }

    // MARK: - Reading

    /// The present secret of a node; nil for a node without members.
    func secret(of node: TreeNode) -> SecretBytes? {
        guard Int(node.level) < nodes.count, Int(node.index) < nodes[Int(node.level)].count,
            let stored = nodes[Int(node.level)][Int(node.index)], stored.epoch <= epoch
        else { return nil }
        return NodeSecret.next(stored.secret, steps: epoch - stored.epoch)
    }

    /// The present secret of the root; nil before the first operation.
    var root: SecretBytes? { secret(of: TreeNode(level: depth, index: 0)) }

    /// The present secrets from a member's leaf up to the root; nil for an empty slot.
    func path(of slot: UInt16) -> [SecretBytes]? {
        var secrets: [SecretBytes] = []
        for level in 0...depth {
            guard let secret = secret(of: TreeNode(level: level, index: Int(slot) >> level)) else { return nil }
            secrets.append(secret)
        }
        return secrets
    }

    // MARK: - Changing

    /// Moves to the epoch of the owner's next operation.
    ///
    /// - Parameters:
    ///   - plan: the nodes that get new secrets.
    ///   - table: the members after the operation.
    ///   - edits: the edits of the operation.
    ///   - fillsGaps: whether a random secret takes the place of an unknown one. The members under the node do not know
    ///     it, and need the secrets of their paths.
    ///   - associatedData: the bytes that bind to the group and the epoch before.
    /// - Returns: nil if the operation needs a secret that is unknown.
    mutating func perform(
        _ plan: TreePlan,
        _ table: MemberTable,
        _ edits: [GroupEdit],
        fillsGaps: Bool = false,
        associatedData: [UInt8]
    ) -> Result? {
        step(table, edits)
        // A new member under an unknown node would get another secret than those who know it.
        guard Self.joined(edits).isEmpty || isWhole(for: table, except: Set(Self.joined(edits))) else { return nil }
        for node in Self.joined(edits).flatMap({ Self.path($0, table.depth) }) where secret(of: node) == nil {
            set(node, .random(count: NodeSecret.byteCount))
        }
        var leaves: [(slot: UInt16, secret: SecretBytes)] = []
        for slot in plan.renewed {
            let secret = SecretBytes.random(count: NodeSecret.byteCount)
            set(TreeNode(slot: slot), secret, isUsed: true)
            leaves.append((slot, secret))
        }
        let salt = randomBytes(NodeSecret.saltByteCount)
        var wraps: [UInt8] = []
        wraps.reserveCapacity(plan.wrapCount * NodeSecret.wrapByteCount)
        for step in plan.steps {
            let derived = step.source.flatMap { use($0) }.map { NodeSecret.up($0) }
            let secret = derived ?? .random(count: NodeSecret.byteCount)
            set(step.parent, secret, isUsed: true)
            for child in step.wraps {
                if fillsGaps, self.secret(of: child) == nil { set(child, .random(count: NodeSecret.byteCount)) }
                guard let key = use(child) else { return nil }
                wraps += NodeSecret.wrap(
                    secret,
                    of: step.parent,
                    under: key,
                    salt: salt,
                    associatedData: associatedData
                )
            }
        }
        guard let root = use(TreeNode(level: depth, index: 0)) else { return nil }
        catchUp()
        guard edits.contains(where: \.changesSecrets) else { return Result(tree: nil, leaves: [], root: root) }
        let part = TreePart(salt: salt, check: NodeSecret.check(root), wraps: wraps)
        return Result(tree: part, leaves: leaves, root: root)
    }

    /// Answers the present secrets of this node's own path, and keeps them, so that the next operation takes one step.
    mutating func usePath(of slot: UInt16) -> [SecretBytes]? {
        var secrets: [SecretBytes] = []
        for node in Self.path(slot, depth) {
            guard let secret = use(node) else { return nil }
            secrets.append(secret)
        }
        return secrets
    }

    /// Moves the tree to the epoch of an operation that another node made, or that this owner has forgotten.
    ///
    /// Secrets that only the owner or new members know stay unknown.
    ///
    /// - Parameter own: the secrets of this node's own path in the new epoch.
    mutating func follow(
        _ plan: TreePlan,
        _ table: MemberTable,
        _ operation: GroupOperation,
        own: (slot: UInt16, secrets: [SecretBytes])?,
        associatedData: [UInt8]
    ) {
        step(table, operation.edits)
        for slot in plan.renewed { put(TreeNode(slot: slot), nil) }
        if let leaf = own?.secrets.first, let slot = own?.slot { set(TreeNode(slot: slot), leaf, isUsed: true) }
        for step in plan.steps {
            let derived = step.source.flatMap { use($0) }.map { NodeSecret.up($0) }
            let secret = derived ?? opened(step, operation.tree, associatedData)
            put(step.parent, secret.map { Stored(secret: $0, epoch: epoch, freshSince: epoch, isUsed: true) })
        }
        for (level, secret) in (own?.secrets ?? []).enumerated() where level <= depth {
            set(TreeNode(level: level, index: Int(own?.slot ?? 0) >> level), secret, isUsed: true)
        }
        catchUp()
    }

    /// Opens the new secret of a node with the secret of any child; nil if none of them is known.
    private mutating func opened(_ step: TreePlan.Step, _ part: TreePart?, _ associatedData: [UInt8]) -> SecretBytes? {
        guard let part, part.wrapCount >= step.firstWrap + step.wraps.count else { return nil }
        for (number, child) in step.wraps.enumerated() {
            guard let key = use(child) else { continue }
            return NodeSecret.unwrap(
                part.wrap(step.firstWrap + number),
                of: step.parent,
                under: key,
                salt: part.salt,
                associatedData: associatedData
            )
        }
        return nil
    }

    /// Whether each member's leaf is known, except those of new members.
    private func isWhole(for table: MemberTable, except joined: Set<UInt16>) -> Bool {
        unknownSlots(in: table).allSatisfy { joined.contains($0) }
    }

    /// Steps all secrets, adds levels, and erases the secrets of nodes without members.
    private mutating func step(_ table: MemberTable, _ edits: [GroupEdit]) {
        epoch += 1
        for level in nodes.indices {
            for index in nodes[level].indices where nodes[level][index]?.isUsed == true {
                let node = TreeNode(level: level, index: index)
                guard let secret = secret(of: node), let stored = nodes[level][index] else { continue }
                put(node, Stored(secret: secret, epoch: epoch, freshSince: stored.freshSince, isUsed: false))
            }
        }
        while depth < table.depth { grow() }
        for slot in edits.compactMap(\.emptied) {
            for node in Self.path(slot, depth) where !table.hasMember(under: node) { put(node, nil) }
        }
    }

    /// Steps the secrets of one page that are many epochs behind, so that none is ever far behind.
    private mutating func catchUp() {
        let pages = RecordPage.all(depth: depth)
        for node in RecordPage.nodes(pages[Int(epoch) % pages.count], depth: depth) {
            guard let stored = nodes[Int(node.level)][Int(node.index)], stored.epoch <= epoch,
                epoch - stored.epoch >= GroupLimits.maximumStepsBehind, let secret = secret(of: node)
            else { continue }
            put(node, Stored(secret: secret, epoch: epoch, freshSince: stored.freshSince, isUsed: stored.isUsed))
        }
    }

    /// Adds a level; the new root's secret follows from that of the old one.
    private mutating func grow() {
        let old = TreeNode(level: depth, index: 0)
        let secret = use(old)
        for level in nodes.indices { nodes[level] += repeatElement(nil, count: nodes[level].count) }
        nodes.append([nil])
        if let secret { set(old.parent, NodeSecret.up(secret), isUsed: true) }
    }

    /// Answers the present secret of a node and notes that the operation uses it.
    private mutating func use(_ node: TreeNode) -> SecretBytes? {
        guard let secret = secret(of: node), let stored = nodes[Int(node.level)][Int(node.index)] else { return nil }
        put(node, Stored(secret: secret, epoch: epoch, freshSince: stored.freshSince, isUsed: true))
        return secret
    }

    private mutating func set(_ node: TreeNode, _ secret: SecretBytes, isUsed: Bool = false) {
        put(node, Stored(secret: secret, epoch: epoch, freshSince: epoch, isUsed: isUsed))
    }

    private mutating func put(_ node: TreeNode, _ stored: Stored?) {
        nodes[Int(node.level)][Int(node.index)] = stored
        changedPages.insert(RecordPage.of(node))
    }

    /// Answers the pages that changed since the last call.
    mutating func takeChangedPages() -> Set<UInt8> {
        defer { changedPages = [] }
        return changedPages
    }

    mutating func markAllChanged() { changedPages = Set(RecordPage.all(depth: depth)) }

    private static func joined(_ edits: [GroupEdit]) -> [UInt16] {
        edits.compactMap { edit in
            guard case .add(let slot, _) = edit else { return nil }
            return slot
        }
    }

    private static func path(_ slot: UInt16, _ depth: Int) -> [TreeNode] {
        (0...depth).map { TreeNode(level: $0, index: Int(slot) >> $0) }
    }
}
