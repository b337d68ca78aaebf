import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Paths without an engine")
struct PathsTests {
    /// The effects of paths.
    ///
    /// The mesh has effects of the same name.
    private typealias Effect = ChatCore.PathEffect

    private let alice = Numbered.peer(1)
    private let bob = Numbered.peer(2)
    private let reply = PingAnswer(hops: 2, roundTrip: .milliseconds(3))
    private let start = MeshInstant(nanoseconds: 1_000_000_000)

    /// Answers Alice's hello as Bob does, and returns the answer.
    private func answer(_ hello: Effect?, of near: inout Paths, by far: inout Paths) throws -> PathMessage {
        guard case .hello(bob, let secret) = hello else { throw ChatError(.notFound, "No hello.") }
        let label = PathLabel.random()
        near.begin(label, to: bob, secret, at: start)
        far.answer(alice, label, secret, from: NodeID(2), at: start)
        let effects = far.takeEffects()
        #expect(effects.map(name) == ["send", "opened"])
        return try message(effects.first)
    }

    /// Returns the payload that an effect sends, after two links.
    private func message(_ effect: Effect?) throws -> PathMessage {
        guard case .send(var message) = effect else { throw ChatError(.notFound, "No payload.") }
        message.hops += 2
        return message
    }

    /// Takes the effects of the paths, and checks that they have these names.
    private func expect(_ paths: inout Paths, _ names: [String], at place: SourceLocation = #_sourceLocation) {
        let taken = paths.takeEffects().map(name)
        #expect(taken == names, sourceLocation: place)
    }

    private func name(_ effect: Effect) -> String {
        switch effect {
        case .transfer(.pathOpened): "opened"
        case .transfer(.pathLost): "lost"
        case .endPing(let number, nil): "\(number): none"
        case .endPing(let number, let answer?): "\(number): \(answer == reply ? "answered" : "wrong")"
        case .typing(let isTyping, _, let peer): "typing: \(isTyping), \(peer == alice)"
        default: String(describing: Mirror(reflecting: effect).children.first?.label ?? "")
        }
    }

    @Test("A ping has a hello said, goes when that is answered, and is answered to a contact alone")
    func ping() throws {
        var (near, far) = (Paths(), Paths())
        try near.ping(bob, number: 7, isLive: false, at: start)
        let hellos = near.takeEffects()
        #expect(hellos.map(name) == ["hello"])
        let isEarly = near.sayHello(to: bob, at: start.advanced(by: .milliseconds(1_999)))
        #expect(!isEarly)
        let answer = try self.answer(hellos.first, of: &near, by: &far)
        near.receive(answer, isContact: true, at: start)
        let effects = near.takeEffects()
        #expect(effects.map(name) == ["discovered", "link", "send", "answered", "opened"])
        let request = try message(effects[2])
        var distant = far
        distant.receive(request, isContact: false, at: start)
        expect(&distant, [])
        #expect(distant.distances.isEmpty)
        far.receive(request, isContact: true, at: start)
        let payload = try message(far.takeEffects().first)
        near.receive(payload, isContact: true, at: start.advanced(by: .milliseconds(3)))
        expect(&near, ["7: answered"])
        for message in [answer, payload] { near.receive(message, isContact: true, at: start) }
        expect(&near, [])
        #expect(near.distances[bob]?.node == NodeID(2) && near.distances[bob]?.hops == 2)
    }

    @Test("What is live goes where there is a path; when that is lost, waiting pings look for another")
    func loss() throws {
        var (near, far) = (Paths(), Paths())
        var isSent = near.sendLive(.typing(true), to: bob)
        #expect(!isSent)
        near.findPath(for: bob, at: start)
        let answer = try self.answer(near.takeEffects().first, of: &near, by: &far)
        near.receive(answer, isContact: true, at: start)
        _ = near.takeEffects()
        isSent = near.sendLive(.typing(true), to: bob)
        #expect(isSent)
        far.receive(try message(near.takeEffects().first), isContact: false, at: start)
        expect(&far, ["typing: true, true"])
        for (number, isLive) in [(8, false), (9, true)] as [(UInt64, Bool)] {
            try near.ping(bob, number: number, isLive: isLive, at: start)
        }
        expect(&near, ["send", "send"])
        let later = start.advanced(by: .seconds(2))
        near.lose(answer.from ?? PathLabel(0), at: later)
        expect(&near, ["lost", "hello"])
        near.tick(at: later)
        expect(&near, ["9: none"])
        near.tick(at: start.advanced(by: .seconds(5)))
        expect(&near, ["8: none"])
        #expect(near.nextDeadline > later.advanced(by: .seconds(60)))
    }

    @Test("Of 65 paths the one that was least recently used is gone, and a payload that is none opens nothing")
    func limit() throws {
        var (near, far) = (Paths(), Paths())
        let common = SecretBytes.random(count: PathSeal.secretByteCount)
        for label in 1...UInt64(ChatLimits.pathCount) {
            near.answer(Numbered.peer(Int(label)), PathLabel(label), common, from: NodeID(1), at: start)
        }
        let isSent = near.sendLive(.typing(true), to: alice)
        #expect(isSent)
        _ = near.takeEffects()
        far.findPath(for: bob, at: start)
        guard case .hello(_, let secret) = far.takeEffects().first else { throw ChatError(.notFound, "") }
        let label = PathLabel(500)
        near.begin(label, to: Numbered.peer(100), secret, at: start)
        #expect(near.hasPath(to: alice) && !near.hasPath(to: bob))
        #expect(near.peer(at: label) == Numbered.peer(100))
        let forged = PathMessage(to: label, from: PathLabel(1), hops: 1, payload: [UInt8](repeating: 1, count: 280))
        near.receive(forged, isContact: true, at: start)
        expect(&near, [])
        #expect(!near.hasPath(to: Numbered.peer(100)))
        near.abandon(label)
        #expect(near.peer(at: label) == nil)
    }
}
