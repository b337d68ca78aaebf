/// The reading of a record's numbers: a disk may hold any number, and no sum with a bounded one traps.
extension UInt64 {
    /// The number, at most ``ChatLimits/maximumOrder``.
    var bounded: UInt64 { Swift.min(self, ChatLimits.maximumOrder) }
}

extension UInt32 {
    /// The number, at most half of the greatest.
    var bounded: UInt32 { Swift.min(self, .max / 2) }
}
