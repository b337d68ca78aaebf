import NIOCore

/// The times after which a hub counts as silent or lost.
struct HubTimes {
    /// The time that a hub may take to let this program in.
    var connect = Duration.seconds(10)
    /// The time until a hub that reads nothing counts as lost.
    var write = TimeAmount.seconds(5)
    /// The time between two signs that the connection works.
    var ping = TimeAmount.seconds(20)
}
