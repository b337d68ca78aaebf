import ChatCore
import ChatCrypto
import MeshCore

/// The peers that may have a blob, and those that are looked for: always the sender, and the others one after another.
struct BlobHolders: Sendable {
    private let sender: PeerID
    private let others: [PeerID]
    /// The peers that reported the blob as absent, with the times until which they are not asked again.
    private var absentUntil: [PeerID: MeshInstant] = [:]
    /// The index of the other peer that is looked for; nil while the sender has its first chance alone.
    private var turn: Int?
    /// The time at which the next peer's turn begins, if no peer gives the blob by then.
    private(set) var turnEnds = MeshInstant.distantFuture
    /// The length of a turn, which grows with each round.
    private var pause = ChatLimits.helloInterval

    init(_ order: BlobOrder, now: MeshInstant) {
        sender = order.peer
        others = order.others
        if !others.isEmpty { turnEnds = now.advanced(by: pause) }
    }

    /// All holders, the sender first.
    var all: [PeerID] { [sender] + others }

    /// Returns the time from which a peer may be asked.
    func notBefore(_ peer: PeerID) -> MeshInstant { absentUntil[peer] ?? .zero }

    /// Whether all holders have lately reported the blob as absent.
    func areAllWithout(now: MeshInstant) -> Bool { all.allSatisfy { notBefore($0) > now } }

    /// Returns the peers that are looked for at present.
    mutating func wanted(now: MeshInstant) -> [PeerID] {
        if turnEnds <= now { passTurn(now: now) }
        return turn.map { [sender, others[$0]] } ?? [sender]
    }

    /// Notes that a peer does not have the blob.
    mutating func markAbsent(_ peer: PeerID, now: MeshInstant) {
        absentUntil[peer] = now.advanced(by: ChatLimits.absentPause)
        guard !others.isEmpty, peer == sender && turn == nil || turn.map({ others[$0] }) == peer else { return }
        turnEnds = now
    }

    /// Gives the turn to a peer that was just heard.
    mutating func prefer(_ peer: PeerID, now: MeshInstant) {
        guard notBefore(peer) <= now, let index = others.firstIndex(of: peer) else { return }
        turn = index
        turnEnds = now.advanced(by: pause)
    }

    private mutating func passTurn(now: MeshInstant) {
        let next = turn.map { $0 + 1 } ?? 0
        if next == others.count { pause = min(pause * 2, ChatLimits.pathSearchPause) }
        turn = next % others.count
        turnEnds = now.advanced(by: pause)
    }
}
