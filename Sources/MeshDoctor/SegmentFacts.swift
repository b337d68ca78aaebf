package import MeshCore

/// The findings of probes about one address family on one interface that a node would use.
package struct SegmentFacts: Hashable, Sendable {
    /// The sockets that a node opens.
    package enum Step: Hashable, Sendable {
        /// The one that links run on and beacons leave by.
        case unicast
        /// The one that hears a group's beacons on a port.
        case group(port: UInt16)
    }

    /// A socket that could not be opened.
    package struct Failure: Hashable, Sendable {
        /// The socket.
        package var step: Step
        /// The system's error number.
        package var error: Int32

        /// Describes one.
        package init(_ step: Step, error: Int32) {
            self.step = step
            self.error = error
        }
    }

    /// The system's answer to an attempt.
    package enum Attempt: Hashable, Sendable {
        case succeeded
        /// The system's error number.
        case refused(Int32)
        /// There was no occasion.
        case none
    }

    /// How far the second process came.
    package enum Second: Hashable, Sendable {
        /// There was none.
        case absent
        /// It heard nothing.
        case deaf
        /// It heard the question, and its answer did not come.
        case heard
        /// Its answer came.
        case answered
    }

    /// Another run of the doctor at the same moment, on another machine.
    package struct Stranger: Hashable, Sendable {
        /// The source address of its probes.
        package var address: String
        /// Whether it answered, and so hears this machine and is heard.
        package var hasAnswered: Bool

        /// Describes one.
        package init(address: String, hasAnswered: Bool) {
            self.address = address
            self.hasAnswered = hasAnswered
        }
    }

    /// The interface's name.
    package var interface: String
    /// The family of its addresses.
    package var family: AddressFamily
    /// The address that was bound.
    package var address: String
    /// The subnet of that address, as firewalls name it.
    package var subnet: String
    /// The socket that could not be opened; nil if all could.
    package var failure: Failure?
    /// The port of the first group.
    package var groupPort: UInt16 = 0
    /// How sending questions to the groups went.
    package var sending = Attempt.none
    /// Whether this very process heard its question.
    package var hearsItself = false
    /// How sending to the port of the links went.
    package var sendingToLinks = Attempt.none
    /// Whether a datagram off the segment reached the port of the links.
    package var hearsLinks = false
    /// How far the second process came.
    package var second = Second.absent
    /// Units: bytes of the receive buffer that the system granted.
    package var receiveBufferByteCount = 0
    /// Other runs of the doctor at the same moment.
    package var strangers: [Stranger] = []

    /// Describes a segment on which nothing was tried.
    package init(interface: String, family: AddressFamily, address: String, subnet: String) {
        self.interface = interface
        self.family = family
        self.address = address
        self.subnet = subnet
    }

    /// The interface and the family, for people.
    package var name: String { "\(interface) \(family == .v4 ? "IPv4" : "IPv6")" }
}
