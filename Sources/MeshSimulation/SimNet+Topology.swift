public import MeshCore

extension SimNet {
    /// Adds a switched-off host that is on no segment; returns its number.
    @discardableResult
    public mutating func addHost(
        configuration: MeshConfiguration = .simulated,
        cryptography: any MeshCryptography = NullCryptography()
    ) -> Int {
        hosts.append(SimHost(number: hosts.count, configuration: configuration, cryptography: cryptography))
        return hosts.count - 1
    }

    /// Adds a segment without hosts; returns its number.
    @discardableResult
    public mutating func addSegment(_ quality: SegmentQuality = SegmentQuality()) -> Int {
        segments.append(SimSegment(quality: quality))
        return segments.count - 1
    }

    /// Changes the effect of a segment on datagrams.
    public mutating func setQuality(_ quality: SegmentQuality, of segment: Int) {
        segments[segment].quality = quality
    }

    /// Attaches a host to a segment.
    public mutating func attach(_ host: Int, to segment: Int) {
        guard !segments[segment].members.contains(host) else { return }
        let place = segments[segment].members.firstIndex { $0 > host } ?? segments[segment].members.endIndex
        segments[segment].members.insert(host, at: place)
        openInterface(of: host, on: segment)
    }

    /// Detaches a host from a segment, and closes its sockets there.
    public mutating func detach(_ host: Int, from segment: Int) {
        guard let place = segments[segment].members.firstIndex(of: host) else { return }
        segments[segment].members.remove(at: place)
        send(.interfaceDown(SimSegment.interface(segment)), to: host)
    }

    /// Switches a host on without any earlier state.
    public mutating func start(_ host: Int) {
        guard !hosts[host].isOn else { return }
        hosts[host].start(random: MeshRandom(seed: random.next()), now: now)
        for segment in segments.indices where segments[segment].members.contains(host) {
            openInterface(of: host, on: segment)
        }
    }

    /// Switches every host on.
    public mutating func startAll() {
        for host in hosts.indices { start(host) }
    }

    /// Switches a host off without notice.
    public mutating func crash(_ host: Int) {
        hosts[host].stop()
    }

    /// Puts a host to sleep.
    ///
    /// It receives nothing and does nothing until it wakes, while its clock continues.
    public mutating func sleep(_ host: Int) {
        hosts[host].sleep()
    }

    /// Wakes a sleeping host, which then finds that many deadlines have passed.
    public mutating func wake(_ host: Int) {
        if hosts[host].wakeUp() { send(.tick, to: host) }
    }

    /// Switches a host off properly: it notifies its neighbours.
    public mutating func leave(_ host: Int) {
        send(.leave, to: host)
        hosts[host].stop()
    }

    private mutating func openInterface(of host: Int, on segment: Int) {
        let endpoint = currentEndpoint(of: host, on: segment)
        let prefix = Prefix(address: endpoint.address, length: 8)
        send(.interfaceUp(endpoint.interface, prefixes: [prefix], unicastPort: endpoint.port), to: host)
    }
}
