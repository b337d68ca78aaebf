extension Finding.Cause {
    /// The interfaces in use and the unused ones.
    package static let interfaces = Self("interfaces", in: .network)
    /// No interface reaches other machines.
    package static let noInterface = Self("noInterface", in: .network)
    /// A requested interface name does not exist on this system.
    package static let noSuchInterface = Self("noSuchInterface", in: .network)
    /// There is no cable and no radio link.
    package static let noCarrier = Self("noCarrier", in: .network)
    /// Multicast is disabled on an interface.
    package static let noMulticast = Self("noMulticast", in: .network)
    /// An interface has no address.
    package static let noAddress = Self("noAddress", in: .network)
    /// An interface has no IPv4 address.
    package static let noFour = Self("noIPv4", in: .network)
    /// An interface has no IPv6 address.
    package static let noSix = Self("noIPv6", in: .network)
    /// The system has IPv6 disabled on an interface.
    package static let sixDisabled = Self("ipv6Disabled", in: .network)
    /// The system lacks a whole address family.
    package static let familyMissing = Self("familyMissing", in: .network)
    /// The system still checks an IPv6 address for duplicates.
    package static let sixNotReady = Self("ipv6NotReady", in: .network)
    /// Another host has the same IPv6 address.
    package static let sixDuplicate = Self("ipv6Duplicate", in: .network)
    /// Another program holds the discovery port exclusively.
    package static let portTaken = Self("portTaken", in: .network)
    /// The system refuses a socket for another reason.
    package static let socketRefused = Self("socketRefused", in: .network)
    /// A firewall drops outgoing datagrams.
    package static let firewallOut = Self("firewallOut", in: .network)
    /// A firewall drops incoming datagrams.
    package static let firewallIn = Self("firewallIn", in: .network)
    /// A firewall passes beacons but blocks links.
    package static let linkPortClosed = Self("linkPortClosed", in: .network)
    /// The system has no route to a multicast group.
    package static let noRoute = Self("noRoute", in: .network)
    /// Sending fails for another reason.
    package static let sendRefused = Self("sendRefused", in: .network)
    /// The second process did not run.
    package static let noSecondProcess = Self("noSecondProcess", in: .network)
    /// A second process does not receive the datagrams that the first one receives.
    package static let secondProcessDeaf = Self("secondProcessDeaf", in: .network)
    /// The answers of a second process do not arrive.
    package static let unicastDropped = Self("unicastDropped", in: .network)
    /// A segment without faults.
    package static let segment = Self("segment", in: .network)
    /// The size of the buffer for received datagrams that are still unread.
    package static let receiveBuffer = Self("receiveBuffer", in: .network)

    /// The discovered nodes.
    package static let neighbours = Self("neighbours", in: .neighbours)
    /// Neighbours are discovered, but no link comes up.
    package static let isolation = Self("isolation", in: .neighbours)
    /// A doctor on another machine that runs at the same time.
    package static let otherDoctor = Self("otherDoctor", in: .neighbours)
}
