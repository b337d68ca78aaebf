import MeshCore

/// A datagram as a socket hands it out.
struct RawDatagram: Sendable {
    let bytes: [UInt8]
    let source: Endpoint
    /// The host to which it was sent.
    let receiver: Int
    let isMulticast: Bool
}

/// Hosts without an engine, which send any datagram.
extension SimNet {
    /// Switches on a hostile host, which keeps all datagrams that it receives.
    mutating func startRaw(_ host: Int) {
        hosts[host].startRaw()
    }

    /// Takes the datagrams that a hostile host has received.
    mutating func takeReceived(by host: Int) -> [RawDatagram] {
        hosts[host].takeReceived()
    }

    /// Sends a datagram of a hostile host, which may claim to come from another endpoint.
    mutating func send(_ bytes: [UInt8], ofHostile sender: Int, claiming source: Endpoint?, to endpoint: Endpoint) {
        guard let source else {
            hosts[sender].sent.add(bytes)
            return transmit(bytes, from: sender, to: endpoint)
        }
        let segment = Int(endpoint.interface.index) - 1
        let receiver = SimHost.number(at: endpoint.address)
        guard segments[segment].members.contains(receiver), currentEndpoint(of: receiver, on: segment) == endpoint
        else { return }
        hosts[sender].sent.add(bytes)
        carry(bytes, from: source, to: receiver, on: segment, isMulticast: false)
    }

    /// Sends a multicast of a hostile host that claims to come from another endpoint.
    mutating func multicast(_ bytes: [UInt8], ofHostile sender: Int, claiming source: Endpoint, on segment: Int) {
        hosts[sender].sent.add(bytes)
        for receiver in segments[segment].members where receiver != sender {
            carry(bytes, from: source, to: receiver, on: segment, isMulticast: true)
        }
    }

    /// The hosts that are linked with each of the first hosts, by the endpoints of their links; both ends must agree.
    ///
    /// A hostile host may carry another's node id, so node ids do not count.
    func honestLinks(among count: Int) -> [Set<Int>] {
        let claimed = (0..<count).map { host in
            Set(
                (hosts[host].engine?.snapshot.links ?? []).compactMap { link in
                    let other = SimHost.number(at: link.endpoint.address)
                    let segment = Int(link.endpoint.interface.index) - 1
                    return other < count && endpoint(of: other, on: segment) == link.endpoint ? other : nil
                }
            )
        }
        return claimed.indices.map { host in claimed[host].filter { claimed[$0].contains(host) } }
    }
}
