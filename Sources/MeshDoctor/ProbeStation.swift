import MeshCore
import MeshTransport
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A node's sockets, opened by one thread for an examination and closed with this value.
///
/// It sends only on the interfaces that a node would use: questions to their groups, and answers to questions.
final class ProbeStation {
    /// The interval between questions.
    ///
    /// It is short enough that two doctors that run at the same time receive each other's questions.
    static let askingInterval = Duration.milliseconds(500)
    /// The largest number of examined segments.
    ///
    /// It equals the number that a node uses.
    static let segmentLimit = 64
    /// The largest number of datagrams read from one socket in a row.
    private static let readLimit = 64

    /// The sockets of one segment.
    private struct Sockets {
        let interface: InterfaceID
        let unicast: ProbeSocket
        /// The group sockets and the links listener, each with the port kind that the ledger uses.
        let listeners: [(socket: ProbeSocket, port: ProbeResults.Port)]
        let groups: [SocketAddress]
        let links: SocketAddress?
        let number: Int
    }

    private let plan: ProbePlan
    private let clock = NodeClock()
    private var sockets: [Int: Sockets] = [:]
    private(set) var facts: NetworkFacts
    private(set) var results: ProbeResults

    /// Opens the sockets that a node would open.
    ///
    /// A failure is recorded in `facts`.
    init(_ plan: ProbePlan) {
        self.plan = plan
        results = ProbeResults(id: plan.id)
        facts = NetworkFacts()
        facts.requested = plan.interfaces
        facts.interfaces = (try? InterfaceFacts.current()) ?? []
        facts.missingFamilies = [AddressFamily.v4, .v6].filter { (try? SystemSocket($0)) == nil }
        let used = (try? LocalInterface.used(by: plan.interfaces)) ?? []
        for interface in used.prefix(Self.segmentLimit) {
            guard let segment = SegmentFacts(interface) else { continue }
            facts.segments.append(segment)
            open(interface, as: facts.segments.count - 1)
        }
    }

    /// Asks (if `asking`), answers and listens for `duration`, or until `closing` is readable or at its end.
    func run(for duration: Duration, asking: Bool, until closing: CInt? = nil) {
        let deadline = clock.now.advanced(by: duration)
        var nextQuestion = asking ? clock.now : .distantFuture
        while clock.now < deadline {
            if clock.now >= nextQuestion {
                ask()
                nextQuestion = clock.now.advanced(by: Self.askingInterval)
            }
            guard wait(until: min(nextQuestion, deadline), closing: closing) else { break }
        }
        facts.listened += duration
    }

    // MARK: Opening

    private func open(_ interface: LocalInterface, as index: Int) {
        guard let address = interface.address else { return }
        let groups = plan.groups.filter { interface.canHearGroups && $0.address.family == interface.id.family }
        var step = SegmentFacts.Step.unicast
        do throws(IOError) {
            let unicast = try ProbeSocket(UnicastSockets.open(address, on: interface.id))
            facts.segments[index].receiveBufferByteCount = unicast.receiveBufferByteCount
            var listeners: [(socket: ProbeSocket, port: ProbeResults.Port)] = []
            for group in groups {
                step = .group(port: group.port)
                listeners.append((try ProbeSocket(MulticastSockets.open(group, on: interface)), .group))
            }
            facts.segments[index].groupPort = groups.first?.port ?? 0
            let links = groups.first.flatMap { MulticastGroup(address: $0.address, port: unicast.port) }
            if let links, let listener = try? ProbeSocket(MulticastSockets.open(links, on: interface)) {
                listeners.append((listener, .links))
            }
            let own = Endpoint(interface: interface.id, address: address, port: unicast.port)
            sockets[index] = Sockets(
                interface: interface.id,
                unicast: unicast,
                listeners: listeners,
                groups: groups.map { SocketAddress($0.address, port: $0.port, onInterface: interface.id.index) },
                links: links.map { SocketAddress($0.address, port: $0.port, onInterface: interface.id.index) },
                number: results.open(prefixes: interface.prefixes, own: own)
            )
        } catch {
            facts.segments[index].failure = SegmentFacts.Failure(step, error: error.errnoCode)
        }
    }

    // MARK: Asking and listening

    private func ask() {
        let question = Probe(asker: plan.id).encoded()
        for index in sockets.keys.sorted() {
            guard let open = sockets[index] else { continue }
            for group in open.groups {
                facts.segments[index].sending.add(open.unicast.send(question, to: group))
            }
            guard let links = open.links else { continue }
            facts.segments[index].sendingToLinks.add(open.unicast.send(question, to: links))
        }
    }

