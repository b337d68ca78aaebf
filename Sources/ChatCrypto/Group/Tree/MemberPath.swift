/// The secrets of the nodes from a member's leaf up to the root.
///
/// They have already taken the step of the next operation. So a stolen path opens no wrap of the present epoch and
/// yields none of its keys. Invariant: one secret per level. Source: PROTOCOL §16.
struct MemberPath: Sendable {
    /// The result of an operation.
    enum Result: Sendable {
        /// The secrets of the new epoch, the leaf first.
        case advanced([SecretBytes])
        /// The operation gives the member a fresh leaf, which has not arrived.
        case needsLeaf
        /// The path does not lead to the root that the operation names.
        case needsPath
    }

    let slot: UInt16
    /// The secrets, the leaf first.
    let secrets: [SecretBytes]

    /// Takes the secrets of the present epoch.
    init(slot: UInt16, present secrets: [SecretBytes]) {
        self.init(slot: slot, stepped: secrets.map { NodeSecret.next($0) })
    }

    /// Restores stored secrets.
    init(slot: UInt16, stepped secrets: [SecretBytes]) {
        self.slot = slot
        self.secrets = secrets
    }

    /// Computes the secrets of the epoch that an operation begins.
    ///
    /// - Parameters:
    ///   - plan: the nodes that get new secrets.
    ///   - depth: the levels above the leaves after the operation.
    ///   - tree: the fresh secrets; nil if the operation brings none.
    ///   - leaf: the fresh secret of this member's leaf, if the owner has sent it.
    ///   - associatedData: the bytes that bind to the group and the epoch before.
    func advanced(
        _ plan: TreePlan,
        depth: Int,
        tree: TreePart?,
        leaf: SecretBytes?,
        associatedData: [UInt8]
    ) -> Result {
        var secrets = secrets
        while secrets.count <= depth, let root = secrets.last { secrets.append(NodeSecret.up(root)) }
        guard secrets.count == depth + 1 else { return .needsPath }
        if plan.renewed.contains(slot) {
            guard let leaf else { return .needsLeaf }
            secrets[0] = leaf
        }
        for step in plan.steps where step.parent.covers(slot) {
            let below = Int(step.parent.level) - 1
            let child = TreeNode(level: below, index: Int(slot) >> below)
            guard step.source != child else {
                secrets[below + 1] = NodeSecret.up(secrets[below])
                continue
            }
            guard let tree, let number = step.wraps.firstIndex(of: child),
                let secret = NodeSecret.unwrap(
                    tree.wrap(step.firstWrap + number),
                    of: step.parent,
                    under: secrets[below],
                    salt: tree.salt,
                    associatedData: associatedData
                )
            else { return .needsPath }
            secrets[below + 1] = secret
        }
        if let tree, !constantTimeEqual(tree.check, NodeSecret.check(secrets[depth])) { return .needsPath }
        return .advanced(secrets)
    }
}
