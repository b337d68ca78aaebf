/// What paths tell the engine, besides the messages they send.
package enum PathEffect: Equatable, Sendable {
    /// A payload came for an end that is here.
    case received(PathMessage)
    /// There is no way to this label any more.
    case lost(PathLabel)
    /// What this node wanted to send to this label, or to open under it, was not taken.
    case refused(PathLabel)
    /// Something was refused to this label, and would not be now.
    case ready(PathLabel)
    /// Something was dropped.
    case dropped(DropReason)
}
