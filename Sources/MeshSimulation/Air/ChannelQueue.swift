import MeshCore

/// The datagrams that wait for a shared channel, and the one that is on the air.
///
/// Invariant: nothing waits while nothing is on the air.
struct ChannelQueue: Sendable {
    /// A datagram on one of its ways.
    struct Transmission: Sendable {
        /// The ways of a datagram.
        enum Way: Sendable {
            case toAccessPoint(for: Int)
            case toHost(Int)
            case toAll
        }

        let bytes: [UInt8]
        let source: Endpoint
        let sender: Int
        var way: Way

        /// The queue in which it waits: that of its sender, or nil for that of the access point.
        var queue: Int? { if case .toHost = way { nil } else { sender } }
    }

    private(set) var current: Transmission?
    private(set) var airtime = Airtime()
    /// The number of datagrams that found a queue full.
    private(set) var dropCount = 0
    private var waiting = Fifo<Transmission>()
    /// The number of datagrams in each queue, with the one on the air.
    private var counts: [Int?: Int] = [:]

    /// Adds a datagram; returns false if its queue is full.
    mutating func add(_ transmission: Transmission, to channel: SharedChannel) -> Bool {
        let limit = transmission.queue == nil ? channel.accessPointQueueLimit : channel.stationQueueLimit
        // The limit has one extra datagram: the first is already being sent.
        guard counts[transmission.queue, default: 0] <= limit else {
            dropCount += 1
            return false
        }
        counts[transmission.queue, default: 0] += 1
        waiting.append(transmission)
        return true
    }

    /// Puts the next datagram on the air; returns the time that it takes and whether it arrives, or nil if none waits or
    /// one is on the air.
    mutating func begin(
        _ channel: SharedChannel,
        using random: inout SplitMix64
    ) -> (time: Duration, arrives: Bool)? {
        guard current == nil, let next = waiting.first else { return nil }
        waiting.removeFirst()
        current = next
        var time = Duration.zero
        var arrives = true
        if case .toAll = next.way {
            time = channel.multicastTime(byteCount: next.bytes.count)
        } else {
            var tryCount = 0
            repeat {
                tryCount += 1
                arrives = Double.random(in: 0..<1, using: &random) >= channel.unicastLoss
            } while !arrives && tryCount <= channel.retryLimit
            time = channel.unicastTime(byteCount: next.bytes.count) * tryCount
        }
        airtime.add(time, of: Airtime.Cause(of: next.bytes))
        return (time, arrives)
    }

    /// Takes the datagram off the air.
    mutating func end() -> Transmission? {
        guard let transmission = current else { return nil }
        current = nil
        counts[transmission.queue, default: 0] -= 1
        return transmission
    }
}
