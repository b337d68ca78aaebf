/// The state of one network interface of the machine, whether or not a node would use it.
package struct InterfaceFacts: Hashable, Sendable {
    /// The state of an IPv6 address.
    package enum SixState: Hashable, Sendable {
        /// The interface has a usable address.
        case ready
        /// The interface has no address.
        case missing
        /// The system has IPv6 disabled on the interface.
        case disabled
        /// The system still checks whether another host has the address.
        case tentative
        /// Another host has the address.
        case duplicate
    }

    /// The system's name of the interface.
    package var name: String
    /// Whether the interface is up.
    package var isUp = true
    /// Whether the interface has a cable or a radio link.
    package var hasCarrier = true
    /// Whether the interface is the loopback interface.
    package var isLoopback = false
    /// Whether multicast is enabled.
    package var isMulticast = true
    /// Whether the interface is a segment with many hosts.
    ///
    /// A tunnel to one other host is not.
    package var isBroadcast = true
    /// Whether the interface is used only if it is named: a tunnel, a bridge or a container's.
    package var isPrivate = false
    /// Whether the interface has an IPv4 address.
    package var hasFour = true
    /// The state of the IPv6 address.
    package var six = SixState.ready

    /// Describes an interface that by default has no faults.
    package init(name: String) {
        self.name = name
    }

    /// Whether the interface has an address that can be bound now or soon.
    var hasAddress: Bool { hasFour || [.ready, .tentative, .duplicate].contains(six) }

    /// Whether a node can reach other machines through the interface.
    var reachesOthers: Bool { isConnected && isMulticast }

    /// Whether the interface could reach other machines if multicast were enabled.
    ///
    /// Always false for a tunnel to one host.
    var lacksNothingButMulticast: Bool { isConnected && isBroadcast && !isMulticast }

    private var isConnected: Bool { isUp && hasCarrier && hasAddress && !isLoopback }
}
