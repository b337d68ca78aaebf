import ChatCrypto
import MeshCore

/// The joining of a room: the discovered hosts, the host that receives this node's join request, and the deadlines.
///
/// A pure value over ``RoomJoiner``: it takes times and packets, and returns the next step. It sends join requests to
/// one host at a time, in the order of their discovery. It ends in every case but one: while a host's user has to
/// decide, it waits.
struct RoomJoinAttempt: Sendable {
    /// A host that was discovered.
    private struct DiscoveredHost: Sendable {
        var beacon: RoomBeacon
        var at: MeshInstant
        var requestCount = 0
        /// Whether it has another code, or is not a host.
        var isWrong = false
    }

    /// The next step of the joining.
    enum Step: Sendable {
        case nothing
        /// The body of a ROOM envelope to send.
        case send([UInt8])
        /// The decision of the host of this beacon, which arrived at that time.
        case decided(JoinDecision, RoomBeacon, discoveredAt: MeshInstant)
        /// The failure of the joining.
        case failed(ChatError)
    }

    /// The time at which `tick` has work to do.
    private(set) var deadline: MeshInstant
    /// The host whose user has to decide.
    private(set) var waitsFor: PublicIdentity?
    private let credential: JoinCredential
    private var joiner: RoomJoiner
    private var discovered: [DiscoveredHost] = []
    private var current: Int?
    private let searchEnd: MeshInstant

    init(with credential: JoinCredential, bundle: PrekeyBundle, at now: MeshInstant) {
        self.credential = credential
        joiner = RoomJoiner(with: credential.key, bundle: bundle)
        searchEnd = now.advanced(by: RoomRules.searchTime)
        deadline = searchEnd
    }

    /// Notes a host; a host with newer information is tried again.
    mutating func discover(_ beacon: RoomBeacon, at now: MeshInstant) {
        guard credential.mayBe(for: beacon) else { return }
        let known = discovered.firstIndex { $0.beacon.room == beacon.room && $0.beacon.host == beacon.host }
        guard let known else {
            if discovered.count < RoomRules.discoveredCount {
                discovered.append(DiscoveredHost(beacon: beacon, at: now))
            }
            return
        }
        guard known != current, beacon.supersedes(discovered[known].beacon) else { return }
        if beacon.lobby != discovered[known].beacon.lobby {
            (discovered[known].requestCount, discovered[known].isWrong) = (0, false)
        }
        (discovered[known].beacon, discovered[known].at) = (beacon, now)
    }

    /// Sends a join request to the next host, or gives up if there is none left.
    mutating func proceed(at now: MeshInstant) -> Step {
        guard current == nil, waitsFor == nil else { return .nothing }
        while !joiner.isExhausted, let next = nextHost {
            discovered[next].requestCount += 1
            guard let message = try? joiner.joinRequest(at: discovered[next].beacon) else {
                discovered[next].isWrong = true
                continue
            }
            current = next
            deadline = now.advanced(by: RoomRules.answerTime)
            return .send(message)
        }
        if discovered.contains(where: \.isWrong) { return .failed(Self.wrongCode) }
        if discovered.contains(where: { $0.requestCount > 0 }) { return .failed(Self.noAnswer) }
        guard now < searchEnd else { return .failed(discovered.isEmpty ? Self.noRoom : Self.admissionClosed) }
        deadline = searchEnd
        return .nothing
    }

    /// Handles a packet from a ROOM envelope.
    mutating func receive(_ packet: RoomPacket, at now: MeshInstant) -> Step {
        if case .beacon(let beacon) = packet {
            discover(beacon, at: now)
            return proceed(at: now)
        }
        guard let index = current else { return .nothing }
        switch joiner.receive(packet) {
        case .ignored: return .nothing
        case .send(let message):
            deadline = now.advanced(by: RoomRules.decisionTime)
            return .send(message)
        case .wrongCode:
            discovered[index].isWrong = true
            current = nil
            return proceed(at: now)
        case .decided(let decision, let host):
            if case .pending = decision {
                waitsFor = host
                deadline = .distantFuture
            }
            return .decided(decision, discovered[index].beacon, discoveredAt: discovered[index].at)
        }
    }

    /// Does all work that is due: ends requests that were not answered in time.
    mutating func tick(at now: MeshInstant) -> Step {
        guard deadline <= now else { return .nothing }
        current = nil
        return proceed(at: now)
    }

    /// The host with the fewest join requests, of those the one discovered first.
    private var nextHost: Int? {
        let open = discovered.indices.filter { index in
            !discovered[index].isWrong && discovered[index].requestCount < RoomRules.joinRequestCount
                && joiner.isFor(discovered[index].beacon)
        }
        return open.min { discovered[$0].requestCount < discovered[$1].requestCount }
    }

    private static let wrongCode = ChatError(
        .wrongCode,
        "The code is wrong, or someone pretends to be the host. Ask for the code again."
    )
    private static let noAnswer = ChatError(
        .noAnswer,
        "The host of the room does not answer. Try again when the host is in reach."
    )
    private static let noRoom = ChatError(
        .notFound,
        "No such room is in reach. Check the code, and whether the host is nearby."
    )
    private static let admissionClosed = ChatError(
        .admissionClosed,
        "The room is closed to new members. Ask the host for a new code."
    )
}
