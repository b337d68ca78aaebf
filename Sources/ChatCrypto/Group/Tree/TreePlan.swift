/// The nodes that get new secrets in an operation, in their order, and the children for which each is sealed.
///
/// It follows from the members before and after the operation and from its edits, so owner and members compute the same
/// one. Source: PROTOCOL §16.
struct TreePlan: Sendable {
    /// The new secret of one node.
    struct Step: Equatable, Sendable {
        let parent: TreeNode
        /// The child from whose secret the new one is derived; nil if the new one is random.
        let source: TreeNode?
        /// The children under whose secrets the new one is sealed.
        let wraps: [TreeNode]
        /// The number of the first of these wraps in the operation.
        let firstWrap: Int
    }

    /// The steps, levels ascending, then index ascending.
    let steps: [Step]
    /// The leaves of members that get fresh secrets.
    let renewed: [UInt16]
    /// The number of wraps in the operation.
    let wrapCount: Int

    /// Makes the plan.
    ///
    /// - Parameters:
    ///   - emptied: the slots whose members the operation removes.
    ///   - renewed: the slots with a member in renewed blocks, in rising order.
    ///   - table: the members after the operation.
    init(emptied: [UInt16], renewed: [UInt16], in table: MemberTable) {
        self.init(emptied: emptied, renewed: renewed, depth: table.depth) { table.hasMember(under: $0) }
    }

    /// Makes the plan in a tree of which `hasMember` knows the nodes with members.
    init(emptied: [UInt16], renewed: [UInt16], depth: Int, hasMember: (TreeNode) -> Bool) {
        self.renewed = renewed
        var touched = Set((emptied + renewed).map(TreeNode.init(slot:)))
        var steps: [Step] = []
        var wrapCount = 0
        var level = 0
        while level < depth, !touched.isEmpty {
            let parents = Set(touched.map(\.parent))
            for parent in parents.sorted() where hasMember(parent) {
                let children = parent.children.filter(hasMember)
                let source = children.first { touched.contains($0) }
                let wraps = children.filter { $0 != source }
                steps.append(Step(parent: parent, source: source, wraps: wraps, firstWrap: wrapCount))
                wrapCount += wraps.count
            }
            touched = parents
            level += 1
        }
        self.steps = steps
        self.wrapCount = wrapCount
    }
}
