/// One change of a store, or one thing it holds, as a log on disk keeps it.
///
/// Lives are in ticks of 10 s from the moment of the record on.
public enum StoreRecord: Sendable, Equatable {
    /// This envelope is held; its life is what is left.
    case held(Envelope, shortID: UInt64, isOwn: Bool)
    /// An envelope that is held has another life or has become this node's own.
    case renewed(shortID: UInt64, life: UInt16, isOwn: Bool)
    /// The envelope is not held and not wanted again for so long.
    case gone(shortID: UInt64, life: UInt16)
}
