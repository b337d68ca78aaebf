#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A socket option by its level and number.
struct SocketOption: Sendable {
    let level: CInt
    let name: CInt

    static let reuseAddress = SocketOption(level: SOL_SOCKET, name: SO_REUSEADDR)
    static let receiveBuffer = SocketOption(level: SOL_SOCKET, name: SO_RCVBUF)
    static let sendBuffer = SocketOption(level: SOL_SOCKET, name: SO_SNDBUF)

    static let multicastInterface = ip(IP_MULTICAST_IF)
    static let multicastTimeToLive = ip(IP_MULTICAST_TTL)
    static let multicastLoop = ip(IP_MULTICAST_LOOP)
    static let join = ip(IP_ADD_MEMBERSHIP)

    static let sixOnly = ipv6(IPV6_V6ONLY)
    static let multicastInterfaceSix = ipv6(IPV6_MULTICAST_IF)
    static let multicastHopLimit = ipv6(IPV6_MULTICAST_HOPS)
    static let multicastLoopSix = ipv6(IPV6_MULTICAST_LOOP)
    static let joinSix = ipv6(IPV6_JOIN_GROUP)

    #if os(Linux)
        /// Whether a socket also receives the groups that other sockets of the machine joined, as it does by default.
        static let multicastAll = ip(49)
        static let multicastAllSix = ipv6(29)
        /// The interface by which unicast datagrams leave, as an index in network order.
        static let egress = ip(50)
        static let egressSix = ipv6(76)
        static let pathMTUDiscovery = ip(IP_MTU_DISCOVER)
        static let pathMTUDiscoverySix = ipv6(IPV6_MTU_DISCOVER)
        static let device = SocketOption(level: SOL_SOCKET, name: SO_BINDTODEVICE)
        /// UDP_GRO: datagrams of one sender that come together may be read together.
        static let receiveOffload = SocketOption(level: CInt(IPPROTO_UDP), name: 104)
        /// IP_PMTUDISC_PROBE and IPV6_PMTUDISC_PROBE: don't fragment, and believe no router about the path.
        static let probe: CInt = 3
    #else
        static let dontFragment = ip(28)
        static let dontFragmentSix = ipv6(62)
        /// The interface by which the socket's datagrams leave and arrive, as an index in host order.
        static let device = ip(25)
        static let deviceSix = ipv6(125)
    #endif

    private static func ip(_ name: CInt) -> SocketOption {
        SocketOption(level: CInt(IPPROTO_IP), name: name)
    }

    private static func ipv6(_ name: CInt) -> SocketOption {
        SocketOption(level: CInt(IPPROTO_IPV6), name: name)
    }
}
