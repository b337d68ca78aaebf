/// The operations on links that router and paths need: to send a message, and to read the round trip.
package protocol LinkSending {
    /// Queues a message on a link; returns false and takes nothing if the lane is full or the link is closed.
    ///
    /// A `tag` other than 0 is reported back when the message has left and when it is acknowledged.
    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool

    /// Queues a live datagram of at most 1,100 bytes on a link; returns false if too many wait or the link is closed.
    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool

    /// Returns the smoothed round trip of a link; nil before the first sample.
    func roundTrip(of link: LinkID) -> Duration?
}
