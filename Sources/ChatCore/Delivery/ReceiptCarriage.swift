/// The manner in which a receipt goes along a way.
///
/// Source: PROTOCOL §10 carrying.
enum ReceiptCarriage: Comparable, Sendable {
    /// Nothing tells that it has arrived: the author of what it names posts that again if it is lost.
    case unkept
    /// It stays in the outbox until its release comes back along the way.
    case kept
    /// It is for a group, and stays in the outbox until its release comes, along the way or in a post with those of other
    /// members.
    case grouped
}
