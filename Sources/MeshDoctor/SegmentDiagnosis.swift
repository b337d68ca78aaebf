import MeshCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The diagnosis of the segments that a node uses.
package enum SegmentDiagnosis {
    /// The smallest sufficient receive buffer.
    ///
    /// With less, a burst of a few dozen datagrams is lost. Units: bytes.
    static let smallestReceiveBuffer = 131_072

    /// Returns one finding for each segment, the first cause that explains the results; one for each port that is
    /// taken; one if there was no second process; and one about buffers.
    package static func findings(_ facts: NetworkFacts) -> [Finding] {
        let states = Dictionary(
            facts.interfaces.map { ($0.name, $0.six) },
            uniquingKeysWith: { first, _ in first }
        )
        return taken(facts) + facts.segments.compactMap { finding($0, six: states[$0.interface] ?? .ready) }
            + noSecond(facts) + buffers(facts)
    }

    private static func finding(_ segment: SegmentFacts, six: InterfaceFacts.SixState) -> Finding? {
        if let failure = segment.failure {
            return failure.takenPort == nil ? unopened(segment, failure, six: six) : nil
        }
        switch segment.sending {
        case .none: return nil  // Without groups there is nothing to hear, and the interface's own finding says why.
        case .refused(let error): return unsent(segment, error)
        case .succeeded: break
        }
        guard segment.hearsItself else { return firewallIn(segment) }
        if case .refused(let error) = segment.sendingToLinks, error == EPERM { return linksOut(segment) }
        guard segment.hearsLinks else { return linksIn(segment) }
        return switch segment.second {
        case .deaf: deaf(segment)
        case .heard: unanswered(segment)
        case .answered:
            .ok(.segment, segment.name, "Beacons go out and come back; a second process hears them and answers.")
        case .absent: .ok(.segment, segment.name, "Beacons go out and come back.")
        }
    }

    // MARK: Sockets that do not open

    private static func unopened(
        _ segment: SegmentFacts,
        _ failure: SegmentFacts.Failure,
        six: InterfaceFacts.SixState
    ) -> Finding {
        switch (failure.step, failure.error) {
        case (.unicast, EADDRNOTAVAIL) where segment.family == .v6 && six == .duplicate: duplicate(segment)
        case (.unicast, EADDRNOTAVAIL) where segment.family == .v6: notReady(segment)
        default:
            .problem(
                .socketRefused,
                segment.name,
                "The system refuses a socket: \(text(failure.error)).",
                why: "A node hears and sends nothing here; it tries again every few seconds.",
                mend: "Follow the message of the system; sandboxes and limits of open files or of groups "
                    + "(net.ipv4.igmp_max_memberships) are common causes."
            )
        }
    }

    private static func notReady(_ segment: SegmentFacts) -> Finding {
        .hint(
            .sixNotReady,
            segment.name,
            "The address \(segment.address) is not ready: the system still checks whether another host has it.",
            why: "Until then IPv6 sends nothing here; IPv4 works meanwhile.",
            mend: "Wait two seconds and run the doctor again; a node does that by itself."
        )
    }

    private static func duplicate(_ segment: SegmentFacts) -> Finding {
        .problem(
            .sixDuplicate,
            segment.name,
            "Another host on this segment has the address \(segment.address), so the system does not use it.",
            why: "IPv6 neither sends nor hears anything here.",
            mend: "Cloned machines share one MAC address: give \(segment.interface) its own, then set it down "
                + "and up."
        )
    }

    private static func taken(_ facts: NetworkFacts) -> [Finding] {
        let segments = Dictionary(grouping: facts.segments) { $0.failure?.takenPort }
        return segments.keys.compactMap { $0 }.sorted().map { port in
            let places = (segments[port] ?? []).map(\.name).joined(separator: ", ")
            return .problem(
                .portTaken,
                "port \(port)",
                "A program uses UDP port \(port) exclusively (\(places)).",
                why: "A node cannot hear beacons there, so nobody is found.",
                mend: "`ss -ulpn sport = :\(port)` names the program; stop it, or give it another port."
            )
        }
    }

    // MARK: Questions that do not leave

    private static func unsent(_ segment: SegmentFacts, _ error: Int32) -> Finding {
        switch error {
        case EPERM, EACCES:
            .problem(
                .firewallOut,
                segment.name,
                "A firewall of this machine drops packets to the group.",
                why: "Nobody hears this node's beacons.",
                mend: "Allow outgoing UDP to port \(segment.groupPort) and to \(segment.subnet), for example "
                    + "`ufw allow out on \(segment.interface) proto udp to any`."
            )
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN:
            .problem(
                .noRoute,
                segment.name,
                "The system has no route to the group: \(text(error)).",
                why: "Nobody hears this node's beacons.",
                mend: segment.family == .v4
                    ? "`ip route add 239.0.0.0/8 dev \(segment.interface)`"
                    : "`ip -6 route add multicast ff00::/8 dev \(segment.interface) table local`"
            )
        default:
            .problem(
                .sendRefused,
                segment.name,
                "Sending to the group fails: \(text(error)).",
                why: "Nobody hears this node's beacons.",
                mend: "Follow the message of the system, then run the doctor again."
            )
        }
    }

    // MARK: Questions that do not arrive

    private static func firewallIn(_ segment: SegmentFacts) -> Finding {
        .problem(
            .firewallIn,
            segment.name,
            "Packets to the group do not come back, although this machine listens: a firewall drops incoming packets.",
            why: "This node hears no beacons.",
            mend: "Allow incoming UDP from the segment, for example `ufw allow proto udp from \(segment.subnet)`."
        )
    }

    private static func linksIn(_ segment: SegmentFacts) -> Finding {
        .problem(
            .linkPortClosed,
            segment.name,
            "A firewall lets beacons in on port \(segment.groupPort), and drops packets to other UDP ports.",
            why: "Links use a port that the system chooses, so neighbours are seen but cannot link to this node.",
            mend: "Allow incoming UDP to all ports from the segment, for example `ufw allow proto udp from "
                + "\(segment.subnet)`."
        )
    }

    private static func linksOut(_ segment: SegmentFacts) -> Finding {
        .problem(
            .linkPortClosed,
            segment.name,
            "A firewall lets beacons out to port \(segment.groupPort), and drops packets to other UDP ports.",
            why: "Links use ports that the systems choose, so this node is seen but cannot link to others.",
            mend: "Allow outgoing UDP to all ports of \(segment.subnet)."
        )
    }

    private static func deaf(_ segment: SegmentFacts) -> Finding {
        .problem(
            .secondProcessDeaf,
            segment.name,
            "This process hears the group, a second one on this machine does not.",
            why: "Two nodes of one machine, or a node beside another program on port \(segment.groupPort), miss each "
                + "other's beacons.",
            mend: "`ss -ulpn sport = :\(segment.groupPort)` names the programs there; stop those other than Earshot."
        )
    }

    private static func unanswered(_ segment: SegmentFacts) -> Finding {
        .problem(
            .unicastDropped,
            segment.name,
            "A second process hears the question, but its answer does not arrive: unicast UDP is dropped.",
            why: "Links are unicast UDP, so neighbours are seen but not linked to.",
            mend: "Allow UDP to all ports of \(segment.subnet), also from this machine to itself (interface lo)."
        )
    }

    private static func noSecond(_ facts: NetworkFacts) -> [Finding] {
        guard facts.segments.contains(where: { $0.sending == .succeeded && $0.second == .absent }) else { return [] }
        return [
            .hint(
                .noSecondProcess,
                "second process",
                "It did not start.",
                why: "The doctor could not test whether programs of this machine share the port and reach each other.",
                mend: "Allow this program to start itself, and run the doctor again when the machine is less busy."
            )
        ]
    }

    // MARK: Buffers

    private static func buffers(_ facts: NetworkFacts) -> [Finding] {
        guard let least = facts.segments.map(\.receiveBufferByteCount).filter({ $0 > 0 }).min() else { return [] }
        let what = "The system grants \(least / 1_024) KiB for unread datagrams."
        guard least < smallestReceiveBuffer else { return [.ok(.receiveBuffer, "receive buffer", what)] }
        return [
            .hint(
                .receiveBuffer,
                "receive buffer",
                what,
                why: "Bursts are lost and sent again, which costs speed.",
                mend: "`sysctl -w net.core.rmem_max=4194304`"
            )
        ]
    }

    private static func text(_ error: Int32) -> String { String(cString: strerror(error)) }
}

extension SegmentFacts.Failure {
    /// The group's port, if another program holds it.
    fileprivate var takenPort: UInt16? {
        if case .group(let port) = step, error == EADDRINUSE { port } else { nil }
    }
}
