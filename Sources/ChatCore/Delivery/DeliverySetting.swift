/// The setting that decides how direct messages and receipts travel.
///
/// A post goes to every node of the mesh and hides its recipient. A carried message goes only to the nodes between its
/// author and its recipient. Those nodes, and everybody who hears them, learn that the two exchange messages.
/// Source: PROTOCOL §10 content and receipts.
public enum DeliverySetting: String, Hashable, Codable, Sendable, CaseIterable {
    /// Direct messages and receipts are posted until the mesh is busy, and then carried.
    case auto
    /// Everything is posted, in a crowd by two neighbours in the author's place.
    case `private`
    /// Direct messages and receipts are carried once a way to the recipient is known.
    case fast
}
