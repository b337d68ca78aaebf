/// One network interface of the machine as it is, whether or not a node would use it.
package struct InterfaceFacts: Hashable, Sendable {
    /// The state of an IPv6 address.
    package enum SixState: Hashable, Sendable {
        /// There is an address that can be used.
        case ready
        /// There is none.
        case missing
        /// The system has IPv6 switched off here.
        case disabled
        /// The system still asks whether somebody else has the address.
        case tentative
        /// Somebody else has the address.
        case duplicate
    }

    /// The system's name.
    package var name: String
    /// Whether it is switched on.
    package var isUp = true
    /// Whether there is a cable or a radio link.
    package var hasCarrier = true
    /// Whether it is the machine's own.
    package var isLoopback = false
    /// Whether it takes multicast.
    package var isMulticast = true
    /// Whether it is a segment of many: a tunnel to one other host is none.
    package var isBroadcast = true
    /// Whether it has an IPv4 address.
    package var hasFour = true
    /// The state of its IPv6 address.
    package var six = SixState.ready

    /// Describes an interface, by default one that is well.
    package init(name: String) {
        self.name = name
    }

    /// Whether it has any address that could be bound to, now or soon.
    var hasAddress: Bool { hasFour || [.ready, .tentative, .duplicate].contains(six) }

    /// Whether hosts elsewhere can be met here.
    var reachesOthers: Bool { isConnected && isMulticast }

    /// Whether it could reach others if only somebody switched multicast on; a tunnel to one host never does.
    var lacksNothingButMulticast: Bool { isConnected && isBroadcast && !isMulticast }

    private var isConnected: Bool { isUp && hasCarrier && hasAddress && !isLoopback }
}
