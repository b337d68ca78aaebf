package import MeshCore

/// The results of the probes of one address family on one interface that a node would use.
package struct SegmentFacts: Hashable, Sendable {
    /// The sockets that a node opens.
    package enum Step: Hashable, Sendable {
        /// The socket on which links run and from which beacons leave.
        case unicast
        /// The socket that receives a group's beacons on a port.
        case group(port: UInt16)
    }

    /// A socket that the system refused.
    package struct Failure: Hashable, Sendable {
        /// The socket.
        package var step: Step
        /// The system's error number.
        package var error: Int32

        /// Describes a failure.
        package init(_ step: Step, error: Int32) {
            self.step = step
            self.error = error
        }
    }

    /// The system's result of an attempt.
    package enum Attempt: Hashable, Sendable {
        case succeeded
        /// The system refused it with this error number.
        case refused(Int32)
        /// There was no attempt.
        case none
    }

    /// The result of the second process.
    package enum Second: Hashable, Sendable {
        /// The second process did not run.
        case absent
        /// The second process received nothing.
        case deaf
        /// The second process received the question, but its answer did not arrive.
        case heard
        /// The answer of the second process arrived.
        case answered
    }

    /// Another run of the doctor at the same time, on another machine.
    package struct UnknownNode: Hashable, Sendable {
        /// The source address of its probes.
        package var address: String
        /// Whether it answered.
        ///
        /// An answer shows that datagrams pass in both directions.
        package var hasAnswered: Bool

        /// Describes another run.
        package init(address: String, hasAnswered: Bool) {
            self.address = address
            self.hasAnswered = hasAnswered
        }
    }

    /// The interface's name.
    package var interface: String
    /// The address family.
    package var family: AddressFamily
    /// The bound address.
    package var address: String
    /// The subnet of that address, in the notation of firewalls.
    package var subnet: String
    /// The socket that the system refused; nil if all sockets opened.
    package var failure: Failure?
    /// The port of the first group.
    package var groupPort: UInt16 = 0
    /// The result of sending questions to the groups.
    package var sending = Attempt.none
    /// Whether this process received its own question.
    package var hearsItself = false
    /// The result of sending to the port of the links.
    package var sendingToLinks = Attempt.none
    /// Whether this process received its own datagram on the port of the links.
    package var hearsLinks = false
    /// The result of the second process.
    package var second = Second.absent
    /// The receive buffer that the system granted.
    ///
    /// Units: bytes.
    package var receiveBufferByteCount = 0
    /// The other runs of the doctor at the same time.
    package var unknownNodes: [UnknownNode] = []

    /// Describes a segment without any attempt.
    package init(interface: String, family: AddressFamily, address: String, subnet: String) {
        self.interface = interface
        self.family = family
        self.address = address
        self.subnet = subnet
    }

    /// The display name: the interface and the address family.
    package var name: String { "\(interface) \(family == .v4 ? "IPv4" : "IPv6")" }
}