    /// Waits for datagrams and reads them; returns false when `closing` is readable or at its end.
    private func wait(until instant: MeshInstant, closing: CInt?) -> Bool {
        let readers = sockets.keys.sorted().compactMap { sockets[$0] }.flatMap { open in
            ([(open.unicast, .unicast)] + open.listeners).map { (socket: $0.0, port: $0.1, sockets: open) }
        }
        var waits = readers.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
        if let closing { waits.append(pollfd(fd: closing, events: Int16(POLLIN), revents: 0)) }
        let left = max(.zero, clock.now.duration(to: instant)).wholeNanoseconds / 1_000_000 + 1
        guard poll(&waits, nfds_t(waits.count), CInt(min(left, 60_000))) > 0 else { return true }
        for (index, reader) in readers.enumerated() where waits[index].revents != 0 {
            read(reader.socket, reader.port, of: reader.sockets)
        }
        return closing == nil || waits.last?.revents == 0
    }

    private func read(_ socket: ProbeSocket, _ port: ProbeResults.Port, of open: Sockets) {
        for _ in 0..<Self.readLimit {
            guard let datagram = socket.receive() else { return }
            let source = Endpoint(interface: open.interface, address: datagram.address, port: datagram.port)
            guard let answer = results.receive(datagram.bytes, from: source, at: port, segment: open.number) else {
                continue
            }
            let address = SocketAddress(source.address, port: source.port, onInterface: open.interface.index)
            _ = open.unicast.send(answer, to: address)
        }
    }

    // MARK: The result

    /// Returns all results so far.
    func conclude() -> NetworkFacts {
        let addresses = Set(((try? LocalInterface.current()) ?? []).flatMap(\.prefixes).map(\.address))
        var result = facts
        for (index, open) in sockets {
            result.segments[index].add(results.segments[open.number], second: plan.second, own: addresses)
        }
        let names = Dictionary(
            sockets.map { ($1.interface, facts.segments[$0].interface) },
            uniquingKeysWith: { first, _ in first }
        )
        result.nodes = results.nodes.values.sorted { $0.beacon.node < $1.beacon.node }.map { sighting in
            NetworkFacts.Node(
                interface: names[sighting.source.interface] ?? "",
                address: sighting.source.address.text,
                isHere: addresses.contains(sighting.source.address),
                isOfClosedMesh: sighting.beacon.isOfClosedMesh
            )
        }
        return result
    }

    /// The questions received from other runs.
    var report: WitnessReport {
        WitnessReport(
            sockets.keys.sorted().flatMap { index -> [WitnessReport.Hearing] in
                guard let open = sockets[index] else { return [] }
                let others = results.segments[open.number].others.filter(\.value.hasAsked).keys.sorted()
                let segment = facts.segments[index]
                return others.map { .init(interface: segment.interface, family: segment.family, asker: $0) }
            }
        )
    }
}

extension SegmentFacts.Attempt {
    /// Adds one more attempt.
    ///
    /// The first refusal is kept.
    fileprivate mutating func add(_ error: CInt?) {
        switch (self, error) {
        case (.refused, _): break
        case (_, let error?): self = .refused(error)
        case (_, nil): self = .succeeded
        }
    }
}

extension SegmentFacts {
    fileprivate init?(_ interface: LocalInterface) {
        guard let prefix = interface.prefixes.first else { return nil }
        self.init(
            interface: interface.name,
            family: interface.id.family,
            address: prefix.address.text,
            subnet: prefix.text
        )
    }

    fileprivate mutating func add(_ seen: ProbeResults.Segment, second: UInt64?, own: Set<IPAddress>) {
        hearsItself = seen.hearsItself
        hearsLinks = seen.hearsLinks
        if let second { self.second = seen.others[second]?.hasAnswered == true ? .answered : .deaf }
        // A doctor and its second process are two runs on one address.
        let unknownNodes = seen.others.filter { $0.key != second && !own.contains($0.value.address) }.values
        let answered = Dictionary(grouping: unknownNodes, by: \.address.text).mapValues {
            $0.contains(where: \.hasAnswered)
        }
        self.unknownNodes = answered.keys.sorted().map { UnknownNode(address: $0, hasAnswered: answered[$0] ?? false) }
    }
}

extension IPAddress {
    /// The address in text form, without a zone.
    fileprivate var text: String { SocketAddress(self, port: 0, onInterface: 0).ipAddress ?? "" }
}

extension Prefix {
    /// The subnet in the notation of firewalls: its first address and its length.
    var text: String {
        let bytes = address.bytes.enumerated().map { index, byte in
            byte & UInt8(truncatingIfNeeded: 0xFF00 >> min(max(length - index * 8, 0), 8))
        }
        return "\(IPAddress(bytes: bytes)?.text ?? "")/\(length)"
    }
}
