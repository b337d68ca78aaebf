import ChatCrypto
import MeshCore

/// The joining of a room: the discovered hosts, the host that receives this node's join request, and the deadlines.
///
/// A pure value over ``RoomJoiner``: it takes times and packets, and returns the next step. It sends join requests to
/// one host at a time, in the order of their discovery. It ends in every case but one: while a host's user has to
/// decide, it waits.
struct RoomEntrance: Sendable {
    /// A host that was discovered.
    private struct Heard: Sendable {
        var beacon: RoomBeacon
        var at: MeshInstant
        var knocks = 0
        /// Whether it has another code, or is not a host.
        var isWrong = false
    }

    /// The next step of the joining.
    enum Step: Sendable {
        case nothing
        /// The body of a ROOM envelope to send.
        case send([UInt8])
        /// The decision of the host of this beacon, which arrived at that time.
        case decided(JoinDecision, RoomBeacon, heardAt: MeshInstant)
        /// The failure of the joining.
        case failed(ChatError)
    }

    /// The time at which `tick` has work to do.
    private(set) var deadline: MeshInstant
    /// The host whose user has to decide.
    private(set) var waitsFor: PublicIdentity?
    private let ticket: RoomTicket
    private var joiner: RoomJoiner
    private var heard: [Heard] = []
    private var current: Int?
    private let lookEnd: MeshInstant

    init(with ticket: RoomTicket, bundle: IdentityBundle, at now: MeshInstant) {
        self.ticket = ticket
        joiner = RoomJoiner(with: ticket.key, bundle: bundle)
        lookEnd = now.advanced(by: RoomRules.lookTime)
        deadline = lookEnd
    }

    /// Notes a host; a host with newer information is tried again.
    mutating func hear(_ beacon: RoomBeacon, at now: MeshInstant) {
        guard ticket.mayBe(for: beacon) else { return }
        let known = heard.firstIndex { $0.beacon.room == beacon.room && $0.beacon.host == beacon.host }
        guard let known else {
            if heard.count < RoomRules.heardCount { heard.append(Heard(beacon: beacon, at: now)) }
            return
        }
        guard known != current, beacon.supersedes(heard[known].beacon) else { return }
        if beacon.lobby != heard[known].beacon.lobby { (heard[known].knocks, heard[known].isWrong) = (0, false) }
        (heard[known].beacon, heard[known].at) = (beacon, now)
    }

    /// Sends a join request to the next host, or gives up if there is none left.
    mutating func proceed(at now: MeshInstant) -> Step {
        guard current == nil, waitsFor == nil else { return .nothing }
        while !joiner.isUsedUp, let next = nextHost {
            heard[next].knocks += 1
            guard let flight = try? joiner.knock(at: heard[next].beacon) else {
                heard[next].isWrong = true
                continue
            }
            current = next
            deadline = now.advanced(by: RoomRules.answerTime)
            return .send(flight)
        }
        if heard.contains(where: \.isWrong) { return .failed(Self.wrongCode) }
        if heard.contains(where: { $0.knocks > 0 }) { return .failed(Self.noAnswer) }
        guard now < lookEnd else { return .failed(heard.isEmpty ? Self.noRoom : Self.doorShut) }
        deadline = lookEnd
        return .nothing
    }

    /// Handles a packet from a ROOM envelope.
    mutating func receive(_ packet: RoomPacket, at now: MeshInstant) -> Step {
        if case .beacon(let beacon) = packet {
            hear(beacon, at: now)
            return proceed(at: now)
        }
        guard let index = current else { return .nothing }
        switch joiner.receive(packet) {
        case .ignored: return .nothing
        case .send(let flight):
            deadline = now.advanced(by: RoomRules.decisionTime)
            return .send(flight)
        case .wrongCode:
            heard[index].isWrong = true
            current = nil
            return proceed(at: now)
        case .decided(let decision, let host):
            if case .pending = decision {
                waitsFor = host
                deadline = .distantFuture
            }
            return .decided(decision, heard[index].beacon, heardAt: heard[index].at)
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
        let open = heard.indices.filter { index in
            !heard[index].isWrong && heard[index].knocks < RoomRules.knockCount && joiner.isFor(heard[index].beacon)
        }
        return open.min { heard[$0].knocks < heard[$1].knocks }
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
    private static let doorShut = ChatError(
        .doorShut,
        "The room is closed to new members. Ask the host for a new code."
    )
}
