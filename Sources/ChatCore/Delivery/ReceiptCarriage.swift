/// The manner in which a receipt goes along a way.
///
/// Source: PROTOCOL §10 carrying.
enum ReceiptCarriage: Comparable, Sendable {
    /// Nothing tells that it has arrived: the author of what it names posts that again if it is lost.
    case unkept
    /// It stays in the outbox until its release comes back along the way.
    case kept
    /// It stays in the outbox until its release is posted, with those of other members of a large group.
    case gathered
}
