import MeshCore

extension SimNet {
    /// Returns the host's endpoint on a segment since its last start.
    func currentEndpoint(of host: Int, on segment: Int) -> Endpoint {
        hosts[host].endpoint(on: segment)
    }

    mutating func transmit(_ bytes: [UInt8], from sender: Int, to endpoint: Endpoint) {
        let segment = Int(endpoint.interface.index) - 1
        let receiver = SimHost.number(at: endpoint.address)
        guard segments.indices.contains(segment), segments[segment].members.contains(sender),
            segments[segment].members.contains(receiver),
            currentEndpoint(of: receiver, on: segment) == endpoint
        else {
            watch.traffic[endpoint.address]?.add(bytes)
            return
        }
        let source = currentEndpoint(of: sender, on: segment)
        if let channel = segments[segment].quality.channel {
            let way = ChannelQueue.Transmission.Way.toAccessPoint(for: receiver)
            return queue(.init(bytes: bytes, source: source, sender: sender, way: way), on: segment, channel)
        }
        carry(bytes, from: source, to: receiver, on: segment, isMulticast: false)
    }

    mutating func multicast(_ bytes: [UInt8], from sender: Int, on interface: InterfaceID) {
        let segment = Int(interface.index) - 1
        guard segments.indices.contains(segment), segments[segment].quality.carriesMulticast,
            segments[segment].members.contains(sender)
        else { return }
        let source = currentEndpoint(of: sender, on: segment)
        if let channel = segments[segment].quality.channel {
            return queue(.init(bytes: bytes, source: source, sender: sender, way: .toAll), on: segment, channel)
        }
        // The sender also receives its own multicast, as on a real socket.
        for receiver in segments[segment].members {
            carry(bytes, from: source, to: receiver, on: segment, isMulticast: true)
        }
    }

    mutating func carry(
        _ bytes: [UInt8],
        from source: Endpoint,
        to receiver: Int,
        on segment: Int,
        isMulticast: Bool
    ) {
        guard hosts[receiver].isOn else { return }
        datagramByteCount += bytes.count
        datagramCount += 1
        guard let departure = segments[segment].departure(of: bytes.count, to: receiver, now: now) else { return }
        guard !segments[segment].loses(bytes.count, now: now, using: &random) else { return }
        let duplication = segments[segment].quality.duplication
        let isTwice = duplication > 0 && Double.random(in: 0..<1, using: &random) < duplication
        let event = SimEvent.datagram(
            bytes,
            host: receiver,
            incarnation: hosts[receiver].incarnation,
            segment: segment,
            source: source,
            isMulticast: isMulticast
        )
        for _ in 0..<(isTwice ? 2 : 1) {
            clock.schedule(event, at: departure.advanced(by: segments[segment].latency(using: &random)))
        }
    }
}
