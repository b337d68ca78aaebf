/// The user's choice between hiding whom they write to and sparing the mesh.
///
/// A post goes to every node of the mesh, so that nobody learns for whom it is. A carried message goes only to the
/// nodes between its author and its recipient. They, and everybody who hears them, learn that the two exchange
/// something. Source: PROTOCOL §10 content and receipts.
public enum DeliverySetting: String, Hashable, Codable, Sendable, CaseIterable {
    /// Direct messages and receipts are posted while the mesh has room for that, and carried otherwise.
    case auto
    /// Everything is posted.
    case `private`
    /// Direct messages and receipts are carried whenever a way to the recipient is known.
    case fast
}
