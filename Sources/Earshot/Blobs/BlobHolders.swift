import ChatCore
import ChatCrypto
import MeshCore

/// Who may have an object, and who of them is looked for: its sender always, of the others one after the other.
struct BlobHolders: Sendable {
    private let sender: PeerID
    private let others: [PeerID]
    /// Who said that it has not got the object, and until when it is not asked again.
    private var absentUntil: [PeerID: MeshInstant] = [:]
    /// Which of the others is looked for; none while the sender has its first chance alone.
    private var turn: Int?
    /// When the next one's turn begins, if nobody gives the object by then.
    private(set) var turnEnds = MeshInstant.distantFuture
    /// How long turns are: longer in each round.
    private var pause = ChatLimits.helloInterval

    init(_ order: BlobOrder, now: MeshInstant) {
        sender = order.peer
        others = order.others
        if !others.isEmpty { turnEnds = now.advanced(by: pause) }
    }

    /// Everybody, whoever is to be asked first in front.
    var all: [PeerID] { [sender] + others }

    /// When somebody may be asked.
    func notBefore(_ peer: PeerID) -> MeshInstant { absentUntil[peer] ?? .zero }

    /// Whether everybody has said of late that it is not there.
    func areAllWithout(now: MeshInstant) -> Bool { all.allSatisfy { notBefore($0) > now } }

    /// Those who are looked for at present.
    mutating func wanted(now: MeshInstant) -> [PeerID] {
        if turnEnds <= now { passTurn(now: now) }
        return turn.map { [sender, others[$0]] } ?? [sender]
    }

    /// Notes that somebody has not got the object.
    mutating func markAbsent(_ peer: PeerID, now: MeshInstant) {
        absentUntil[peer] = now.advanced(by: ChatLimits.absentPause)
        guard !others.isEmpty, peer == sender && turn == nil || turn.map({ others[$0] }) == peer else { return }
        turnEnds = now
    }

    /// Gives the turn to somebody who was just heard.
    mutating func prefer(_ peer: PeerID, now: MeshInstant) {
        guard notBefore(peer) <= now, let index = others.firstIndex(of: peer) else { return }
        turn = index
        turnEnds = now.advanced(by: pause)
    }

    private mutating func passTurn(now: MeshInstant) {
        let next = turn.map { $0 + 1 } ?? 0
        if next == others.count { pause = min(pause * 2, ChatLimits.lookPause) }
        turn = next % others.count
        turnEnds = now.advanced(by: pause)
    }
}
