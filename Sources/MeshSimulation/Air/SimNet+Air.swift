import MeshCore

extension SimNet {
    /// Returns the time for which datagrams have taken the shared channel of a segment.
    public func airtime(of segment: Int) -> Airtime { segments[segment].channelQueue.airtime }

    /// Returns the number of datagrams of a segment that found a queue of its shared channel full.
    public func queueDropCount(of segment: Int) -> Int { segments[segment].channelQueue.dropCount }

    /// Lets a datagram wait for the air.
    mutating func queue(_ transmission: ChannelQueue.Transmission, on segment: Int, _ channel: SharedChannel) {
        if segments[segment].channelQueue.add(transmission, to: channel) { useAir(of: segment, channel) }
    }

    /// Handles the end of a transmission.
    mutating func endTransmission(on segment: Int, arrives: Bool) {
        guard let transmission = segments[segment].channelQueue.end(), let channel = segments[segment].quality.channel
        else { return }
        switch transmission.way {
        case .toAccessPoint(let receiver):
            guard arrives, channel.passesUnicasts else { break }
            var transmission = transmission
            transmission.way = .toHost(receiver)
            queue(transmission, on: segment, channel)
        case .toHost(let receiver):
            if arrives {
                carry(transmission.bytes, from: transmission.source, to: receiver, on: segment, isMulticast: false)
            }
        case .toAll:
            for receiver in segments[segment].members where receiver == transmission.sender || hearsMulticast(channel) {
                carry(transmission.bytes, from: transmission.source, to: receiver, on: segment, isMulticast: true)
            }
        }
        useAir(of: segment, channel)
    }

    private mutating func hearsMulticast(_ channel: SharedChannel) -> Bool {
        Double.random(in: 0..<1, using: &random) >= channel.multicastLoss
    }

    private mutating func useAir(of segment: Int, _ channel: SharedChannel) {
        guard let (time, arrives) = segments[segment].channelQueue.begin(channel, using: &random) else { return }
        clock.schedule(.transmissionEnds(segment: segment, arrives: arrives), at: now.advanced(by: time))
    }
}
