extension Finding.Cause {
    /// The interfaces that are used, and those that are not.
    package static let interfaces = Self("interfaces", in: .network)
    /// No interface reaches other machines.
    package static let noInterface = Self("noInterface", in: .network)
    /// The system has no interface of a name that was given.
    package static let noSuchInterface = Self("noSuchInterface", in: .network)
    /// No cable, no radio link.
    package static let noCarrier = Self("noCarrier", in: .network)
    /// Multicast is switched off on an interface.
    package static let noMulticast = Self("noMulticast", in: .network)
    /// An interface has no address.
    package static let noAddress = Self("noAddress", in: .network)
    /// An interface has no IPv4 address.
    package static let noFour = Self("noIPv4", in: .network)
    /// An interface has no IPv6 address.
    package static let noSix = Self("noIPv6", in: .network)
    /// The system has IPv6 switched off on an interface.
    package static let sixDisabled = Self("ipv6Disabled", in: .network)
    /// The system lacks a whole family of addresses.
    package static let familyMissing = Self("familyMissing", in: .network)
    /// An IPv6 address is still being checked.
    package static let sixNotReady = Self("ipv6NotReady", in: .network)
    /// Another host has the same IPv6 address.
    package static let sixDuplicate = Self("ipv6Duplicate", in: .network)
    /// Another program has the discovery port for itself.
    package static let portTaken = Self("portTaken", in: .network)
    /// A socket could not be opened for another reason.
    package static let socketRefused = Self("socketRefused", in: .network)
    /// A firewall drops what is sent.
    package static let firewallOut = Self("firewallOut", in: .network)
    /// A firewall drops what arrives.
    package static let firewallIn = Self("firewallIn", in: .network)
    /// A firewall lets beacons through and links not.
    package static let linkPortClosed = Self("linkPortClosed", in: .network)
    /// The system knows no way to a group.
    package static let noRoute = Self("noRoute", in: .network)
    /// Sending fails for another reason.
    package static let sendRefused = Self("sendRefused", in: .network)
    /// There was no second process.
    package static let noSecondProcess = Self("noSecondProcess", in: .network)
    /// A second process does not hear what the first one does.
    package static let secondProcessDeaf = Self("secondProcessDeaf", in: .network)
    /// A second process cannot answer.
    package static let unicastDropped = Self("unicastDropped", in: .network)
    /// A segment on which all goes well.
    package static let segment = Self("segment", in: .network)
    /// How much the system keeps of what nobody has read yet.
    package static let receiveBuffer = Self("receiveBuffer", in: .network)

    /// The nodes that are heard.
    package static let neighbours = Self("neighbours", in: .neighbours)
    /// Neighbours are heard, and no link comes about.
    package static let isolation = Self("isolation", in: .neighbours)
    /// Another machine that looks for what is wrong at the same moment.
    package static let otherDoctor = Self("otherDoctor", in: .neighbours)
}
