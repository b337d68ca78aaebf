/// The consequences of a rotation, shown to the user before it is done.
public struct RotationPlan: Hashable, Sendable {
    /// The number of contacts who will be notified.
    public let contactCount: Int
    /// The titles of groups in which the owner's node will replace the old identity by the new one.
    public let following: [String]
    /// The titles of groups that this node leaves, because their owners are no contacts.
    public let leaving: [String]
    /// The titles of groups that have to be handed over first.
    public let owned: [String]
}
