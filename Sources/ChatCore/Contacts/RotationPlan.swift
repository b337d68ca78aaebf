/// The consequences of a rotation, shown to the user before it is done.
public struct RotationPlan: Hashable, Codable, Sendable {
    /// The number of contacts who will be notified.
    public let contactCount: Int
    /// The titles of groups in which the owner's node will replace the old identity by the new one.
    public let following: [String]
    /// The titles of groups that this node leaves, because their owners are no contacts.
    public let leaving: [String]
    /// The titles of groups that have to be handed over first.
    public let owned: [String]

    /// Makes a plan from its parts.
    public init(contactCount: Int, following: [String] = [], leaving: [String] = [], owned: [String] = []) {
        self.contactCount = contactCount
        self.following = following
        self.leaving = leaving
        self.owned = owned
    }
}
