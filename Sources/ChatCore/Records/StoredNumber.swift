/// The numbers of a record as they are read: a disk may hold any, and no sum with a bounded one traps.
extension UInt64 {
    /// The number, at most ``ChatLimits/maximumOrder``.
    var bounded: UInt64 { Swift.min(self, ChatLimits.maximumOrder) }
}

extension UInt32 {
    /// The number, at most half of all.
    var bounded: UInt32 { Swift.min(self, .max / 2) }
}
