/// One change of a store, or one stored item, as a log on disk records it.
///
/// Lives are in ticks of 10 s from the time of the record.
public enum StoreRecord: Sendable, Equatable {
    /// The envelope is stored; its life is the remaining one.
    ///
    /// One that is apart is not offered to neighbours. One from afar was fetched by this node's gateway.
    case held(Envelope, shortID: UInt64, isOwn: Bool, isApart: Bool = false, isFar: Bool = false)
    /// A stored envelope has another life or has become this node's own.
    case renewed(shortID: UInt64, life: UInt16, isOwn: Bool)
    /// The node did not run for this time.
    case rested(Duration)
    /// The store keeps others' envelopes near this place, at this depth.
    case shelf(place: UInt16, depth: UInt8)
}
