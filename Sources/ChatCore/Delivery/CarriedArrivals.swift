import ChatCrypto
import MeshCore

/// The last messages that were carried to this node.
///
/// Anybody who hears a post can carry it to its recipient before it gets there. So a message that was carried may also
/// have been posted; then it needs a release, and a receipt that is not lost with a way.
/// Invariant: `order` has each release hash of `arrivals`; `hashes` names arrivals only. Source: PROTOCOL §10 content and
/// receipts.
struct CarriedArrivals: Sendable {
    /// A message that was carried.
    struct Arrival: Sendable {
        let sender: PeerID
        let deliveryProof: DeliveryProof
        /// The contents that a receipt confirms.
        let contents: [MessageID]
        /// Whether it came from another mesh; then its author may write it again, each day.
        var isFar = false
        /// The time at which it was confirmed again.
        var confirmedAt: MeshInstant?
    }

    private var arrivals: [[UInt8]: Arrival] = [:]
    /// The release hash of the message that carried each content.
    private var hashes: [MessageID: [UInt8]] = [:]
    private var order = Fifo<[UInt8]>()

    /// The number of remembered messages.
    var count: Int { arrivals.count }

    /// Remembers a message; with one more than ``ChatLimits/carriedArrivalCount`` the oldest is forgotten.
    mutating func insert(_ arrival: Arrival) {
        let hash = arrival.deliveryProof.hash
        guard arrivals[hash] == nil else { return }
        arrivals[hash] = arrival
        for id in arrival.contents { hashes[id] = hash }
        order.append(hash)
        guard order.count > ChatLimits.carriedArrivalCount, let oldest = order.first else { return }
        order.removeFirst()
        _ = take(oldest)
    }

    /// Returns the message with a release hash, if it is to be confirmed again; nil for an unknown one.
    ///
    /// One from another mesh stays known, and is confirmed once in ``FarLimits/confirmationPause`` only: anybody who saw
    /// it can make an envelope with its hash.
    mutating func takeAgain(_ hash: [UInt8], at now: MeshInstant) -> (arrival: Arrival, isDue: Bool)? {
        guard let arrival = arrivals[hash], arrival.isFar else { return take(hash).map { ($0, true) } }
        if let last = arrival.confirmedAt, last.advanced(by: FarLimits.confirmationPause) > now {
            return (arrival, false)
        }
        arrivals[hash]?.confirmedAt = now
        return (arrival, true)
    }

    /// Forgets the message with a release hash, and returns it.
    mutating func take(_ hash: [UInt8]) -> Arrival? {
        guard let arrival = arrivals.removeValue(forKey: hash) else { return nil }
        for id in arrival.contents where hashes[id] == hash { hashes[id] = nil }
        return arrival
    }

    /// Notes that contents came in a post too, so that their receipt must not be lost.
    mutating func notePosted(_ contents: [MessageID]) {
        for id in contents { hashes[id] = nil }
    }

    /// Whether the author of everything that a receipt names posts it again if the receipt is lost.
    func cover(_ receipt: MessageContent.Receipt) -> Bool {
        let contents = receipt.packs.flatMap { arrivals[$0]?.contents ?? [] } + receipt.delivered
        return receipt.read.isEmpty && receipt.packs.allSatisfy { arrivals[$0] != nil }
            && contents.allSatisfy { hashes[$0] != nil }
    }
}
