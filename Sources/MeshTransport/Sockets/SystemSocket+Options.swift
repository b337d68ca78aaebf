import MeshCore
import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SystemSocket {
    /// Lets the socket receive only the groups that it joined itself.
    ///
    /// Otherwise Linux hands a socket every group that any socket of the machine joined on any interface.
    func ignoreForeignGroups(_ family: AddressFamily) throws(IOError) {
        #if os(Linux)
            try set(family == .v4 ? .multicastAll : .multicastAllSix, to: CInt(0))
        #endif
    }

    /// Lets multicast datagrams leave by one interface, one hop far, and reach this machine's own other nodes.
    ///
    /// Unicast datagrams leave by it as well if the system can be told so: two interfaces on one subnet are common.
    func leave(by interface: InterfaceID) throws(IOError) {
        switch interface.family {
        case .v4:
            try set(.multicastInterface, to: ip_mreqn(group: nil, on: interface))
            try set(.multicastTimeToLive, to: CInt(1))
            try set(.multicastLoop, to: CInt(1))
        case .v6:
            try set(.multicastInterfaceSix, to: interface.index)
            try set(.multicastHopLimit, to: CInt(1))
            try set(.multicastLoopSix, to: CInt(1))
        }
        #if os(Linux)
            try set(interface.family == .v4 ? .egress : .egressSix, to: interface.index.bigEndian)
        #endif
    }

    /// Joins a group on one interface, by its index; this includes loopback, which the usual calls refuse.
    func enter(_ group: IPAddress, on interface: InterfaceID) throws(IOError) {
        switch group.family {
        case .v4:
            try set(.join, to: ip_mreqn(group: group, on: interface))
        case .v6:
            // The bytes of an ipv6_mreq: the group, then the index in the machine's own order.
            try set(.joinSix, to: group.bytes + withUnsafeBytes(of: interface.index) { Array($0) })
        }
    }

    /// Restricts the socket to one interface, for sending and for receiving.
    func tie(toDevice name: String, family: AddressFamily) throws(IOError) {
        #if os(Linux)
            try set(.device, to: Array(name.utf8))
        #else
            try set(family == .v4 ? .device : .deviceSix, to: if_nametoindex(name))
        #endif
    }

    /// Lets the socket receive datagrams that arrive together as one buffer with their length; returns false if the
    /// system cannot.
    func joinArrivals() -> Bool {
        #if os(Linux)
            guard System.supportsUDPReceiveOffload else { return false }
            return (try? set(.receiveOffload, to: CInt(1))) != nil
        #else
            return false
        #endif
    }

    /// Forbids fragments: the link layer's datagrams fit every path, and a lost fragment would cost the whole.
    func forbidFragments(_ family: AddressFamily) throws(IOError) {
        #if os(Linux)
            try set(family == .v4 ? .pathMTUDiscovery : .pathMTUDiscoverySix, to: SocketOption.probe)
        #else
            try set(family == .v4 ? .dontFragment : .dontFragmentSix, to: CInt(1))
        #endif
    }
}

extension ip_mreqn {
    fileprivate init(group: IPAddress?, on interface: InterfaceID) {
        self.init()
        imr_ifindex = CInt(bitPattern: interface.index)
        guard let group else { return }
        withUnsafeMutableBytes(of: &imr_multiaddr) { $0.copyBytes(from: group.bytes) }
    }
}
