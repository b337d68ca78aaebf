public import MeshCore

extension SimNet {
    /// Adds a switched-off host that is on no segment; its number.
    @discardableResult
    public mutating func addHost(
        configuration: MeshConfiguration = MeshConfiguration(),
        cryptography: any MeshCryptography = NullCryptography()
    ) -> Int {
        hosts.append(SimHost(number: hosts.count, configuration: configuration, cryptography: cryptography))
        return hosts.count - 1
    }

    /// Adds a segment without hosts; its number.
    @discardableResult
    public mutating func addSegment(_ quality: SegmentQuality = SegmentQuality()) -> Int {
        segments.append(SimSegment(quality: quality))
        return segments.count - 1
    }

    /// Changes what a segment does to datagrams.
    public mutating func setQuality(_ quality: SegmentQuality, of segment: Int) {
        segments[segment].quality = quality
    }

    /// Puts a host on a segment.
    public mutating func attach(_ host: Int, to segment: Int) {
        guard !segments[segment].members.contains(host) else { return }
        let place = segments[segment].members.firstIndex { $0 > host } ?? segments[segment].members.endIndex
        segments[segment].members.insert(host, at: place)
        openInterface(of: host, on: segment)
    }

    /// Takes a host off a segment, and closes its sockets there.
    public mutating func detach(_ host: Int, from segment: Int) {
        guard let place = segments[segment].members.firstIndex(of: host) else { return }
        segments[segment].members.remove(at: place)
        send(.interfaceDown(SimSegment.interface(segment)), to: host)
    }

    /// Switches a host on, with everything forgotten.
    public mutating func start(_ host: Int) {
        guard hosts[host].engine == nil else { return }
        hosts[host].incarnation += 1
        hosts[host].wake = .distantFuture
        hosts[host].engine = MeshEngine(
            configuration: hosts[host].configuration,
            cryptography: hosts[host].cryptography,
            random: MeshRandom(seed: random.next()),
            now: now
        )
        for segment in segments.indices where segments[segment].members.contains(host) {
            openInterface(of: host, on: segment)
        }
    }

    /// Switches every host on.
    public mutating func startAll() {
        for host in hosts.indices { start(host) }
    }

    /// Switches a host off without a word.
    public mutating func crash(_ host: Int) {
        hosts[host].engine = nil
    }

    /// Switches a host off in good order: it tells its neighbours.
    public mutating func leave(_ host: Int) {
        send(.leave, to: host)
        hosts[host].engine = nil
    }

    private mutating func openInterface(of host: Int, on segment: Int) {
        let prefix = Prefix(address: hosts[host].address, length: 8)
        let interface = SimSegment.interface(segment)
        send(.interfaceUp(interface, prefixes: [prefix], unicastPort: hosts[host].port), to: host)
    }
}

extension SimNet {
    mutating func transmit(_ bytes: [UInt8], from sender: Int, to endpoint: Endpoint) {
        let segment = Int(endpoint.interface.index) - 1
        guard segments.indices.contains(segment), segments[segment].members.contains(sender) else { return }
        guard let receiver = segments[segment].members.first(where: { hosts[$0].endpoint(on: segment) == endpoint })
        else { return }
        carry(bytes, from: sender, to: receiver, on: segment, isMulticast: false)
    }

    mutating func multicast(_ bytes: [UInt8], from sender: Int, on interface: InterfaceID) {
        let segment = Int(interface.index) - 1
        guard segments.indices.contains(segment), segments[segment].quality.carriesMulticast,
            segments[segment].members.contains(sender)
        else { return }
        // The sender hears itself too, as on a real socket.
        for receiver in segments[segment].members {
            carry(bytes, from: sender, to: receiver, on: segment, isMulticast: true)
        }
    }

    private mutating func carry(
        _ bytes: [UInt8],
        from sender: Int,
        to receiver: Int,
        on segment: Int,
        isMulticast: Bool
    ) {
        guard hosts[receiver].engine != nil else { return }
        datagramCount += 1
        guard !segments[segment].loses(bytes.count, using: &random) else { return }
        let duplication = segments[segment].quality.duplication
        let isTwice = duplication > 0 && Double.random(in: 0..<1, using: &random) < duplication
        let event = SimEvent.datagram(
            bytes,
            host: receiver,
            incarnation: hosts[receiver].incarnation,
            segment: segment,
            source: hosts[sender].endpoint(on: segment),
            isMulticast: isMulticast
        )
        for _ in 0..<(isTwice ? 2 : 1) {
            clock.schedule(event, at: now.advanced(by: segments[segment].latency(using: &random)))
        }
    }
}
