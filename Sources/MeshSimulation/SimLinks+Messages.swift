import MeshCore

extension SimLinks {
    mutating func transmit(_ message: SimLinkOutbox.Message, from host: Int) {
        let peer = hosts[host][message.link]
        guard peer.isUp else { return }
        let attempts = quality.attempts(using: &random)
        count(message.bytes, attempts: attempts)
        trace.add(now.nanoseconds)
        trace.add(UInt64(host) << 32 | UInt64(peer.host))
        trace.add(UInt64(message.bytes.count) << 32 | UInt64(message.lane.rawValue) << 8 | UInt64(attempts))
        guard hosts[peer.host].isOn else { return doom(message.link, of: host) }
        let event = SimLinkEvent.message(
            message.bytes,
            message.lane,
            tag: message.tag,
            host: peer.host,
            link: peer.link
        )
        clock.schedule(event, at: now.advanced(by: quality.latency(attempts: attempts, using: &random)))
    }

    /// Acknowledges a message to its sender.
    mutating func acknowledge(_ tag: UInt64, from host: Int, on link: LinkID) {
        let peer = hosts[host][link]
        let latency = quality.latency(attempts: quality.attempts(using: &random), using: &random)
        let event = SimLinkEvent.acknowledgement(tag: tag, host: peer.host, link: peer.link)
        clock.schedule(event, at: now.advanced(by: latency))
    }

    /// Sends the store summary to a neighbour.
    mutating func sendStatus(of host: Int, on link: LinkID) {
        let peer = hosts[host][link]
        guard hosts[host].isOn, peer.isUp else { return }
        guard hosts[peer.host].isOn else { return doom(link, of: host) }
        let attempts = quality.attempts(using: &random)
        counters.comparisons += attempts
        let event = SimLinkEvent.status(hosts[host].router.summary, host: peer.host, link: peer.link)
        clock.schedule(event, at: now.advanced(by: quality.latency(attempts: attempts, using: &random)))
    }

    /// Schedules the end of a link to a host that is off, at the time at which the link layer would notice.
    private mutating func doom(_ link: LinkID, of host: Int) {
        guard !hosts[host][link].isDoomed else { return }
        hosts[host][link].isDoomed = true
        clock.schedule(.linkDown(host: host, link: link), at: now.advanced(by: quality.detectionDelay))
    }

    private mutating func count(_ message: [UInt8], attempts: Int) {
        guard let first = message.first else { return }
        if first >> 4 == Envelope.version {
            counters.transmissions += attempts
        } else if let tree = TreeMessage(decoding: message) {
            switch tree {
            case .announce(let ids): counters.control += attempts * ids.count
            case .graft(let ids):
                counters.control += attempts * ids.count
                counters.grafts += ids.count
            case .prune:
                counters.control += attempts
                counters.prunes += 1
            }
        } else {
            counters.comparisons += attempts
        }
    }
}
