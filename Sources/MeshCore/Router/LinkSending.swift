/// All that router and paths need of links: to put a message into one, and to know how far away its other end is.
package protocol LinkSending {
    /// Queues a message on a link; false if the lane is full or the link is gone, and then nothing was taken.
    ///
    /// A `tag` other than 0 is reported back when the message has left and when it was acknowledged.
    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool

    /// Puts a live datagram of at most 1,100 bytes on a link; false if too many wait or the link is gone.
    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool

    /// The smoothed round trip of a link; nil before the first sample.
    func roundTrip(of link: LinkID) -> Duration?
}
