/// The consequences that a rotation would have; shown to the user before it is done.
public struct RotationPlan: Hashable, Sendable {
    /// The contacts who will be told.
    public let contactCount: Int
    /// The titles of groups in which the owner's node is to put the new identity in the place of the old one.
    public let following: [String]
    /// The titles of groups that this node leaves, because their owners are no contacts.
    public let leaving: [String]
    /// The titles of groups that have to be handed over first.
    public let owned: [String]
}
